import { z } from 'zod'

const keySet = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })),
})
const head = z.object({ alg: z.literal('ES256'), kid: z.string() })
const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** The claims of a receipt and its key, once a published key of this service proved its signature. Throws what is wrong otherwise. */
export async function verifyReceipt(receipt: string): Promise<{ kid: string; claims: Record<string, unknown> }> {
  const [header = '', claims = '', signature = ''] = receipt.split('.')
  const { kid } = head.parse(read(header))
  const answer = await fetch('/.well-known/jwks.json')
  const key = keySet.parse(await answer.json()).keys.find((one) => one.kid === kid)
  if (!key) throw new Error(`The service publishes no key "${kid}".`)
  const publicKey = await crypto.subtle.importKey('jwk', { kty: key.kty, crv: key.crv, x: key.x, y: key.y }, ES256, false, [
    'verify',
  ])
  const holds = await crypto.subtle.verify(ES256, publicKey, bytes(signature), new TextEncoder().encode(`${header}.${claims}`))
  if (!holds) throw new Error('Signature not valid: the receipt was changed.')
  return { kid, claims: z.record(z.string(), z.unknown()).parse(read(claims)) }
}

/** The JSON of a part of a receipt. Throws if it is none. */
export const read = (part: string): unknown => JSON.parse(new TextDecoder().decode(bytes(part)))

function bytes(part: string): Uint8Array<ArrayBuffer> {
  const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
