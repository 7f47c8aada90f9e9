import { base58 } from '@scure/base'
import type { Caller } from '../../accounts/caller'
import { type App, unixNow } from '../../app'
import { isEvmNetwork } from '../../x402/networks/networks'
import { parseRequest } from '../../x402/parse'
import { isClaimStep, type Payment, type SvmPayment } from '../../x402/payment'
import { voucherMessage } from '../../x402/schemes/upto/svm/voucher'
import { findUptoChannel } from './queries'

type Asker = Pick<Caller, 'tenantId' | 'key'>

/** Whether deposits by `upto` on Solana are taken for a caller: it is on, and the caller has a key, so that charges can be signed for it here. */
export function servesUptoSvm({ config, svmAuthorizers }: Pick<App, 'config' | 'svmAuthorizers'>, caller: Asker): boolean {
  return config.svm.upto && svmAuthorizers.newest(caller) !== null
}

/**
 * The payment as it is read here: where the scheme is off, only a claim is one of it, because its payer's money may be in a channel. Any
 * other one is of a scheme that is not known.
 */
export function asOffered({ config }: Pick<App, 'config'>, payment: Payment): Payment {
  const { transfer } = payment
  if (config.svm.upto || transfer.kind !== 'svm-upto' || transfer.type === 'claim') return payment
  return { ...payment, transfer: { kind: 'other', payload: null } }
}

/** A request as it is read here. Throws as `parseRequest` does. */
export function requestIn(app: Pick<App, 'config'>, body: unknown): ReturnType<typeof parseRequest> {
  const parsed = parseRequest(body)
  return 'payment' in parsed ? { payment: asOffered(app, parsed.payment) } : parsed
}

/**
 * A payment of `upto` on Solana with what the service knows of it; unchanged where the scheme is not served to the caller. A claim of a
 * deposit that was taken here always is: its payer's money is in the channel also when the scheme was switched off.
 */
export async function withUptoService(app: App, caller: Asker, payment: Payment): Promise<Payment> {
  const { transfer, network } = payment
  if (transfer.kind !== 'svm-upto' || caller.key === null || isEvmNetwork(network)) return payment
  const channel = isClaimStep(payment) ? await findUptoChannel(app.db, network, transfer.channelId, caller.tenantId) : null
  if (!channel && !servesUptoSvm(app, caller)) return payment
  const isOurs = app.svmAuthorizers.at(caller, transfer.authorizer) !== null
  return { ...payment, transfer: { ...transfer, served: { now: unixNow(app), isOurs, channel } } }
}

/** A claim whose rules hold, with the voucher for its charge: over the terms of the deposit alone. */
export function withVoucher({ svmAuthorizers }: Pick<App, 'svmAuthorizers'>, caller: Asker, payment: SvmPayment): SvmPayment {
  const { transfer, charge = 0n } = payment
  const channel = transfer.kind === 'svm-upto' && isClaimStep(payment) ? transfer.served?.channel : null
  if (transfer.kind !== 'svm-upto' || !channel || charge === 0n) return payment
  const signer = svmAuthorizers.at(caller, channel.authorizer)
  if (!signer) throw new Error('a claim without an authorizer keeps no rules')
  const message = voucherMessage({ channelId: channel.id, amount: charge, expiresAt: channel.expiresAt })
  return { ...payment, transfer: { ...transfer, voucher: base58.encode(signer.sign(message)) } }
}

/**
 * Whether a payment claims what its caller's deposit put into a channel here. The deposit took the unit of both steps, and a charge must not
 * be lost for a spent quota. One that names no such channel, or fails, costs what any other payment does.
 */
export function isOfOwnDeposit(payment: Payment): boolean {
  const { transfer } = payment
  return isClaimStep(payment) && transfer.kind === 'svm-upto' && Boolean(transfer.served?.channel)
}
