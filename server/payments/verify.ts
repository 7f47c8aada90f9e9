import type { Caller } from '../accounts/caller'
import type { Quota } from '../accounts/metering'
import { type Counted, readQuota, requireUnit, takeForVerdict } from '../accounts/metering'
import type { App } from '../app'
import { claimedPayer, type Payment } from '../x402/payment'
import { type Failure, failure } from '../x402/reasons/reasons'
import type { ChannelState } from '../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../x402/schemes/batch-settlement/hashes'
import { admit } from './admission'
import { findKnown } from './duplicates'
import { recordFailure } from './failures'
import { judgeAndScreen, judgeStatically, type PaymentCheck, requireScreening, type ValidPayment } from './judging'
import { admitPayer } from './unknown-payers'

/** A channel by its id, as the chain has it. */
export type SeenChannel = ChannelState & { id: string }

/** The result of verify, and what is left of the quota; of a voucher and a deposit also its channel. */
export type Verified = {
  verdict: { isValid: true; channel?: SeenChannel } | ({ isValid: false } & Failure)
  payer: string
  quota: Quota | null
}

/**
 * Judges a payment without moving anything. A judgement on chain costs a verification. Throws refusals; those after `counting` was
 * called have the headers of its quota.
 */
export async function verify(
  app: App,
  caller: Caller,
  payment: Payment,
  counting: (counted: Counted) => void,
): Promise<Verified> {
  const payer = claimedPayer(payment)
  const metering = { caller, network: payment.network, meter: 'verification' } as const
  const [known, quota] = await Promise.all([findKnown(app.db, payment), readQuota(app, metering)])
  if (known) return { ...invalid(failure('duplicate_settlement'), quota), payer }

  const facilitator = admit(app, caller, payment)
  const checked = judgeStatically(app, caller, facilitator, payment)
  if ('failed' in checked) return { ...invalid(checked.failed, quota), payer }

  requireScreening(app, caller, checked)
  await admitPayer(app, caller, checked.payment, 'verification')
  requireUnit(app, quota)
  const counted = { metering, quota }
  counting(counted)
  return { payer, ...(await verdictOf(app, counted, checked)) }
}

// A judgement may find the payer.
type Verdict = Omit<Verified, 'payer'> & { payer?: string }

async function verdictOf(app: App, { metering, quota }: Counted, checked: PaymentCheck): Promise<Verdict> {
  const { payment } = checked
  const judged = await judgeAndScreen(app, metering.caller, checked)
  if (!('failed' in judged)) {
    const payer = claimedPayer(judged.payment)
    const left = await takeForVerdict(app, metering, quota)
    return { verdict: { isValid: true, ...channelOf(judged) }, payer, quota: left }
  }
  const recorded = await recordFailure(app, { metering, payment, failed: judged.failed, by: 'chain', quota }, null)
  // It may have been settled since the first read: then we used the authorization ourselves.
  return 'known' in recorded ? invalid(failure('duplicate_settlement'), quota) : invalid(judged.failed, recorded.quota)
}

/** The channel of a deposit before it. */
function channelOf(judged: ValidPayment): { channel?: SeenChannel } {
  if (judged.family !== 'evm' || !judged.judgement.channel || !('deposit' in judged.payment.transfer)) return {}
  const { network, transfer } = judged.payment
  return { channel: { ...judged.judgement.channel, id: channelIdOf(network, transfer.deposit.channel) } }
}

function invalid(failed: Failure, quota: Quota | null): Verdict {
  return { verdict: { isValid: false, ...failed }, quota }
}
