import fc from 'fast-check'
import { damaged, torn } from './damage'

type Json = Record<string, unknown>

/** A damaged variant of a verify or settle body, with its payload as an object or as base64. */
export function strangeBody(body: Json): fc.Arbitrary<string> {
  const { paymentPayload, paymentRequirements, ...rest } = body
  const base64 = fc
    .tuple(damaged(Object(paymentPayload)), fc.constantFrom(...NOISE), fc.constantFrom('paymentPayload', 'paymentHeader'))
    .map(([payload, noise, name]) =>
      JSON.stringify({ ...rest, [name]: noise(Buffer.from(payload).toString('base64')), paymentRequirements }),
    )
  return fc.oneof(
    { weight: 6, arbitrary: damaged(body) },
    { weight: 2, arbitrary: base64 },
    { weight: 1, arbitrary: torn(JSON.stringify(body)) },
  )
}

const NOISE: ((base64: string) => string)[] = [
  (base64) => base64,
  (base64) => base64,
  (base64) => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  (base64) => ` ${base64}\n`,
  (base64) => `${base64}=`,
  (base64) => base64.slice(0, -3),
  (base64) => `${base64.slice(0, 8)}!${base64.slice(8)}`,
  (base64) => Buffer.from(base64).toString('base64'),
]
