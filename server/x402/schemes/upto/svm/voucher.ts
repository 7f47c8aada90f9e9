import { base58 } from '@scure/base'
import { keyBytes, u64 } from './program'

/** The right to take so much of a channel until a time (Unix seconds). */
export type UptoVoucher = { channelId: string; amount: bigint; expiresAt: bigint }

const MAGIC = [0x56, 0x01]

/** The bytes that an authorizer signs. */
export function voucherMessage({ channelId, amount, expiresAt }: UptoVoucher): Uint8Array {
  return Buffer.concat([Uint8Array.from(MAGIC), keyBytes(channelId), u64(amount), u64(expiresAt)])
}

/** The bytes of a signature in base58; null for anything else. */
export function signatureBytes(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return null
  const bytes = base58.decode(text)
  return bytes.length === 64 ? bytes : null
}
