import type { Caller } from '../../accounts/caller'
import { type Counted, readQuota } from '../../accounts/metering'
import type { App } from '../../app'
import { API_HEADERS } from '../../http/errors'
import { displayAddress } from '../../x402/addresses'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { ChannelPayload, ChannelRequest, VoucherPayload } from '../../x402/schemes/batch-settlement/requests'
import { failed, type PaymentAnswer } from '../present'
import type { Verified } from '../verify'
import { admitChannel } from './admission'
import { verifyVoucher } from './verify'

/** The payer of the channel that a request is about; empty where it is about several, or none. */
export function payerOfChannel({ payload }: ChannelRequest): string {
  return 'channel' in payload ? displayAddress(payload.channel.payer) : ''
}

const isVoucher = (request: ChannelRequest): request is ChannelRequest<VoucherPayload> => hasVoucher(request.payload)

const hasVoucher = (payload: ChannelPayload): payload is VoucherPayload => payload.type === 'voucher' || payload.type === 'refund'

/** The verdict of verify on a request about channels: vouchers and refunds are judged, other payloads are of no type that it knows. */
export async function verifyChannel(
  app: App,
  caller: Caller,
  request: ChannelRequest,
  counting: (counted: Counted) => void,
): Promise<Verified> {
  if (request.payload.type === 'enriched refund') {
    const { type: _, amount, ...vouched } = request.payload
    return verifyVoucher(app, caller, { ...request, payload: { ...vouched, type: 'refund', amount } }, counting)
  }
  if (isVoucher(request)) return verifyVoucher(app, caller, request, counting)
  admitChannel(app, caller, request)
  const quota = await readQuota(app, { caller, network: request.network, meter: 'verification' })
  return { verdict: { isValid: false, ...WRONG_TYPE }, payer: '', quota }
}

const WRONG_TYPE: Failure = failure('invalid_batch_settlement_evm_payload_type')

/** The answer of settle to a payload that it does not act on. */
export function unsettled(request: ChannelRequest): PaymentAnswer {
  return {
    body: {
      ...failed(WRONG_TYPE.reason, WRONG_TYPE.message, ''),
      network: request.spelling,
      payer: payerOfChannel(request),
    },
    headers: { ...API_HEADERS },
    settled: true,
    failed: WRONG_TYPE,
  }
}
