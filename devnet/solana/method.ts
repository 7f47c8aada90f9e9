import { base58 } from '@scure/base'
import { z } from 'zod'
import { commitments } from './blocks'
import type { Node } from './node'
import { invalidParams } from './rpc-error'

/** Answers a call with the result, or throws an `RpcError`. */
export type Method = (params: unknown, node: Node) => unknown

/** A method whose list of parameters the schema checks. */
export function method<T>(schema: z.ZodType<T>, answer: (params: T, node: Node) => unknown): Method {
  return (params, node) => {
    const read = schema.safeParse(Array.isArray(params) ? withoutEnd(params) : (params ?? []))
    if (read.success) return answer(read.data, node)
    const [issue] = read.error.issues
    throw invalidParams(`Invalid params: ${issue?.path.join('.')} ${issue?.message}`)
  }
}

export const address = z.string().refine((text) => bytesIn(text) === 32, 'must be 32 bytes in base58')
export const signature = z.string().refine((text) => bytesIn(text) === 64, 'must be 64 bytes in base58')
/** Real nodes have the same default. */
export const commitment = z.enum(commitments).default('finalized')
export const whole = z.int().nonnegative()
/** In decimal digits, because a JSON number is too short. */
export const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 64n, 'must fit 64 bits')

/** The optional last parameter of most methods. */
export const onlyCommitment = z.object({ commitment }).prefault({})

const encodings = {
  base58: (text: string) => base58.decode(text),
  base64: (text: string) => new Uint8Array(Buffer.from(text, 'base64')),
} as const satisfies Record<string, (text: string) => Uint8Array>
export type Encoding = keyof typeof encodings

/** The bytes of an encoded text. Throws -32602 for a text in another encoding. */
export function decoded(text: string, encoding: Encoding): Uint8Array {
  try {
    return encodings[encoding](text)
  } catch (cause) {
    throw invalidParams(`invalid ${encoding} encoding: ${cause instanceof Error ? cause.message : cause}`)
  }
}

// Clients write null for a missing last parameter.
function withoutEnd(params: unknown[]): unknown[] {
  return params.slice(0, params.findLastIndex((param) => param !== null) + 1)
}

function bytesIn(text: string): number {
  try {
    return base58.decode(text).length
  } catch {
    return 0
  }
}
