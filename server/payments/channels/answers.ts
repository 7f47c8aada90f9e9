import type { Caller } from '../../accounts/caller'
import { type Counted, quotaHeaders } from '../../accounts/metering'
import type { App } from '../../app'
import { API_HEADERS } from '../../http/errors'
import { type EvmPayment, isEvmPayment, type Payment } from '../../x402/payment'
import type { ChannelRequest } from '../../x402/schemes/batch-settlement/requests'
import { facilitatorFor } from '../facilitators'
import type { PaymentAnswer } from '../present'
import type { SettleAnswer } from '../settle'
import { admitChannel } from './admission'
import { actAnswer, type DepositPayment, depositBody } from './present'
import { settleChannel } from './settle'
import { keepVoucher } from './verify'

type ActRequest = {
  caller: Caller
  channel: ChannelRequest
  counting: (counted: Counted | null) => void
  hangUp: AbortSignal
}

/** Acts on channels and answers. Throws refusals. */
export async function actOn(app: App, { caller, channel, counting, hangUp }: ActRequest): Promise<PaymentAnswer> {
  const { chain } = admitChannel(app, caller, channel)
  return actAnswer(app, chain, channel, await settleChannel(app, { caller, channel, hangUp, counting }))
}

const isDeposit = (payment: EvmPayment): payment is DepositPayment => 'deposit' in payment.transfer

/** The answer of settle to a deposit that landed; null for anything else. It is no payment to the merchant, so it has no receipt. */
export async function depositAnswer(
  app: App,
  caller: Caller,
  payment: Payment,
  { settled, quota }: SettleAnswer,
): Promise<PaymentAnswer | null> {
  if (settled.end !== 'landed' || !isEvmPayment(payment) || !isDeposit(payment)) return null
  const facilitator = facilitatorFor(app, caller.tier, payment.network)
  if (facilitator.family !== 'evm') return null
  await keepVoucher(app, caller, payment.network, payment.transfer.deposit, payment.price)
  const body = await depositBody(facilitator.chain, payment, settled.transaction)
  const headers = { ...API_HEADERS, ...(quota ? quotaHeaders(quota) : {}), 'x-settlement-id': settled.settlementId }
  return { body, headers, settled: true, failed: null }
}
