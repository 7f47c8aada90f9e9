import { type Hex, parseAbi, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import { exactProxyAddress, permit2Address } from '../../../devnet/networks'
import type { Permit2Message } from '../../../devnet/permit2'
import type { SignedPayment } from '../payloads/payments'
import type { Harness } from '../service/harness'
import { until } from '../until'

/** An answer to a settle request of any prefix. */
type Answer = { status: number; body: unknown }

/** A payment, its payer's balance before it, and every answer to its requests. */
export type AnsweredPayment = { payment: SignedPayment; balance: bigint; answers: Answer[] }

/** The final state of a payment in the ledger. */
export type Ending = { state: string; success: boolean; reason: string | null; txHash: string; slots: number; reverts: number }

const OPEN = ['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED']
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/**
 * Expects that nothing stays open, money moved at most once, and no lane has a nonce gap. Each payment has at most one success answer, and
 * one history row that agrees with the chain. Resolves with each payment's ending, in order.
 */
export async function expectSettledOnce(harness: Harness, run: readonly AnsweredPayment[], withinMs = 60_000): Promise<Ending[]> {
  const { db } = harness.app
  await until(
    async () => (await db.settlement.count({ where: { state: { in: OPEN } } })) === 0,
    'every settlement to end',
    withinMs,
  )
  await until(async () => (await db.slot.count({ where: { state: 'open' } })) === 0, 'every nonce to be used', withinMs)
  await expectNoGaps(harness)
  return Promise.all(run.map((payment) => expectConsistent(harness, payment)))
}

/** Each lane used its nonces without a gap, on the chain and in the ledger. */
async function expectNoGaps({ app, chain }: Harness): Promise<void> {
  for (const lane of await app.db.lane.findMany({ include: { slots: { orderBy: { nonce: 'asc' } } } })) {
    const count = await chain.client.getTransactionCount({ address: asHex(lane.address) })
    expect(lane.slots.map(({ nonce }) => nonce)).toEqual(lane.slots.map((_, at) => BigInt(at)))
    expect([BigInt(count), BigInt(lane.slots.length)]).toEqual([lane.nextNonce, lane.nextNonce])
  }
}

async function expectConsistent(harness: Harness, { payment, balance, answers }: AnsweredPayment): Promise<Ending> {
  const { authorization } = payment
  const where = { payer: authorization.from.toLowerCase() }
  const settlements = await harness.app.db.settlement.findMany({
    where: { ...where, state: { not: 'REJECTED' } },
    include: { members: { include: { slot: { include: { attempts: true } } } } },
  })
  const history = await harness.app.db.history.findMany({ where })
  const [settlement] = settlements
  const [row] = history
  if (!settlement || !row) throw new Error(`a payment of ${authorization.from} has no settlement or no history row`)
  expect([settlements.length, history.length]).toEqual([1, 1])

  const attempts = settlement.members.flatMap(({ slot }) => slot.attempts)
  const transfers = await transfersOf(harness, payment)
  const ours = transfers.filter((hash) => attempts.some((attempt) => attempt.hash === hash))
  expect(ours).toEqual(row.success ? [row.txHash] : [])
  expect(transfers.length).toBeLessThanOrEqual(1)
  expect(await harness.chain.tokens(authorization.from)).toBe(balance - BigInt(transfers.length) * authorization.value)
  expect(attempts.map(({ hash }) => hash)).toContain(row.txHash)

  const costs = { slots: settlement.members.length, reverts: attempts.filter(({ succeeded }) => succeeded === false).length }
  const successes = answers.filter(isSuccess)
  expect(successes.length).toBeLessThanOrEqual(1)
  // A success answer that did not hold has a corrected history row.
  if (successes.length > 0 && !row.success) expect(row.errorReason).toBe('settlement_reversed')
  expectNoBareFailure(answers)
  return { state: settlement.state, success: row.success, reason: row.errorReason, txHash: row.txHash, ...costs }
}

/** A 200 without success always names its transaction, which may still land; refusals are allowed. */
function expectNoBareFailure(answers: readonly Answer[]): void {
  const failures = answers.filter((answer) => answer.status === 200 && !isSuccess(answer))
  for (const { body } of failures) expect(body).toMatchObject({ transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  for (const { status } of answers) expect([200, 409, 502, 503]).toContain(status)
}

/** The transactions on the canonical chain that made this exact transfer. */
async function transfersOf({ chain }: Harness, { authorization, permit2 }: SignedPayment): Promise<Hex[]> {
  const { from, to, value, nonce } = authorization
  if (permit2) return permit2TransfersOf(chain, authorization, permit2)
  const range = { address: chain.usdc, fromBlock: 0n } as const
  const used = await chain.client.getLogs({ ...range, event: USED, args: { authorizer: from, nonce } })
  const moved = await chain.client.getLogs({ ...range, event: TRANSFER, args: { from, to } })
  const found = used.filter((use) =>
    moved.some(
      (move) => move.transactionHash === use.transactionHash && move.logIndex === use.logIndex + 1 && move.args.value === value,
    ),
  )
  return found.map(({ transactionHash }) => transactionHash)
}

/** The transactions that made a transfer by Permit2: its nonce is used, and this Transfer comes right before the proxy's event. */
async function permit2TransfersOf({ client, usdc }: Harness['chain'], { from, to, value }: Terms, { nonce }: Permit2Message) {
  const range = { fromBlock: 0n } as const
  const args = [from, nonce >> 8n] as const
  const word = await client.readContract({ address: permit2Address, abi: bitmapAbi, functionName: 'nonceBitmap', args })
  if (((word >> (nonce & 255n)) & 1n) === 0n) return []
  const settled = await client.getLogs({ ...range, address: exactProxyAddress })
  const moved = await client.getLogs({ ...range, address: usdc, event: TRANSFER, args: { from, to } })
  const found = settled.filter(({ transactionHash, logIndex }) =>
    moved.some((move) => move.transactionHash === transactionHash && move.logIndex === logIndex - 1 && move.args.value === value),
  )
  const inputs = await Promise.all(found.map(({ transactionHash }) => client.getTransaction({ hash: transactionHash })))
  return inputs.filter(({ input }) => input.includes(nonce.toString(16).padStart(64, '0'))).map(({ hash }) => hash)
}

type Terms = Pick<SignedPayment['authorization'], 'from' | 'to' | 'value'>
const bitmapAbi = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])

/** Whether an answer is a success. */
export function isSuccess({ status, body }: Answer): boolean {
  return status === 200 && typeof body === 'object' && body !== null && 'success' in body && body.success === true
}

function asHex(address: string): Hex {
  return `0x${address.slice(2)}`
}
