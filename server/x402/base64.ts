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
