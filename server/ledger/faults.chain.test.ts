import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  newPayments,
  newPermit2Payments,
  settleOnce,
  settleRefused,
  startFaultHarness,
} from '../../test/money/faults/fault-harness'
import { frontRun } from '../../test/support/chain/front-run'
import { type AnsweredPayment, type Ending, expectSettledOnce, isSuccess } from '../../test/support/chain/settled-once'
import { casesOf } from '../../test/support/long-run'
import type { Call } from '../../test/support/nodes/faulty-node'
import type { ProxiedHarness } from '../../test/support/nodes/proxied-harness'
import { type SignedPayment, signed } from '../../test/support/payloads/payments'
import { newPermit2Payer, signedByPermit2 } from '../../test/support/permit2/permit2'
import { until } from '../../test/support/until'

// Blocks come only when a test makes them or has them made, so that it can say what is in them.
let faulty: ProxiedHarness
let baseFee: bigint | undefined
let mining = false
let maker: Promise<void> | null = null
beforeAll(async () => {
  faulty = await startFaultHarness({ lanes: 3, env: { SETTLE_DEADLINE_MS: '20000', FINALITY_DEPTH: '6', RECHECK_MS: '1000' } })
  await faulty.harness.chain.client.setIntervalMining({ interval: 0 })
  await faulty.harness.chain.client.setAutomine(false)
})
beforeEach(() => resume())
afterEach(() => {
  baseFee = undefined
  faulty.node.calm()
})
afterAll(async () => {
  await pause()
  await faulty.close()
})

function resume(): void {
  mining = true
  maker ??= (async () => {
    while (mining) {
      await block().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    maker = null
  })()
}

/** When it resolves, no block comes any more. */
async function pause(): Promise<void> {
  mining = false
  await maker
}

async function block(): Promise<void> {
  const { chain } = faulty.harness
  if (baseFee !== undefined) await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
  await chain.mine(1)
}

const payersOf = (payments: readonly SignedPayment[]) => payments.map(({ authorization }) => authorization.from.toLowerCase())
const inState = (payments: readonly SignedPayment[], state: string) =>
  faulty.harness.app.db.settlement.count({ where: { payer: { in: payersOf(payments) }, state } })
const attemptsOf = (payments: readonly SignedPayment[]) =>
  faulty.harness.app.db.attempt.findMany({
    where: { slot: { members: { some: { settlement: { payer: { in: payersOf(payments) } } } } } },
  })

/** Sends these payments while no block is made; resolves when a node has them all. */
async function sendAll(payments: readonly SignedPayment[]): Promise<{ answers: Promise<AnsweredPayment[]> }> {
  await pause()
  const answers = settleOnce(faulty.harness, payments)
  await until(async () => (await inState(payments, 'BROADCAST')) === payments.length, 'every send', 20_000)
  return { answers }
}

test('bytes that a node took and lost are sent again, unchanged, within three blocks', async () => {
  const { harness, node } = faulty
  const payments = await newPayments(harness, 6)
  const { answers } = await sendAll(payments)
  const sent = await attemptsOf(payments)
  const raws = new Set(sent.map(({ raw }) => raw))
  const again = new Set<unknown>()
  node.disturb(({ method, params }) => {
    if (method === 'eth_sendRawTransaction') again.add(params[0])
    return undefined
  })
  for (const { hash } of sent) await harness.chain.client.dropTransaction({ hash: asHex(hash) })
  await block()
  expect(await inState(payments, 'BROADCAST')).toBe(6)
  await until(() => [...raws].every((raw) => again.has(raw)), 'the same bytes to be sent again')
  await block()
  await block()
  await until(async () => (await inState(payments, 'BROADCAST')) === 0, 'the payments to land')
  resume()
  const run = await answers
  expect(run.map((one) => one.answers.every(isSuccess))).toEqual(payments.map(() => true))
  expect((await expectSettledOnce(harness, run)).map(({ slots }) => slots)).toEqual(payments.map(() => 1))
})

test('above the highest fee that a network may cost nothing more is signed: 503; what is stuck lands when the fee is back', async () => {
  const { harness } = faulty
  const usual = 6n * 10n ** 9n
  const [stuck, ...others] = await newPayments(harness, 7)
  if (!stuck) throw new Error('no payment')
  await pause()
  baseFee = usual
  await block()
  await block()
  const { answers } = await sendAll([stuck])
  // Above the ceiling of the row, so that no replacement is bought.
  baseFee = 20n * usual
  await block()
  resume()
  const answered: AnsweredPayment[] = []
  for (const other of others) answered.push(...(await settleOnce(harness, [other])))
  expect(answered.flatMap(({ answers }) => answers.map(({ status }) => status))).toEqual(others.map(() => 503))
  expect(await attemptsOf(others)).toEqual([])
  expect(await inState([stuck], 'BROADCAST')).toBe(1)
  baseFee = usual
  await until(async () => (await inState([stuck], 'BROADCAST')) === 0, 'the stuck payment to land', 20_000)
  const later = await settleRefused(harness, answered)
  const endings = await expectSettledOnce(harness, [...later, ...(await answers)])
  expect(endings.every(({ success, slots }) => success && slots === 1)).toBe(true)
})

/** A node's answer about a word of Permit2's nonces. */
const bitmaps = {
  true: undefined,
  'that all are used': `0x${'f'.repeat(64)}`,
  'that none is used': `0x${'0'.repeat(64)}`,
} as const
const isBitmap = ({ method, params }: Call) =>
  method === 'eth_call' && String(Reflect.get(Object(params[0]), 'data')).startsWith('0x4fe02b44')

test.each([
  { name: 'a payment', pay: newPayments, count: 10, lie: 'true' },
  { name: 'a payment by Permit2', pay: newPermit2Payments, count: 6, lie: 'true' },
  { name: 'one whose node says of the nonces of Permit2', pay: newPermit2Payments, count: 4, lie: 'that all are used' },
  { name: 'one whose node says of the nonces of Permit2', pay: newPermit2Payments, count: 4, lie: 'that none is used' },
] as const)(
  '$name ($lie) and that another sender used first fails, for one revert at most; the others land',
  async ({ pay, count, lie }) => {
    const { harness, node } = faulty
    const payments = await pay(harness, count)
    const [stolen, ...others] = payments
    if (!stolen) throw new Error('no payment')
    const { answers } = await sendAll(payments)
    const bitmap = bitmaps[lie]
    if (bitmap) node.disturb((call) => (isBitmap(call) ? { result: bitmap } : undefined))
    await frontRun(harness.chain, stolen)
    resume()
    await until(async () => (await inState(others, 'FINAL')) === others.length, 'the others to be final', 60_000)
    node.calm()
    const [first, ...rest] = await expectSettledOnce(harness, await answers, 60_000)
    // Alone and reverted, with a nonce that seemed unused, it seems unpaid.
    const expected = lie === 'that none is used' ? ['USED_ELSEWHERE', 'UNPAID'] : ['USED_ELSEWHERE']
    expect(expected).toContain(first?.state)
    expect(first?.reverts).toBeLessThanOrEqual(1)
    expect(rest.map(({ success, reverts }: Ending) => [success, reverts])).toEqual(others.map(() => [true, 0]))
  },
)

test('equal payments by Permit2 land in transactions of their own; one that another sender submitted first is not taken for paid', async () => {
  const { harness } = faulty
  const payer = await newPermit2Payer(harness.chain, 4_000n)
  const payments = await Promise.all(Array.from({ length: 3 }, () => signedByPermit2(harness.chain, payer)))
  const [stolen, ...others] = payments
  if (!stolen) throw new Error('no payment')
  await pause()
  const answers = Promise.all(payments.map(async (payment) => (await settleOnce(harness, [payment]))[0]))
  const where = { payer: payer.address.toLowerCase() }
  await until(
    async () => (await harness.app.db.attempt.count({ where: { slot: { members: { some: { settlement: where } } } } })) > 0,
    'a send',
  )
  await frontRun(harness.chain, stolen)
  resume()
  const run = (await answers).flatMap((one) => one?.answers ?? [])
  expect(run.filter(isSuccess)).toHaveLength(others.length)
  const rows = await harness.app.db.history.findMany({ where: { ...where, success: true } })
  expect(new Set(rows.map(({ txHash }) => txHash)).size).toBe(others.length)
  expect(await harness.chain.tokens(payer.address)).toBe(1_000n)
})

// Last: it removes blocks of earlier payments, which the earlier tests count.
describe('a reorganisation that loses answered successes', () => {
  test.each(casesOf([5], [1, 2]))('%i deep: every payment lands again', async (depth) => {
    const { harness } = faulty
    const payments = [...(await newPayments(harness, 3)), ...(await newPermit2Payments(harness, 3))]
    await harness.chain.mine(6)
    const { answers } = await sendAll(payments)
    const run = await landed(answers)
    await harness.chain.mine(depth - 1)
    await harness.chain.reorganise(depth)
    resume()
    const endings = await expectSettledOnce(harness, run)
    expect(endings.map(({ state }) => state)).toEqual(payments.map(() => 'FINAL'))
    for (const { first, again } of await landings(payments)) expect([first, again]).toEqual([1, 1])
  })

  test('with the money of one payer: the others land again, his history row is corrected', async () => {
    const { harness } = faulty
    const payments = await newPayments(harness, 5)
    await harness.chain.mine(6)
    await pause()
    const poor = await signed(await harness.payer())
    const others = await sendAll(payments)
    // In a transaction of its own: a batch would be mined without it, and it could still land until it runs out.
    const alone = await sendAll([poor])
    const run = await landed(Promise.all([others.answers, alone.answers]).then((both) => both.flat()))
    await harness.chain.reorganise(2)
    resume()
    const last = run.at(-1)
    if (last) last.balance = 0n
    const endings = await expectSettledOnce(harness, run, 60_000)
    expect(endings.map(({ state }) => state)).toEqual([...payments.map(() => 'FINAL'), 'REVERSED'])
    expect(endings.at(-1)).toMatchObject({ success: false, reason: 'settlement_reversed' })
  })
})

/** Makes the block with these payments; each is answered as a success. */
async function landed(answers: Promise<AnsweredPayment[]>): Promise<AnsweredPayment[]> {
  await block()
  const run = await answers
  expect(run.map((one) => one.answers.every(isSuccess))).toEqual(run.map(() => true))
  return run
}

/** How often each of these went from in flight to landed, before and after it went back. */
async function landings(payments: readonly SignedPayment[]): Promise<{ first: number; again: number }[]> {
  const rows = await faulty.harness.app.db.settlement.findMany({
    where: { payer: { in: payersOf(payments) } },
    include: { steps: { orderBy: { seq: 'asc' } } },
  })
  return rows.map(({ steps }) => {
    const moves = steps.map(({ from, to }) => `${from} ${to}`)
    const back = moves.indexOf('INCLUDED BROADCAST')
    const count = (some: string[]) => some.filter((move) => move.endsWith(' INCLUDED') && !move.startsWith('INCLUDED')).length
    return { first: count(moves.slice(0, Math.max(back, 0))), again: count(moves.slice(back)) }
  })
}

function asHex(hash: string): Hex {
  return `0x${hash.slice(2)}`
}
