import { check } from '../../parse-terms'
import type { Transfer } from '../../payment'
import type { WirePayload } from '../../wire'
import { hex } from '../hex'
import { readPermit } from '../permit2/read'
import { decodeTransaction } from './svm/transaction'
import { wireEip3009, wirePermit2, wireSvm } from './wire'

const isPermit2 = (inner: Record<string, unknown>) => 'permit2Authorization' in inner

/** What a wallet of an EVM network signed. Throws `bad_request` with the field. */
export function readEvm(inner: Record<string, unknown>, extensions: WirePayload['extensions']): Transfer {
  return isPermit2(inner) ? permit2Of(inner, extensions) : eip3009Of(inner)
}

/** What a wallet of Solana signed; null for a Permit2 payment. Throws `bad_request` with the field. */
export function readSvm(inner: Record<string, unknown>): Transfer | null {
  if (isPermit2(inner)) return null
  return { kind: 'svm', transaction: decodeTransaction(check(wireSvm, inner, 'paymentPayload.payload').transaction) }
}

function eip3009Of(inner: Record<string, unknown>): Transfer {
  const { authorization, signature } = check(wireEip3009, inner, 'paymentPayload.payload')
  return {
    kind: 'eip3009',
    writtenFrom: authorization.from,
    signature: hex(signature),
    authorization: {
      ...authorization,
      from: hex(authorization.from),
      to: hex(authorization.to),
      nonce: hex(authorization.nonce),
    },
  }
}

function permit2Of(inner: Record<string, unknown>, extensions: WirePayload['extensions']): Transfer {
  return { kind: 'permit2', ...readPermit(check(wirePermit2, inner, 'paymentPayload.payload'), extensions) }
}
