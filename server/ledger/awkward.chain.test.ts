import { v7 as uuidv7 } from 'uuid'
import { encodeFunctionData, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { frontRun } from '../../test/support/chain/front-run'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { until } from '../../test/support/until'
import { BURNS_KNOWN_MS } from './evm/preflight'

// Blocks come only when a test makes them, so that it can say what is in them.
const { harness, node } = proxiedHarness({ env: { SETTLE_DEADLINE_MS: '60000', RECHECK_MS: '300', LANE_IN_FLIGHT: '1' } })
let mining: NodeJS.Timeout | undefined
beforeAll(async () => {
  await harness.chain.client.setIntervalMining({ interval: 0 })
  await harness.chain.client.setAutomine(false)
})
beforeEach(() => resume())
afterAll(() => pause())

function resume(): void {
  mining ??= setInterval(() => void harness.chain.mine(1).catch(() => {}), 150)
}

function pause(): void {
  clearInterval(mining)
  mining = undefined
}

const newPayment = async (payer?: LocalAccount, terms = {}) => signed(payer ?? (await harness.payer()), terms)
/** A payment of two minutes on the chain's clock. */
async function shortPayment() {
  const { timestamp } = await harness.chain.client.getBlock()
  return newPayment(await harness.payer(), { validBefore: timestamp + 120n })
}
/** Moves the chain's clock past the end of a short payment once it is sent. */
async function outlive(payment: SignedPayment) {
  await until(async () => (await rowOf(payment).catch(() => null))?.state === 'BROADCAST', 'the send')
  await harness.chain.client.increaseTime({ seconds: 120 })
}
const rowOf = ({ authorization: { from } }: SignedPayment) =>
  harness.app.db.settlement.findFirstOrThrow({
    where: { payer: from.toLowerCase() },
    include: { steps: { orderBy: { seq: 'asc' } }, members: { include: { slot: true } } },
  })
const kindsOf = async (payment: SignedPayment) => (await rowOf(payment)).members.map(({ slot }) => slot.kind)

/** These payments in one transaction that a node has and no block takes yet. They queue while a first one waits for its block. */
async function batched(payments: SignedPayment[]) {
  pause()
  const sent = () => harness.app.db.attempt.count({ where: { kind: 'batch', sentAt: { not: null } } })
  const before = await sent()
  const first = await newPayment()
  const ahead = post(harness.app, 'settle', v2Body(first))
  await until(async () => (await rowOf(first).catch(() => null))?.state === 'BROADCAST', 'the first to be sent')
  const answers = payments.map((payment) => post(harness.app, 'settle', v2Body(payment)))
  await until(
    async () => (await harness.app.db.settlement.count({ where: { state: 'CLAIMED' } })) === payments.length,
    'the claims',
  )
  await harness.chain.mine(1)
  await until(async () => (await sent()) > before, 'the batch')
  return { answers, ahead }
}

describe('a batch', () => {
  test('with a member that was used elsewhere: it fails, never a success; the others land', async () => {
    const payments = await Promise.all([newPayment(), newPayment(), newPayment()])
    const [stolen, ...others] = payments
    if (!stolen) throw new Error('no payment')
    const { answers } = await batched(payments)
    await frontRun(harness.chain, stolen)
    resume()
    const [failed, ...landed] = await Promise.all(answers)
    expect(failed).toMatchObject({ body: { success: false, errorReason: 'authorization_used_elsewhere' } })
    expect(landed.map(({ body }) => body.success)).toEqual([true, true])
    expect((await rowOf(stolen)).state).toBe('USED_ELSEWHERE')
    for (const other of others) expect(await kindsOf(other)).toEqual(['batch'])
    const history = await harness.app.db.history.findMany({ where: { payer: stolen.authorization.from.toLowerCase() } })
    expect(history).toMatchObject([{ success: false, errorReason: 'authorization_used_elsewhere' }])
  })

  test('with a member whose payer has no money for a moment: it is sent again, alone, and lands', async () => {
    const payer = await harness.payer(1_000n)
    const payments = await Promise.all([newPayment(payer), newPayment(), newPayment()])
    const [poor] = payments
    if (!poor) throw new Error('no payment')
    const { answers } = await batched(payments)
    const away = privateKeyToAccount(generatePrivateKey())
    await harness.chain.client.setBalance({ address: payer.address, value: 10n ** 18n })
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [away.address, 1_000n] })
    const fees = { gas: 100_000n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerGas: 10n ** 10n }
    await harness.chain.client.sendTransaction({
      account: payer,
      chain: harness.chain.client.chain,
      nonce: 0,
      to: harness.chain.usdc,
      data,
      ...fees,
    })
    await harness.chain.mine(1)
    await harness.chain.client.setBalance({ address: away.address, value: 10n ** 18n })
    const back = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [payer.address, 1_000n] })
    await harness.chain.client.sendTransaction({
      account: away,
      chain: harness.chain.client.chain,
      nonce: 0,
      to: harness.chain.usdc,
      data: back,
      ...fees,
    })
    resume()
    expect((await Promise.all(answers)).map(({ body }) => body.success)).toEqual([true, true, true])
    expect(await kindsOf(poor)).toEqual(['batch', 'pay'])
    const { returns, steps } = await rowOf(poor)
    expect([
      returns,
      steps
        .map(({ to }) => to)
        .filter((to) => to !== 'BROADCAST')
        .slice(0, 5),
    ]).toEqual([1, ['CLAIMED', 'PREPARED', 'CLAIMED', 'PREPARED', 'INCLUDED']])
    expect(await harness.chain.tokens(payer.address)).toBe(0n)
  })

  test("with few members, burnt by a payer's new code: that one fails, and each of the others is paid alone", async () => {
    const bomber = await harness.payer()
    const payments = await Promise.all([newPayment(bomber), newPayment(), newPayment()])
    const { answers } = await batched(payments)
    // Code that only loops: JUMPDEST PUSH1 0 JUMP.
    await harness.chain.client.setCode({ address: bomber.address, bytecode: '0x5b600056' })
    resume()
    const [bombed, ...others] = await Promise.all(answers)
    expect(bombed?.body.success).toBe(false)
    expect(others.map(({ body }) => body.success)).toEqual([true, true])
    expect(await Promise.all(payments.slice(1).map(kindsOf))).toEqual([
      ['batch', 'pay'],
      ['batch', 'pay'],
    ])
  })

  test('after a burn caps the gas of each payment at any size: the others are paid by the same transaction', async () => {
    const bomber = await harness.payer()
    const payments = await Promise.all([newPayment(bomber), newPayment(), newPayment()])
    await harness.app.db.payerFailure.create({
      data: {
        network: 'eip155:84532',
        payer: 'burnt before',
        tenantId: uuidv7(),
        party: 'x',
        settlementId: uuidv7(),
        kind: 'burned',
      },
    })
    // A lane may remember for this long that there were none.
    await new Promise((resolve) => setTimeout(resolve, BURNS_KNOWN_MS))
    const { answers } = await batched(payments)
    await harness.chain.client.setCode({ address: bomber.address, bytecode: '0x5b600056' })
    resume()
    const [bombed, ...others] = await Promise.all(answers)
    expect([bombed, ...others].map((answer) => answer?.body.success)).toEqual([false, true, true])
    expect(await Promise.all(payments.slice(1).map(kindsOf))).toEqual([['batch'], ['batch']])
  })
})

describe('a transaction that no block takes', () => {
  test('because the base fee ran away is replaced by the same payment at higher fees, in the same slot', async () => {
    pause()
    const payment = await newPayment()
    const answer = post(harness.app, 'settle', v2Body(payment))
    const its = { slot: { members: { some: { settlement: { payer: payment.authorization.from.toLowerCase() } } } } }
    await until(async () => (await harness.app.db.attempt.count({ where: { ...its, sentAt: { not: null } } })) > 0, 'the send')
    const [sent] = await harness.app.db.attempt.findMany({ where: its, orderBy: { maxFeePerGas: 'desc' } })
    await harness.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (sent?.maxFeePerGas ?? 0n) * 20n })
    resume()
    expect(await answer).toMatchObject({ body: { success: true } })
    const attempts = await harness.app.db.attempt.findMany({
      where: { slotId: sent?.slotId ?? '' },
      orderBy: { maxFeePerGas: 'asc' },
    })
    expect(attempts.length).toBeGreaterThan(1)
    for (const [at, { maxFeePerGas, tipPerGas, kind }] of attempts.entries()) {
      const earlier = attempts[at - 1]
      expect(kind).toBe('pay')
      if (earlier) expect(maxFeePerGas * 8n >= earlier.maxFeePerGas * 9n && tipPerGas * 8n >= earlier.tipPerGas * 9n).toBe(true)
    }
    expect(attempts.filter(({ block }) => block !== null)).toHaveLength(1)
  })

  test('until its authorization ends gives its nonce to a no-op, so that later payments go on', async () => {
    const before = await harness.app.db.attempt.count({ where: { kind: 'noop', block: { not: null } } })
    const payment = await shortPayment()
    const drainBody = { result: `0x${'11'.repeat(32)}` }
    // Every transfer is lost; only a no-op gets through.
    node.disturb(({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return undefined
      return String(params[0]).length > 400 ? drainBody : undefined
    })
    const answer = post(harness.app, 'settle', v2Body(payment))
    await outlive(payment)
    await until(async () => (await rowOf(payment)).state === 'EXPIRED', 'its end')
    await until(async () => (await harness.app.db.slot.count({ where: { state: 'open' } })) === 0, 'its nonce to be used')
    node.disturb(() => undefined)
    expect(await harness.app.db.attempt.count({ where: { kind: 'noop', block: { not: null } } })).toBe(before + 1)
    expect((await answer).body.success).toBe(false)
    expect(await post(harness.app, 'settle', v2Body(await newPayment()))).toMatchObject({ body: { success: true } })
  })

  test('and a no-op that the node refuses as already mined is recorded as mined, with what it cost', async () => {
    const before = await harness.app.db.attempt.count({ where: { kind: 'noop', block: { not: null } } })
    const payment = await shortPayment()
    let open = () => {}
    const gate = new Promise<undefined>((resolve) => {
      open = () => resolve(undefined)
    })
    let expired = false
    let noops = 0
    // The no-op gets through once the payment has expired. From then until its second send, no head is returned: the refusal comes before
    // the receipt.
    node.disturb(({ method, params }) => {
      if (method === 'eth_getBlockByNumber' && noops > 0) return gate
      if (method !== 'eth_sendRawTransaction') return undefined
      if (!expired || String(params[0]).length > 400) return { result: `0x${'11'.repeat(32)}` }
      noops += 1
      if (noops === 2) setTimeout(open, 500)
      return undefined
    })
    const answer = post(harness.app, 'settle', v2Body(payment))
    await outlive(payment)
    await until(async () => (await rowOf(payment)).state === 'EXPIRED', 'its end')
    expired = true
    await until(async () => noops > 1, 'the no-op to be sent again')
    await until(async () => (await harness.app.db.slot.count({ where: { state: 'open' } })) === 0, 'its nonce to be used')
    expect(await harness.app.db.attempt.count({ where: { kind: 'noop', block: { not: null } } })).toBe(before + 1)
    expect((await answer).body.success).toBe(false)
  })
})

test('no nonce of the lane was left out', async () => {
  const slots = await harness.app.db.slot.findMany({ orderBy: { nonce: 'asc' } })
  expect(slots.map(({ nonce }) => nonce)).toEqual(slots.map((_, at) => BigInt(at)))
})
