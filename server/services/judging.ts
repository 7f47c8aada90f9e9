import type { EvmChain } from '../chains/evm/chain'
import { type Judgement, judgeLocally } from '../chains/evm/judgement'
import { brokenForm } from '../x402/exact-evm'
import type { Eip3009Payment, Payment } from '../x402/payment'
import { isEip3009 } from '../x402/payment'
import { type Failure, failure } from '../x402/reasons'
import { type App, unixNow } from './app'

/** A payment that failed its judgement. `proven` says that the payer really signed it. */
export type Failed = Failure & { proven: boolean }

/** What can be said without asking anyone: a failure, or the payment as one worth asking the chain about. */
export function judgeStatically(app: App, payment: Payment): { failed: Failed } | { payment: Eip3009Payment } {
  if (!isEip3009(payment)) return { failed: { proven: false, ...(brokenForm(payment) ?? failure('unsupported_scheme')) } }
  const local = judgeLocally(payment, unixNow(app))
  return local.verdict === 'failed' ? { failed: local } : { payment }
}

/** The judgement against the chain's newest block. Throws `upstream` when no node answers. */
export function judge(app: App, chain: EvmChain, payment: Eip3009Payment): Promise<Judgement> {
  return chain.judge(payment, unixNow(app))
}
