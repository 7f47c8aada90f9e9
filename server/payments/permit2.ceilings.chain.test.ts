import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPermit2Forge, type Permit2Forge } from '../../test/support/permit2/permit2'
import { agentsOf, SERVICE_PAY_TO, sells } from '../../test/support/service/agents'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'
import { addNetwork, networkRow, resetNetworks } from '../x402/networks/networks'

// Test files share a process. Registered first, so it runs last.
afterAll(resetNetworks)

const BASE = 'eip155:8453'
/** A hundred times the most of one. */
const CEILING = 10n ** 18n

let harness: Harness
let forge: Permit2Forge
beforeAll(async () => {
  const env = {
    ...sells,
    PURCHASE_NETWORKS: 'base-sepolia',
    KYT: 'off',
    SPONSORED_APPROVAL_MAX: '0.01',
    SETTLE_DEADLINE_MS: '5000',
  }
  harness = await startHarness({ production: true, base: true, env })
  forge = createPermit2Forge(harness.base())
  // It falls from block to block: from here on the tip is all that counts.
  await harness.base().client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n })
  await harness.base().client.mine({ blocks: 1 })
})
afterAll(() => harness.close())

/** The fees that we would offer on Base now, so many times. */
async function fees(times: bigint) {
  const { baseFeePerGas } = await harness.base().client.getBlock()
  return { maxFeePerGas: times * (2n * (baseFeePerGas ?? 0n) + 1_000_000n), maxPriorityFeePerGas: 1_000_000n }
}

/** A payment on Base, where coins have a price, whose payer has no ether and offers this for its approval. */
const approving = async (times: bigint, offered?: Awaited<ReturnType<typeof fees>>) =>
  forge.paying({
    token: harness.base().usdc,
    approved: false,
    extensions: forge.approving({ fees: offered ?? (await fees(times)) }),
  })

/** The ether that was committed for payers on Base. */
async function committed(): Promise<bigint[]> {
  const funded = await harness.app.db.attempt.findMany({
    where: { slot: { kind: 'fund', lane: { network: BASE } } },
    select: { raw: true, hash: true },
  })
  return Promise.all(
    funded.map(async ({ hash }) => (await harness.base().client.getTransaction({ hash: `0x${hash.slice(2)}` })).value),
  )
}

test("on a mainnet an approval's fee is at most twice ours: its payer keeps the rest", async () => {
  const merchant = await newMerchant(harness.app)
  const verdict = async (times: bigint) => Object((await merchant.v1.verify((await approving(times)).body)).body)
  expect(await verdict(1n)).toMatchObject({ isValid: true })
  expect(await verdict(5n)).toMatchObject({
    isValid: false,
    invalidReason: 'erc20_approval_tx_failed',
    invalidMessage: expect.stringContaining('now at most'),
  })
})

test('the price of its bytes on the L1 counts in what an approval may cost', async () => {
  const { client } = harness.base()
  const oracle = '0x420000000000000000000000000000000000000f'
  const price = 10n ** 16n
  onTestFinished(() => client.setCode({ address: oracle, bytecode: '0x' }))
  await client.setCode({ address: oracle, bytecode: `0x7f${price.toString(16).padStart(64, '0')}60005260206000f3` })
  const merchant = await newMerchant(harness.app)
  expect(await merchant.v1.settle((await approving(1n)).body)).toMatchObject({ status: 503 })
  expect(await committed()).toEqual([])
})

test('a network has its own figure, and none is sent on one of another coin without it', async () => {
  const row = networkRow(BASE)
  onTestFinished(() => void addNetwork(row))
  const merchant = await newMerchant(harness.app)
  const verdict = async () => Object((await merchant.v1.verify((await approving(1n)).body)).body).invalidReason
  addNetwork({ ...row, coin: { symbol: 'BTC', decimals: 18 } })
  expect(await verdict()).toBe('permit2_allowance_required')
  addNetwork({ ...row, coin: { symbol: 'BTC', decimals: 18 }, sponsoredApprovalMax: '0.000000000001' })
  expect(await verdict()).toBe('erc20_approval_tx_failed')
  addNetwork({ ...row, coin: { symbol: 'BTC', decimals: 18 }, sponsoredApprovalMax: '0.01' })
  expect(await verdict()).toBeUndefined()
})

test('all approvals of a day together stay below one ceiling, though five tenants each have their own budget', async () => {
  const { gasSpend } = harness.app.db
  const offered = await fees(1n)
  const payments = await Promise.all(
    Array.from({ length: 5 }, async () => ({ merchant: await newMerchant(harness.app), ...(await approving(1n, offered)) })),
  )
  const each = 70_000n * offered.maxFeePerGas
  const day = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
  const left = 3n * each
  await gasSpend.create({ data: { day, budget: 'approvals', network: BASE, spent: String(CEILING - left) } })
  const answers = await Promise.all(payments.map(({ merchant, body }) => merchant.v1.settle(body)))
  // Each costs its ether and the gas of sending it, so two have room. The others wait for the ceiling in vain, or are refused at once.
  const paid = answers.filter(({ body }) => Object(body).success === true)
  expect(paid).toHaveLength(2)
  for (const { status } of answers) expect([200, 429, 503]).toContain(status)
  const spent = (await committed()).reduce((sum, value) => sum + value, 0n)
  expect(spent).toBeLessThanOrEqual(left)
  const row = await gasSpend.findFirstOrThrow({ where: { budget: 'approvals', network: BASE } })
  expect(BigInt(row.spent.toFixed(0))).toBeLessThanOrEqual(CEILING)

  await gasSpend.updateMany({ where: { budget: 'approvals', network: BASE }, data: { spent: String(CEILING) } })
  const late = await (await newMerchant(harness.app)).v1.settle((await approving(1n)).body)
  expect([late.status, Object(late.body)]).toMatchObject([
    429,
    { errorReason: 'gas_budget_exceeded', error: expect.stringContaining("for payers' approvals on Base is spent") },
  ])
})

test('a purchase of credits gets none: its payer approves Permit2 itself', async () => {
  const { chain, app } = harness
  const sandbox = createPermit2Forge(chain)
  const buy = async (approved: boolean) => {
    const { body } = await sandbox.paying({
      approved,
      token: chain.usdc,
      signed: { to: SERVICE_PAY_TO, amount: 100_000n },
      requirements: { payTo: SERVICE_PAY_TO, amount: '100000' },
      ...(approved ? {} : { extensions: sandbox.approving() }),
    })
    const payload = Buffer.from(JSON.stringify(body.paymentPayload)).toString('base64')
    return agentsOf(app).buy({ 'payment-signature': payload })
  }
  expect((await buy(true)).status).toBe(200)
  expect(await buy(false)).toMatchObject({ status: 402, body: { error: expect.stringContaining('ermit2') } })
  expect(await app.db.slot.count({ where: { kind: 'fund', lane: { network: 'eip155:84532' } } })).toBe(0)
})
