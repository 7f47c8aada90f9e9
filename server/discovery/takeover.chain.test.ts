import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { onBase } from '../../test/support/payloads/bodies'
import { requirements, signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newAddress } from '../../test/support/service/purchases'
import { type Endpoint, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(() =>
  startHarness({ production: true, base: true, env: { KYT: 'off', DISCOVERY_ALLOW_PRIVATE_HOSTS: '1' } }),
)

const NETWORKS = {
  testnet: { id: 'eip155:84532', chainId: 84532, asked: {} },
  mainnet: { id: 'eip155:8453', chainId: 8453, asked: onBase },
} as const
type Environment = keyof typeof NETWORKS

/** A key that costs nothing: a wallet's own, whose payments go to that wallet. */
async function walletKey() {
  const wallet = privateKeyToAccount(generatePrivateKey()).address
  const owner = { kind: 'wallet', id: wallet.toLowerCase() } as const
  return { payTo: wallet, ...(await newMerchant(harness.app, { owner, plan: 'free', payToAllow: [owner.id] })) }
}

async function settle(
  endpoint: Endpoint,
  environment: Environment,
  url: string,
  payTo: Address,
  description = 'Mine',
  toolName: string | null = null,
): Promise<void> {
  const { chainId, asked } = NETWORKS[environment]
  const payer = privateKeyToAccount(generatePrivateKey())
  await (environment === 'mainnet' ? harness.base() : harness.chain).mint(payer.address, 1_000n)
  const { paymentPayload, ...body } = v2Body(await signed(payer, { to: payTo }, chainId), { requirements: { ...asked, payTo } })
  const resource = { url, description }
  const input = toolName === null ? { type: 'http', method: 'GET' } : { type: 'mcp', toolName }
  const extensions = { bazaar: { info: { input }, schema: {} } }
  const answer = await endpoint.settle({ ...body, paymentPayload: { ...Object(paymentPayload), resource, extensions } })
  expect(answer.body).toMatchObject({ success: true })
  await until(async () => (await harness.app.db.outbox.count({ where: { doneAt: null } })) === 0, 'the outbox')
}

/** The listing, to the byte. */
const listed = async (url: string) =>
  JSON.stringify(await harness.app.db.resource.findMany({ where: { url }, include: { accepts: true } }), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
const payToOf = async (url: string) => {
  const [row] = await harness.app.db.resource.findMany({ where: { url }, include: { accepts: true } })
  return [row?.description, row?.proven, row?.accepts.map(({ payTo }) => payTo)]
}

/** A merchant's server whose 402 has these payTos; resolves with the URL of its resource. */
async function originOf(environment: Environment, ...payTos: Address[]) {
  const accepts = payTos.map((payTo) => requirements({ network: NETWORKS[environment].id, payTo }))
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/paid`, asked }
}

describe('a key that costs nothing', () => {
  test.each([
    ['of the sandbox', 'testnet', async () => newClient(harness.app)],
    ['of a plan, in Test', 'testnet', async () => (await newMerchant(harness.app)).v1],
    ['of a plan, in Live', 'mainnet', async () => (await newMerchant(harness.app)).v1],
    ['of another free key', 'mainnet', async () => (await newMerchant(harness.app, { plan: 'free' })).v1],
  ] as const)('changes no byte of a listing %s', async (_whose, environment, holder) => {
    const [payTo, attacker] = [newAddress(), await walletKey()]
    const { url, asked } = await originOf(environment, payTo)
    await settle(await holder(), environment, url, payTo)
    await harness.app.db.resource.updateMany({ where: { url }, data: { lastSeen: new Date(Date.now() - 2 * 86_400_000) } })
    const before = await listed(url)
    await settle(attacker.v1, environment, url, attacker.payTo, 'Send your money here')
    expect(asked).toEqual(['/paid'])
    expect(await listed(url)).toBe(before)
  })

  test('gets the listing that another free key holds once the origin answers with its payTo, and keeps it', async () => {
    const [attacker, merchant] = [await walletKey(), await walletKey()]
    const { url } = await originOf('mainnet', merchant.payTo)
    await settle(attacker.v1, 'mainnet', url, attacker.payTo)
    await settle(merchant.v1, 'mainnet', url, merchant.payTo, 'The real one')
    const own = ['The real one', true, [merchant.payTo.toLowerCase()]]
    expect(await payToOf(url)).toEqual(own)
    const paid = await newMerchant(harness.app)
    await settle(paid.v1, 'mainnet', url, newAddress(), 'A plan without proof')
    expect(await payToOf(url)).toEqual(own)
  })

  test('gets nothing by a payTo that the origin shares with the holder', async () => {
    const [payTo, other] = [newAddress(), newAddress()]
    const { url, asked } = await originOf('mainnet', payTo, other)
    await settle((await newMerchant(harness.app, { plan: 'free' })).v1, 'mainnet', url, payTo)
    const before = await listed(url)
    for (const claimed of [payTo, other]) {
      await settle((await newMerchant(harness.app, { plan: 'free' })).v1, 'mainnet', url, claimed, 'Not mine')
    }
    expect([await listed(url), asked.length]).toEqual([before, 2])
  })
})

test('a tool of another owner is listed beside a page once the origin pays its payTo, also if it pays that of the page', async () => {
  const [payTo, partner, stranger] = [newAddress(), newAddress(), newAddress()]
  const { url } = await originOf('mainnet', payTo, partner)
  const settling = async (to: Address, toolName: string | null) =>
    settle((await newMerchant(harness.app)).v1, 'mainnet', url, to, 'A tool', toolName)
  await settling(payTo, null)
  const page = await listed(url)
  await settling(stranger, 'evil')
  await settling(partner, 'weather')
  expect(await harness.app.db.resource.count({ where: { url: `${url}#evil` } })).toBe(0)
  expect(await payToOf(`${url}#weather`)).toEqual(['A tool', true, [partner.toLowerCase()]])
  expect(await listed(url)).toBe(page)
})

test('of two plans the first keeps a listing, unless the origin proves the other', async () => {
  const [first, second] = [newAddress(), newAddress()]
  const settling = async (url: string, payTo: Address) => settle((await newMerchant(harness.app)).v1, 'mainnet', url, payTo)
  const { url: mine } = await originOf('mainnet', first)
  for (const payTo of [first, second]) await settling(mine, payTo)
  expect(await payToOf(mine)).toEqual(['Mine', false, [first.toLowerCase()]])
  const { url: theirs } = await originOf('mainnet', second)
  for (const payTo of [first, second]) await settling(theirs, payTo)
  expect(await payToOf(theirs)).toEqual(['Mine', true, [second.toLowerCase()]])
})

test('an origin is asked ten times an hour for one key', async () => {
  const [payTo, attacker] = [newAddress(), await walletKey()]
  const { url, asked } = await originOf('testnet', payTo)
  await settle((await newMerchant(harness.app)).v1, 'testnet', url, payTo)
  const { db } = harness.app
  await db.tally.updateMany({ where: { subject: attacker.subject, kind: 'origin' }, data: { count: 9 } })
  await settle(attacker.v1, 'testnet', url, attacker.payTo)
  await db.tally.updateMany({ where: { subject: attacker.subject, kind: 'origin' }, data: { count: 9 } })
  await settle(attacker.v1, 'testnet', url, attacker.payTo)
  await settle(attacker.v1, 'testnet', url, attacker.payTo)
  expect(asked).toHaveLength(2)
})

describe('a second key of the same merchant', () => {
  const ownerOf = async (url: string) => (await harness.app.db.resource.findFirst({ where: { url } }))?.owner

  test.each([
    ['of the same plan', 'growth', 'growth'],
    ['that costs nothing, beside a plan', 'growth', 'free'],
  ] as const)('%s renews the listing of the first, and lists a tool beside it', async (_, plan, second) => {
    const owner = { kind: 'oidc', id: `merchant-${newAddress()}` } as const
    const keys = [
      await newMerchant(harness.app, { owner, plan }),
      await newMerchant(harness.app, { owner, plan: second }),
    ] as const
    const payTos = [newAddress(), newAddress()] as const
    const { url, asked } = await originOf('mainnet', newAddress())
    await settle(keys[0].v1, 'mainnet', url, payTos[0], 'Mine')
    await settle(keys[1].v1, 'mainnet', url, payTos[1], 'Mine too')
    await settle(keys[1].v1, 'mainnet', url, payTos[1], 'A tool', 'weather')
    expect(await payToOf(url)).toEqual(['Mine too', false, [payTos[1].toLowerCase()]])
    const first = `tenant:${keys[0].tenantId}`
    expect([await ownerOf(url), await ownerOf(`${url}#weather`)]).toEqual([first, first])
    expect(asked).toEqual([])
  })

  test.each([
    ['was revoked', { revokedAt: new Date(0) }],
    ['costs nothing now', { plan: 'free' }],
  ])('of no plan does not renew the listing of a key that %s', async (_, change) => {
    const owner = { kind: 'oidc', id: `merchant-${newAddress()}` } as const
    const [free, paid] = [await newMerchant(harness.app, { owner, plan: 'free' }), await newMerchant(harness.app, { owner })]
    const { url } = await originOf('mainnet', newAddress())
    await settle(paid.v1, 'mainnet', url, newAddress(), 'On a plan')
    await harness.app.db.tenant.update({ where: { id: paid.tenantId }, data: change })
    await settle(free.v1, 'mainnet', url, newAddress(), 'Free')
    expect((await payToOf(url))[0]).toBe('On a plan')
  })

  test('on a plan takes over what a key that costs nothing listed', async () => {
    const owner = { kind: 'oidc', id: `merchant-${newAddress()}` } as const
    const [free, paid] = [await newMerchant(harness.app, { owner, plan: 'free' }), await newMerchant(harness.app, { owner })]
    const { url } = await originOf('mainnet', newAddress())
    await settle(free.v1, 'mainnet', url, newAddress())
    await settle(paid.v1, 'mainnet', url, newAddress(), 'On a plan')
    await settle(free.v1, 'mainnet', url, newAddress(), 'Free again')
    expect(await ownerOf(url)).toBe(`tenant:${paid.tenantId}`)
    expect((await payToOf(url))[0]).toBe('Free again')
  })
})
