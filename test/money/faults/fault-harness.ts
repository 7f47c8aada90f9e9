import type { Authorization } from '../../../devnet/authorization'
import { type AnsweredPayment, isSuccess } from '../../support/chain/settled-once'
import type { Call } from '../../support/nodes/faulty-node'
import { type ProxiedHarness, startProxiedHarness } from '../../support/nodes/proxied-harness'
import { type SignedPayment, signed, v2Body } from '../../support/payloads/payments'
import { newPermit2Payer, signedByPermit2 } from '../../support/permit2/permit2'
import { freshIp, post } from '../../support/service/client'
import type { Harness } from '../../support/service/harness'
import { until } from '../../support/until'

/** Starts a service with several lanes and short timeouts, behind proxied nodes that a test can disturb. */
export function startFaultHarness({
  lanes = 2,
  env,
  ...options
}: Parameters<typeof startProxiedHarness>[0] = {}): Promise<ProxiedHarness> {
  const scaled = { SETTLE_DEADLINE_MS: '4000', RECHECK_MS: '500', LEASE_MS: '3000' }
  return startProxiedHarness({ lanes, env: { ...scaled, ...env }, ...options })
}

export const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction'
export const isReceipt = ({ method }: Call) => method === 'eth_getTransactionReceipt'

/** A function that returns true on every nth call, starting with the first. */
export function everyNth(n: number): () => boolean {
  let calls = 0
  return () => calls++ % n === 0
}

/** A function that returns true for this share of calls. Pseudo-random, because a regular pattern may align with polling. */
export function nowAndThen(share: number): () => boolean {
  let seed = 7
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647 < share
  }
}

const BALANCE = 1_000_000n

/** Payments of new payers with enough USDC. */
export function newPayments(harness: Harness, count: number, terms: Partial<Authorization> = {}): Promise<SignedPayment[]> {
  return Promise.all(Array.from({ length: count }, async () => signed(await harness.payer(BALANCE), terms)))
}

/** Payments by Permit2 of new payers with enough USDC. */
export function newPermit2Payments({ chain }: Harness, count: number): Promise<SignedPayment[]> {
  return Promise.all(Array.from({ length: count }, async () => signedByPermit2(chain, await newPermit2Payer(chain, BALANCE))))
}

/** Sends each payment once, all at the same time, each from its own IP address. */
export function settleOnce(harness: Harness, payments: readonly SignedPayment[]): Promise<AnsweredPayment[]> {
  return Promise.all(
    payments.map(async (payment) => ({
      payment,
      balance: BALANCE,
      answers: [await post(harness.app, 'settle', v2Body(payment))],
    })),
  )
}

/** Retries each refused payment until its outcome is known; a refusal means that we signed nothing. */
export function settleRefused(harness: Harness, run: readonly AnsweredPayment[]): Promise<AnsweredPayment[]> {
  return Promise.all(
    run.map(async (sent) => {
      if (sent.answers.every(({ status }) => status === 200)) return sent
      const later = await settleUntilAnswered(harness, [sent.payment])
      return { ...sent, answers: [...sent.answers, ...later.flatMap(({ answers }) => answers)] }
    }),
  )
}

/** Sends all payments at the same time, and retries each until its outcome is known. */
export function settleUntilAnswered(harness: Harness, payments: readonly SignedPayment[]): Promise<AnsweredPayment[]> {
  return Promise.all(
    payments.map(async (payment) => {
      const ip = freshIp()
      const answers: AnsweredPayment['answers'] = []
      const ask = async () => {
        const answer = await post(harness.app, 'settle', v2Body(payment), { ip })
        answers.push(answer)
        // A retry joins a pending payment and resends a refused one. A conflict means that its outcome was answered before.
        return (
          isSuccess(answer) ||
          answer.status === 409 ||
          (answer.status === 200 && answer.body.errorReason !== 'settlement_pending')
        )
      }
      await until(ask, 'an outcome', 60_000, 300)
      return { payment, balance: BALANCE, answers }
    }),
  )
}
