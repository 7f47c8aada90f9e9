import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createPayer } from '@/devnet/payer'
import { mainAsset } from '@/server/x402/networks/networks'
import { wallet } from '@/test/interop/official-clients'
import { requirements } from '@/test/support/payloads/payments'
import { LONG, newAddress, PRICE, programHarness } from '@/test/support/service/program-harness'
import { isInstalled, openMerchant, runCommands } from '@/test/support/service/shown-programs'
import { programs, programsFor } from '../../client/programs/commands'
import { merchantPrograms, type Sale } from '../../client/programs/merchants'

const service = programHarness()

const WHERE = ['sepolia', 'base'] as const
type Where = (typeof WHERE)[number]

/** What the quick start fills in: a new key, the network and a wallet. */
const sale = async (where: Where): Promise<Sale & { payTo: `0x${string}` }> => {
  const { id } = service().networks[where]
  return { url: await service().facilitatorUrl(), network: id, payTo: newAddress() }
}

test('the quick start shows every program that is run here, and curl', () => {
  expect(programs.map(({ name }) => name)).toEqual([...merchantPrograms.map(({ name }) => name), 'curl'])
})

test('the quick start shows the commands apart from the program', () => {
  const sale = { url: 'https://service.example/sandbox', network: 'eip155:84532', payTo: newAddress() } as const
  const shown = programsFor(sale).map(({ name, install, run, code }) => [name, install, run, code.split('\n')[0]])
  expect(shown).toEqual([
    ['Express', 'npm install express @x402/core @x402/evm @x402/express', 'node weather.mjs', expect.stringMatching(/^import /)],
    ['Hono', expect.stringMatching(/^npm install hono /), 'node weather.mjs', expect.stringMatching(/^import /)],
    ['Next.js', expect.stringMatching(/^npm install /), 'npx next dev --port 8402', expect.stringMatching(/^import /)],
    ['Python', null, 'python3 weather.py', expect.stringMatching(/^# Nothing to install/)],
    ['curl', null, null, expect.stringMatching(/^FACILITATOR=/)],
  ])
})

const cases = merchantPrograms.flatMap(({ name, text }) => WHERE.map((where) => ({ name, text, where })))
const cannotRun = (name: string) => name === 'Python' && !isInstalled('python3')

describe.each(cases)('the program for $name, filled in for $where', ({ name, text, where }) => {
  const title = 'sells to the official client only, and the merchant gets the money'
  test.skipIf(cannotRun(name))(
    cannotRun(name) ? 'skipped: no python3 on the path' : title,
    async () => {
      const { chain, id } = service().networks[where]
      const filled = await sale(where)
      const server = await openMerchant(name, text(filled))
      try {
        const unpaid = await fetch(server.url)
        expect({ status: unpaid.status, offer: unpaid.headers.has('payment-required') }).toEqual({ status: 402, offer: true })

        const poor = await createPayer(generatePrivateKey()).pay(server.url)
        expect(poor).toMatchObject({ status: 402, problem: 'invalid_exact_evm_insufficient_balance' })
        expect(await chain.tokens(filled.payTo)).toBe(0n)

        const payer = createPayer(await wallet(chain))
        expect(await payer.pay(server.url)).toMatchObject({
          status: 200,
          body: { weather: 'sunny' },
          amount: PRICE,
          payTo: filled.payTo,
          receipt: { success: true, network: id, payer: payer.address },
        })
        expect(await chain.tokens(filled.payTo)).toBe(PRICE)
        expect(service().recorder.take()).toContainEqual(expect.objectContaining({ asked: 'POST /v1/:key/settle', status: 200 }))
      } finally {
        await server.close()
      }
    },
    LONG,
  )
})

describe.each(WHERE)('the commands for curl, filled in for %s', (where) => {
  test(
    'verify, settle and look up an official payment',
    async () => {
      const { chain } = service().networks[where]
      const filled = await sale(where)
      const server = await openCurlServer(filled)
      await createPayer(await wallet(chain)).pay(server.url)
      await server.close()
      expect(await chain.tokens(filled.payTo)).toBe(PRICE)
      expect(service().recorder.take()).toMatchObject([
        { asked: 'GET /v1/:key/supported', status: 200 },
        { asked: 'POST /v1/:key/verify', status: 200, body: { isValid: true } },
        { asked: 'POST /v1/:key/settle', status: 200, body: { success: true } },
        { asked: 'GET /v1/:key/settlements/:id', status: 200, body: { settlements: [{ state: 'succeeded' }] } },
      ])
    },
    LONG,
  )
})

/** A server that runs the curl commands with the header of each payment. */
async function openCurlServer(filled: Sale) {
  const commands = programs.find(({ name }) => name === 'curl')?.text(filled) ?? ''
  const { address: asset, domain } = mainAsset(filled.network)
  const accepts = [requirements({ network: filled.network, payTo: filled.payTo, asset, extra: domain })]
  const offer = { x402Version: 2, accepts, resource: { url: 'http://localhost/', description: '', mimeType: '' } }
  const server = createServer(async (req, res) => {
    const { 'payment-signature': header } = req.headers
    if (typeof header === 'string') return res.end(await runCommands(commands, { HEADER: header }))
    res.writeHead(402, { 'PAYMENT-REQUIRED': Buffer.from(JSON.stringify(offer)).toString('base64') }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
