import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { merchantPrograms, type Sale } from '@/app/docs/programs/merchants'
import { createPayer } from '@/devnet/payer'
import { networks } from '@/server/x402/networks'
import { requirements } from '@/test/harness'
import { wallet } from '@/test/official-clients'
import { LONG, newAddress, PRICE, programHouse } from '@/test/program-house'
import { isInstalled, openShop, runCommands } from '@/test/shown-programs'
import { programs } from './programs'

const house = programHouse()

const WHERE = ['sepolia', 'base'] as const
type Where = (typeof WHERE)[number]

/** What the quick start fills in: a key made just now, the network chosen, the merchant's own wallet. */
const sale = async (where: Where): Promise<Sale & { payTo: `0x${string}` }> => {
  const { id } = house().networks[where]
  return { url: await house().facilitatorUrl(), network: id, payTo: newAddress() }
}

test('the quick start shows every program that is run here, and curl', () => {
  expect(programs.map(({ name }) => name)).toEqual([...merchantPrograms.map(({ name }) => name), 'curl'])
})

const cases = merchantPrograms.flatMap(({ name, text }) => WHERE.map((where) => ({ name, text, where })))
const cannotRun = (name: string) => name === 'Python' && !isInstalled('python3')

describe.each(cases)('the program for $name, filled in for $where', ({ name, text, where }) => {
  const title = 'sells to the official client and to nobody else, and the merchant has the money'
  test.skipIf(cannotRun(name))(
    cannotRun(name) ? 'skipped: no python3 on the path' : title,
    async () => {
      const { chain, id } = house().networks[where]
      const filled = await sale(where)
      const shop = await openShop(name, text(filled))
      try {
        const unpaid = await fetch(shop.url)
        expect({ status: unpaid.status, offer: unpaid.headers.has('payment-required') }).toEqual({ status: 402, offer: true })

        const poor = await createPayer(generatePrivateKey()).pay(shop.url)
        expect(poor).toMatchObject({ status: 402, problem: 'invalid_exact_evm_insufficient_balance' })
        expect(await chain.tokens(filled.payTo)).toBe(0n)

        const payer = createPayer(await wallet(chain))
        expect(await payer.pay(shop.url)).toMatchObject({
          ...{ status: 200, body: { weather: 'sunny' }, amount: PRICE, payTo: filled.payTo },
          receipt: { success: true, network: id, payer: payer.address },
        })
        expect(await chain.tokens(filled.payTo)).toBe(PRICE)
        expect(house().witness.told()).toContainEqual(expect.objectContaining({ asked: 'POST /v1/:key/settle', status: 200 }))
      } finally {
        await shop.close()
      }
    },
    LONG,
  )
})

describe.each(WHERE)('the commands for curl, filled in for %s', (where) => {
  test(
    'judge and settle what the official client sent, and look it up',
    async () => {
      const { chain } = house().networks[where]
      const filled = await sale(where)
      const shop = await openShopOfCommands(filled)
      await createPayer(await wallet(chain)).pay(shop.url)
      await shop.close()
      expect(await chain.tokens(filled.payTo)).toBe(PRICE)
      expect(house().witness.told()).toMatchObject([
        { asked: 'GET /v1/:key/supported', status: 200 },
        { asked: 'POST /v1/:key/verify', status: 200, body: { isValid: true } },
        { asked: 'POST /v1/:key/settle', status: 200, body: { success: true } },
        { asked: 'GET /v1/:key/settlements/:id', status: 200, body: { settlements: [{ state: 'succeeded' }] } },
      ])
    },
    LONG,
  )
})

/** A server that has no program of its own: it runs the commands with the header of each payment. */
async function openShopOfCommands(filled: Sale) {
  const commands = programs.find(({ name }) => name === 'curl')?.text(filled) ?? ''
  const { asset, domain } = networks[filled.network]
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
