const DIGITS = 32

/**
 * The nonce of sign-in messages of one browser: hex digits derived from the CSRF token of its cookie, which they do not reveal. Pages and
 * the server compute the same one.
 */
export async function nonceOf(csrfToken: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`quittance sign-in ${csrfToken}`))
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, DIGITS)
}
