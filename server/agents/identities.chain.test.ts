import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type StandInRegistry, startAgentRegistry } from '../../test/support/service/agent-registry'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newPurchase } from '../../test/support/service/purchases'
import { type Endpoint, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { agentsOf } from './identities'

let registry: StandInRegistry
let harness: Harness
beforeAll(async () => {
  registry = await startAgentRegistry()
  harness = await startHarness({
    production: true,
    env: { AGENT_REGISTRY_URL: registry.url, AGENT_REGISTRY_WEB_URL: 'https://8004.test' },
  })
})
afterEach(() => registry.misbehave(null))
afterAll(async () => {
  await harness.close()
  await registry.close()
})

const lower = (wallet: string) => wallet.toLowerCase()
const lookupOf = (payer: string) => harness.app.db.agentLookup.findUnique({ where: { wallet: lower(payer) } })
const askedOf = (payer: string) =>
  registry.asked.filter(({ owner }) => lower(owner) === lower(payer)).map(({ network }) => network)

/** A payment that succeeded; its payer. */
async function settled(endpoint: Endpoint = newClient(harness.app)): Promise<string> {
  const { body, payer } = await newPurchase(harness)
  expect((await endpoint.settle(body)).body).toMatchObject({ success: true })
  return payer
}

describe('the agents of a payer', () => {
  test('are looked up after a settlement on every network of the address, and read with one query', async () => {
    const [known, other] = [await newPurchase(harness), await settled()]
    registry.mint(known.payer, 'base', { token_id: '42', name: 'Weather Bot', url: 'https://agents.test/42' })
    registry.mint(known.payer, 'base-sepolia', { token_id: '7', name: null })
    await newClient(harness.app).settle(known.body)
    await until(
      async () => (await lookupOf(known.payer)) !== null && (await lookupOf(other)) !== null,
      'the registry to get a request',
    )
    expect(await agentsOf(harness.app, [lower(known.payer), lower(other), ''])).toEqual(
      new Map([
        [
          lower(known.payer),
          [
            { token_id: '42', name: 'Weather Bot', url: 'https://agents.test/42' },
            { token_id: '7', name: null, url: 'https://8004.test/agents/base-sepolia/7' },
          ],
        ],
      ]),
    )
    expect(askedOf(known.payer).sort()).toEqual(['base', 'base-sepolia'])
  })

  test("are replaced by the registry's response a day later", async () => {
    const { payer, body } = await newPurchase(harness)
    const wallet = lower(payer)
    await harness.app.db.agentLookup.create({ data: { wallet, askedAt: new Date(Date.now() - 90_000_000) } })
    await harness.app.db.agentToken.create({ data: { network: 'base', tokenId: 'sold', wallet, url: 'https://x.test' } })
    registry.mint(payer, 'base', { token_id: 'bought' })
    await newClient(harness.app).settle(body)
    await until(
      async () => Date.now() - ((await lookupOf(payer))?.askedAt.getTime() ?? 0) < 60_000,
      'the registry to get another request',
    )
    expect((await agentsOf(harness.app, [wallet])).get(wallet)?.map(({ token_id }) => token_id)).toEqual(['bought'])
  })

  test('are not looked up if history is off', async () => {
    const quiet = await newMerchant(harness.app, { historyEnabled: false })
    const payer = await settled(quiet.v1)
    const later = await settled()
    await until(async () => (await lookupOf(later)) !== null, 'the lookup of a later payer')
    expect([askedOf(payer), await lookupOf(payer)]).toEqual([[], null])
  })
})

describe('a registry that does not answer', () => {
  test('delays no settlement, and gets another request when it is back', async () => {
    registry.misbehave('black hole')
    const merchant = await newMerchant(harness.app)
    // Settled before any response: no settlement waits for the registry.
    const payer = await settled(merchant.v1)
    await until(() => askedOf(payer).length > 0, 'the registry to get a request')
    expect(await lookupOf(payer)).toBeNull()
    expect(await settled(merchant.v1)).not.toBe(payer)
    const catalog = await harness.app.db.outbox.count({ where: { kind: 'catalog', doneAt: null } })
    expect(catalog).toBe(0)
    registry.misbehave(null)
    await until(async () => (await lookupOf(payer)) !== null, 'the registry to get another request', 30_000)
  })

  test('leaves the stored agents unchanged', async () => {
    const { payer, body } = await newPurchase(harness)
    const wallet = lower(payer)
    await harness.app.db.agentToken.create({
      data: { network: 'base', tokenId: `kept-${wallet}`, wallet, url: 'https://x.test' },
    })
    registry.misbehave('status 500')
    await newClient(harness.app).settle(body)
    await until(() => askedOf(payer).length > 0, 'the registry to get a request')
    expect((await agentsOf(harness.app, [wallet])).get(wallet)).toHaveLength(1)
  })
})

test('without a registry nothing is requested, stored or shown', async () => {
  const without = await startHarness()
  onTestFinished(() => without.close())
  const { body, payer } = await newPurchase(without)
  await newClient(without.app).settle(body)
  expect(await without.app.db.outbox.count()).toBe(0)
  const wallet = lower(payer)
  await without.app.db.agentToken.create({ data: { network: 'base', tokenId: '1', wallet, url: 'https://x.test' } })
  expect(await agentsOf(without.app, [wallet])).toEqual(new Map())
})
