import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness, until } from '../../test/harness'
import { createPermit2Forge, type Permit2Forge } from '../../test/permit2'
import { newClient } from '../../test/surface'
import { addNetwork, type EvmAsset, networkRow } from '../x402/networks'

const NETWORK = 'eip155:84532'
const original = networkRow(NETWORK)
let harness: Harness
let forge: Permit2Forge
beforeAll(async () => {
  harness = await startHarness()
  forge = createPermit2Forge(harness.chain)
  await serve(await forge.usual())
})
afterAll(async () => {
  addNetwork(original)
  await harness.close()
})

/** Adds a token to those that the network settles. */
async function serve(address: string): Promise<void> {
  const token: EvmAsset = {
    ...{ address: `0x${address.slice(2).toLowerCase()}`, symbol: 'TUSD', decimals: 6 },
    ...{ domain: { name: 'Test Dollar', version: '1' }, method: 'permit2', permits: true },
  }
  const { assets, ...row } = networkRow(NETWORK)
  const [first, ...others] = assets
  addNetwork({ ...row, assets: [first, ...others, token] })
}

const client = () => newClient(harness.app)

describe('a payment by Permit2', () => {
  test('is settled, and the money moves once', async () => {
    const { body, payer, token } = await forge.paying()
    const caller = client()
    expect((await caller.verify(body)).body).toEqual({ isValid: true, payer })
    expect(await caller.settle(body)).toMatchObject({ status: 200, body: { success: true, amount: '1000' } })
    expect(await harness.chain.tokens(payer as `0x${string}`, token)).toBe(999_000n)
    expect((await caller.settle(body)).status).toBe(409)
    expect(await harness.chain.tokens(payer as `0x${string}`, token)).toBe(999_000n)
  })

  test('with a permit needs no approval before', async () => {
    const { body, payer, token } = await forge.paying({ approved: false, extensions: forge.permitting() })
    expect((await client().settle(body)).body).toMatchObject({ success: true })
    expect(await harness.chain.tokens(payer, token)).toBe(999_000n)
  })

  test('shares a transaction with others, EIP-3009 payments too', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => forge.paying()))
    const answers = await Promise.all(payments.map(({ body }) => client().settle(body)))
    expect(answers.map(({ body }) => Object(body).success)).toEqual(payments.map(() => true))
    const hashes = new Set(answers.map(({ body }) => Object(body).transaction))
    expect(hashes.size).toBeLessThan(8)
    await until(async () => (await harness.app.db.slot.count({ where: { kind: 'batch' } })) > 0, 'a batch')
  })
})
