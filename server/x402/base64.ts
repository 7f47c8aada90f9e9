import { malformed } from './json'

const STANDARD = /^[A-Za-z0-9+/]+={0,2}$/

/** Decodes base64 (standard or url-safe alphabet, padded or not) of UTF-8 text. Throws `bad_request` for anything else. */
export function decodeBase64(text: string, what: string): string {
  const standard = text.trim().replaceAll('-', '+').replaceAll('_', '/')
  const body = standard.replace(/=+$/, '')
  if (!STANDARD.test(standard) || body.length % 4 === 1) throw malformed(`${what} is not base64`)
  try {
    const bytes = Uint8Array.from(atob(body), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw malformed(`${what} is not base64 of UTF-8 text`, cause)
  }
}

/** The bytes of base64 in the standard alphabet, padded or not, as official decoders take it. Null for anything else. */
export function standardBase64(text: string): Uint8Array | null {
  const body = text.replace(/={1,2}$/, '')
  return STANDARD.test(text) && body.length % 4 !== 1 ? Buffer.from(body, 'base64') : null
}
