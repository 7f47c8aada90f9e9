import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hostileTokenAbi } from '../../devnet/abi'
import { exactProxyAddress } from '../../devnet/networks'
import { frontRunPermit2, proxyCall } from '../../test/support/chain/front-run'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { PAY_TO, signed, v2Body } from '../../test/support/payloads/payments'
import { createPermit2Forge, type Permit2Forge, type Permit2Payment } from '../../test/support/permit2/permit2'
import { serveNoTokens, serveToken } from '../../test/support/permit2/tokens'
import { post } from '../../test/support/service/client'
import { until } from '../../test/support/until'

// Blocks come only when a test makes them, so that it can say what is in them.
const { harness, node } = proxiedHarness({ env: { SETTLE_DEADLINE_MS: '60000', RECHECK_MS: '300' } })
let forge: Permit2Forge
let mining: NodeJS.Timeout | undefined
beforeAll(async () => {
  forge = createPermit2Forge(harness.chain)
  serveToken(await forge.usual())
  await harness.chain.client.setIntervalMining({ interval: 0 })
  await harness.chain.client.setAutomine(false)
})
beforeEach(() => resume())
afterAll(() => {
  pause()
  serveNoTokens()
})

function resume(): void {
  mining ??= setInterval(() => void harness.chain.mine(1).catch(() => {}), 150)
}

function pause(): void {
  clearInterval(mining)
  mining = undefined
}

type Answer = { status: number; body: Record<string, unknown> }
const settle = ({ body }: Pick<Permit2Payment, 'body'>): Promise<Answer> => post(harness.app, 'settle', body)
const slotsOf = ({ payer }: Permit2Payment) =>
  harness.app.db.slot.findMany({
    where: { members: { some: { settlement: { payer: payer.toLowerCase() } } } },
    include: { attempts: true },
  })
const received = (token: Hex) => harness.chain.tokens(PAY_TO, token)
const inState = (state: 'PREPARED' | 'CLAIMED') => harness.app.db.settlement.count({ where: { state } })

/** Claims these while another payment is being sent: they share the next transaction, once `send` is called. */
async function claimed(payments: readonly Pick<Permit2Payment, 'body'>[]) {
  const first = await signed(await harness.payer())
  // A send that never gets an answer would hold the lane for four seconds only.
  const full = { error: { code: -32000, message: 'txpool is full' } }
  node.disturb(({ method }) => (method === 'eth_sendRawTransaction' ? full : undefined))
  const ahead = post(harness.app, 'settle', v2Body(first))
  await until(async () => (await inState('PREPARED')) === 1, 'the first to be signed')
  const answers = payments.map((payment) => settle(payment))
  await until(async () => (await inState('CLAIMED')) === payments.length, 'the claims')
  return { answers, ahead, send: () => node.disturb(() => undefined) }
}

/** The receipt of the answered transaction has reverted or not, and which payments it carried. */
async function sentFor(answer: Answer) {
  const hash = String(answer.body.transaction) as Hex
  const [{ status }, { input }] = await Promise.all([
    harness.chain.client.getTransactionReceipt({ hash }),
    harness.chain.client.getTransaction({ hash }),
  ])
  return { status, input }
}
const nonceOf = ({ body }: Permit2Payment) =>
  BigInt(Object(body.paymentPayload).payload.permit2Authorization.nonce).toString(16).padStart(64, '0')

const ELSEWHERE = (hash: Hex) =>
  `The authorization was used by transaction ${hash}, which was not sent for this request. It paid this payTo this amount.`

describe('a stranger who submits the same payment through the proxy first', () => {
  test('while ours is on its way is named, with what the transaction paid', async () => {
    const stolen = await forge.paying()
    pause()
    const answer = settle(stolen)
    await until(async () => (await slotsOf(stolen))[0]?.attempts[0]?.sentAt != null, 'ours to be sent')
    const other = await frontRunPermit2(harness.chain, stolen.body)
    resume()
    expect((await answer).body).toMatchObject({
      success: false,
      errorReason: 'authorization_used_elsewhere',
      errorMessage: ELSEWHERE(other),
    })
    expect(await harness.chain.tokens(stolen.payer, stolen.token)).toBe(999_000n)
  })

  test('between claim and signing costs us no gas, and is named too', async () => {
    const [stolen, honest] = [await forge.paying(), await forge.paying()]
    const { answers, ahead, send } = await claimed([stolen, honest])
    const other = await frontRunPermit2(harness.chain, stolen.body)
    await harness.chain.client.waitForTransactionReceipt({ hash: other })
    send()
    expect(await ahead).toMatchObject({ body: { success: true } })
    const [answer, paid] = await Promise.all(answers)
    expect(paid?.body).toMatchObject({ success: true })
    expect(answer?.body).toMatchObject({
      success: false,
      errorReason: 'permit2_invalid_nonce',
      errorMessage: ELSEWHERE(other),
    })
    expect(await slotsOf(stolen)).toEqual([])
  })

  test('before the claim leaves nothing to settle', async () => {
    const stolen = await forge.paying()
    await harness.chain.client.waitForTransactionReceipt({ hash: await frontRunPermit2(harness.chain, stolen.body) })
    expect((await settle(stolen)).body).toMatchObject({ success: false, errorReason: 'permit2_invalid_nonce' })
    expect(
      await harness.app.db.settlement.count({ where: { payer: stolen.payer.toLowerCase(), state: { not: 'REJECTED' } } }),
    ).toBe(0)
  })
})

test('two equal payments at once settle in different transactions, and each is answered with its own', async () => {
  const twin = await forge.paying()
  const twins = [twin, await forge.paying({ token: twin.token, owner: twin.owner })]
  const { answers, send } = await claimed(twins)
  send()
  const both = await Promise.all(answers)
  expect(both.map(({ body }) => body.success)).toEqual([true, true])
  expect(new Set(both.map(({ body }) => body.transaction)).size).toBe(2)
  for (const [at, answer] of both.entries()) {
    const { input } = await sentFor(answer)
    expect(twins.map((one) => input.includes(nonceOf(one)))).toEqual([at === 0, at === 1])
  }
  expect(await harness.chain.tokens(twin.payer, twin.token)).toBe(998_000n)
})

describe('a token that lies', () => {
  test('fails its own payments, each after one transaction; honest ones of the same batch land', async () => {
    const honest = await Promise.all([forge.paying(), forge.paying(), forge.paying()])
    const modes = ['silent', 'takesFee', 'logsMore', 'revertsWherePaid'] as const
    const hostile: Permit2Payment[] = []
    for (const mode of modes) {
      const token = await forge.lying(mode)
      serveToken(token)
      hostile.push(await forge.paying({ token }))
    }
    const before = await received(honest[0]?.token ?? '0x')
    const { answers, send } = await claimed([...honest, ...hostile])
    send()
    const said = (await Promise.all(answers)).map(({ body }) => (body.success ? 'settled' : body.errorReason))
    const mismatch = 'invalid_exact_evm_transfer_event_mismatch'
    expect(said).toEqual([...honest.map(() => 'settled'), mismatch, mismatch, mismatch, 'invalid_exact_evm_transaction_failed'])
    expect((await received(honest[0]?.token ?? '0x')) - before).toBe(3_000n)
    for (const payment of hostile) {
      const receipts = await Promise.all(
        (await slotsOf(payment)).flatMap(({ attempts }) =>
          attempts.map(({ hash }) => harness.chain.client.getTransactionReceipt({ hash: hash as Hex })),
        ),
      )
      expect(receipts.filter(({ status }) => status === 'reverted').length).toBeLessThanOrEqual(1)
    }
  })

  test('and re-enters the proxy with another payment moves only its own; the other one settles later', async () => {
    const other = await forge.paying()
    const token = await forge.token('hostile')
    const reenter = { functionName: 'reenter', args: [exactProxyAddress, proxyCall(other.body)] } as const
    await harness.chain.send(token, encodeFunctionData({ abi: hostileTokenAbi, ...reenter }))
    serveToken(token)
    const first = await forge.paying({ token })
    expect((await settle(first)).body).toMatchObject({ success: true })
    expect(await harness.chain.tokens(first.payer, token)).toBe(999_000n)
    expect(await harness.chain.tokens(other.payer, other.token)).toBe(1_000_000n)
    expect((await settle(other)).body).toMatchObject({ success: true })
    expect(await harness.chain.tokens(other.payer, other.token)).toBe(999_000n)
  })
})
