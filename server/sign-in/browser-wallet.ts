import type { App } from '../app'
import { unauthorized } from '../base/errors'
import { sha256 } from '../base/hash'
import { nonceOf } from './nonce'
import { hasEnded } from './session-queries'

/** A signed message from a browser, and the CSRF token of its cookie. */
type BrowserMessage = { text: string; signature: string; csrfToken: string }

/**
 * The wallet that signs a browser in, and the id of its session. The message must carry the nonce of that browser, and opens one session
 * at most: after its sign-out it opens none. Throws `unauthorized`, and `unavailable` while a smart wallet cannot be checked.
 */
export async function proveBrowserWallet(
  { proveWallet, db }: Pick<App, 'proveWallet' | 'db'>,
  { text, signature, csrfToken }: BrowserMessage,
): Promise<{ wallet: string; sessionId: string }> {
  const wallet = await proveWallet({ text, signature, browserNonce: await nonceOf(csrfToken) })
  const sessionId = sessionIdOf(text)
  if (await hasEnded(db, sessionId)) {
    throw unauthorized('the signed message is not accepted: its session was signed out; sign a new message')
  }
  return { wallet, sessionId }
}

// The same message always has the same session. The marks of version 8 make it a UUID (RFC 9562).
function sessionIdOf(text: string): string {
  const bytes = Buffer.from(sha256(`session of ${text}`)).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
