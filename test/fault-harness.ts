import type { Authorization } from '../devnet/authorization'
import { freshIp, post } from './client'
import { type Harness, type SignedPayment, signed, until, v2Body } from './harness'
import { type ProxiedHarness, startProxiedHarness } from './proxied-harness'
import type { Call } from './rpc-proxy'
import { type AnsweredPayment, isSuccess } from './settled-once'

/** Starts a service behind nodes that a test may disturb, with several lanes and everything that waits scaled down. */
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

/** True for every nth call of it, beginning with the first. */
export function everyNth(n: number): () => boolean {
  let calls = 0
  return () => calls++ % n === 0
}

/** True for about this share of calls of it, at random but in every run alike: what is regular may fall into step with what polls. */
export function nowAndThen(share: number): () => boolean {
  let seed = 7
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647 < share
  }
}

const BALANCE = 1_000_000n

/** Payments of new payers who hold enough. */
export function newPayments(harness: Harness, count: number, terms: Partial<Authorization> = {}): Promise<SignedPayment[]> {
  return Promise.all(Array.from({ length: count }, async () => signed(await harness.payer(BALANCE), terms)))
}

/** Sends these payments at once, each by its own caller, and takes the first answer. */
export function settleOnce(harness: Harness, payments: readonly SignedPayment[]): Promise<AnsweredPayment[]> {
  return Promise.all(
    payments.map(async (payment) => ({
      payment,
      balance: BALANCE,
      answers: [await post(harness.app, 'settle', v2Body(payment))],
    })),
  )
}

/** Sends what was refused, so that nothing of it is signed, again until its outcome is known; the others stay as they are. */
export function settleRefused(harness: Harness, run: readonly AnsweredPayment[]): Promise<AnsweredPayment[]> {
  return Promise.all(
    run.map(async (told) => {
      if (told.answers.every(({ status }) => status === 200)) return told
      const later = await settleUntilAnswered(harness, [told.payment])
      return { ...told, answers: [...told.answers, ...later.flatMap(({ answers }) => answers)] }
    }),
  )
}

/** Sends these payments at once, and each again as its caller should: until its outcome is known. */
export function settleUntilAnswered(harness: Harness, payments: readonly SignedPayment[]): Promise<AnsweredPayment[]> {
  return Promise.all(
    payments.map(async (payment) => {
      const ip = freshIp()
      const answers: AnsweredPayment['answers'] = []
      const ask = async () => {
        const answer = await post(harness.app, 'settle', v2Body(payment), { ip })
        answers.push(answer)
        // A pending one is joined, what was refused is sent again; a conflict says that it was told.
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
