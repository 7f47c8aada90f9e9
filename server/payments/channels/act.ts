import type { Caller } from '../../accounts/caller'
import { type Counted, readQuota } from '../../accounts/metering'
import type { App } from '../../app'
import { displayAddress } from '../../x402/addresses'
import type { ChannelPayload, ChannelRequest, VoucherPayload } from '../../x402/schemes/batch-settlement/requests'
import type { Verified } from '../verify'
import { admitChannel } from './admission'
import { WRONG_TYPE } from './settle'
import { verifyVoucher } from './verify'

/** The payer of the channel that a request is about; empty where it is about several, or none. */
export function payerOfChannel({ payload }: ChannelRequest): string {
  return 'channel' in payload ? displayAddress(payload.channel.payer) : ''
}

/** Whether verify judges a request: a voucher, or the refund that a payer asks for. */
export const isVoucher = (request: ChannelRequest): request is ChannelRequest<VoucherPayload> => hasVoucher(request.payload)

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
