import { HTTPFacilitatorClient } from '@x402/core/http'
import { withBazaar } from '@x402/extensions/bazaar'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fixture } from '../support/fixture'
import { until } from '../support/until'
import { buyV1, buyV2, startTwoNetworks, wallet } from './official-clients'

const all = fixture(startTwoNetworks)

const newRecipient = () => privateKeyToAccount(generatePrivateKey()).address
const catalogAt = (url: string) => withBazaar(new HTTPFacilitatorClient({ url })).extensions.bazaar

test("the official client lists and searches the sample merchant's sales below every base URL", async () => {
  const { chain, id } = all.networks.base
  const { url } = await all.tenant()
  const [key, payTo] = [await wallet(chain), newRecipient()]
  expect(await buyV2({ facilitatorUrl: url, key, payTo }, id)).toMatchObject({ status: 200, receipt: { success: true } })
  // The catalog updates after the payment, and pages are cached: this `payTo` is queried only once it is listed.
  await until(async () => (await catalogAt(url).listResources({ limit: 1 })).pagination.total > 0, 'the catalog')
  for (const base of [url, `${url}/flash`, all.service.url]) {
    const bazaar = catalogAt(base)
    const { items, pagination } = await bazaar.listResources({
      type: 'http',
      payTo,
      network: id,
      scheme: 'exact',
      limit: 1_000,
      offset: 0,
    })
    expect(pagination).toEqual({ limit: 100, offset: 0, total: 1 })
    expect(items).toMatchObject([
      {
        resource: expect.stringMatching(/^http:\/\/localhost:\d+\/weather$/),
        type: 'http',
        x402Version: 2,
        accepts: [{ scheme: 'exact', network: id, amount: '1000', payTo }],
        description: "Today's weather",
        extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: expect.any(Object) } },
      },
    ])
    const { resources } = await bazaar.search({ query: 'the weather of today', payTo, limit: 5 })
    expect(resources).toEqual(items)
  }
  expect((await catalogAt(`${all.service.url}/sandbox`).listResources({ payTo })).items).toEqual([])
})

test("legacy merchants' routes are listed by their outputSchema", async () => {
  const { chain, v1 } = all.networks.sepolia
  const facilitatorUrl = `${all.service.url}/sandbox`
  const [key, payTo] = [await wallet(chain), newRecipient()]
  const bazaar = catalogAt(facilitatorUrl)
  expect(await buyV1({ facilitatorUrl, key, payTo }, v1)).toMatchObject({ status: 200 })
  await until(async () => (await bazaar.listResources({ limit: 2 })).pagination.total > 0, 'the catalog')
  const { items } = await bazaar.listResources({ payTo })
  expect(items).toMatchObject([
    { x402Version: 1, accepts: [{ network: 'eip155:84532', outputSchema: { input: { type: 'http', method: 'GET' } } }] },
  ])
})

test('over HTTP: 304 for a known ETag, HEAD, 401 without a key, and CORS for any website', async () => {
  const { url } = all.service
  const page = await fetch(`${url}/discovery/resources?limit=3`)
  expect(page.headers.get('access-control-allow-origin')).toBe('*')
  const etag = page.headers.get('etag') ?? ''
  const again = await fetch(`${url}//discovery/resources/?limit=3`, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  const head = await fetch(`${url}/discovery/search?query=x`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const path of [
    '/v1//discovery/resources',
    '/v1/discovery/search',
    '/v1/flash/discovery/resources',
    '/v1/qt_x/discovery/search?query=x',
  ]) {
    const response = await fetch(`${url}${path}`)
    expect([path, response.status, await response.json()]).toEqual([path, 401, { error: expect.stringContaining('API key') }])
  }
})
