import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { STREAM, startMerchant } from '../../devnet/merchant'
import { networks } from '../../devnet/networks'
import { createPayer, keyOn } from '../../devnet/payer'
import { serveKeys } from '../../test/interop/channel-traffic'
import { CHANNEL_SECRETS } from '../../test/support/batch-settlement/sellers'
import { fixture, readThrough } from '../../test/support/fixture'
import { askingCatalog } from '../../test/support/service/catalog-pages'
import { startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(() => startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS } }))
const ask = askingCatalog(readThrough(() => harness.app))

/** A merchant whose stream was bought once by the official client, and its discovery once all effects are done. */
async function sold(settings: Parameters<typeof newMerchant>[1] = {}) {
  const { app, chain } = harness
  const { key } = await newMerchant(app, settings)
  const keys = await serveKeys(app)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const facilitatorUrl = `${keys.url}/v1/${key}`
  const merchant = await startMerchant({ facilitatorUrl, payTo, network: networks[84532].id, channels: true })
  const payer = createPayer(keyOn(chain.client, generatePrivateKey()))
  await chain.mint(payer.address, 1_000_000n)
  const resource = `${merchant.url}${STREAM}`
  expect(await payer.pay(resource)).toMatchObject({ status: 200 })
  await until(async () => (await app.db.outbox.count({ where: { doneAt: null } })) === 0, 'the outbox')
  await Promise.all([merchant.stop(), keys.stop()])
  const listed = async (query = '') =>
    (await ask('/v1/discovery/resources', `?network=${networks[84532].id}&payTo=${payTo}${query}`, { key })).body.items
  const report = async () => (await ask('/v1/discovery/report', '?environment=testnet', { key })).body.resources
  return { resource, payTo, listed, report }
}

test('a stream that an official server sells through channels is listed from its first deposit, with what an answer costs at most', async () => {
  const { resource, payTo, listed, report } = await sold()
  const [entry, ...others] = await listed('&scheme=batch-settlement')
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    resource,
    x402Version: 2,
    accepts: [
      {
        scheme: 'batch-settlement',
        network: networks[84532].id,
        amount: '100',
        maxAmountRequired: '100',
        payTo,
        extra: { minDeposit: '10000', withdrawDelay: 900, receiverAuthorizer: expect.stringMatching(/^0x/) },
      },
    ],
    extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } } } },
  })
  // A deposit is no paid call.
  expect(entry).not.toHaveProperty('quality')
  expect(await listed('&scheme=exact')).toEqual([])
  expect(await listed('&maxPrice=0.0001')).toHaveLength(1)
  expect(await listed('&maxPrice=0.00009')).toEqual([])
  expect(await report()).toMatchObject([
    {
      resource,
      listed: true,
      last_payment: { id: null, scheme: 'batch-settlement', amount: '10000', price: '100', asset: 'USDC' },
      problems: [],
    },
  ])
})

test('a key without history lists nothing by a deposit, and its report has none', async () => {
  const { listed, report } = await sold({ historyEnabled: false })
  expect([await listed(), await report()]).toEqual([[], []])
})
