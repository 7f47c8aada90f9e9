import { createHash } from 'node:crypto'

/** The forms of a signed payment, by the one field that each has. */
const FORMS = ['authorization', 'permit2Authorization', 'transaction'] as const

/**
 * One name for a signed payment, however it is written: payer and nonce on EVM, the hash of the signed message on Solana. Null for a form
 * that this package does not know. Throws for a payload of two forms: a facilitator could read the other one.
 */
export function paymentKey(paymentPayload: unknown): string | null {
  const signed = fieldOf(paymentPayload, 'payload')
  const forms = FORMS.filter((form) => fieldOf(signed, form) !== undefined)
  if (forms.length > 1) throw new Error(`the payment has two forms: ${forms.join(' and ')}`)
  const [form] = forms
  if (form === undefined) return null
  const value = fieldOf(signed, form)
  return form === 'transaction' ? solanaKey(value) : evmKey(form, value)
}

/** The same; null for a payload of two forms too. */
export function keyOrNull(paymentPayload: unknown): string | null {
  try {
    return paymentKey(paymentPayload)
  } catch {
    return null
  }
}

function evmKey(form: string, authorization: unknown): string | null {
  const [from, nonce] = [fieldOf(authorization, 'from'), fieldOf(authorization, 'nonce')]
  if (typeof from !== 'string' || typeof nonce !== 'string') return null
  if (!/^0x[0-9a-fA-F]{40}$/.test(from) || !/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(nonce)) return null
  return `${form} ${from.toLowerCase()} ${BigInt(nonce).toString(16)}`
}

const SIGNATURE_BYTES = 64

/** A transaction begins with the number of its signatures and the signatures; the message follows. The fee payer signs later. */
function solanaKey(transaction: unknown): string | null {
  if (typeof transaction !== 'string') return null
  const bytes = Buffer.from(transaction, 'base64')
  const signatures = bytes[0] ?? 0
  const message = bytes.subarray(1 + signatures * SIGNATURE_BYTES)
  if (signatures === 0 || signatures > 127 || message.length === 0) return null
  return `transaction ${createHash('sha256').update(message).digest('hex')}`
}

/** A field of a value that may be no object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
