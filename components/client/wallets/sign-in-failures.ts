import { sentence } from '../errors'

// By the error code of next-auth.
const MESSAGES: Record<string, string> = {
  Callback:
    'Your identity provider denied access, or you cancelled. Try again, or ask its administrator for access to this service.',
  OAuthCallback:
    'The sign-in did not complete: it expired, was opened twice, or the identity provider sent an invalid response. Try again. If it fails again, tell the operator of this service; the log says why.',
  OAuthSignin:
    'Your identity provider is unreachable. Try again in a minute. If it fails again, tell the operator of this service.',
  AccessDenied: 'That account has no access. Use another account, or ask the operator of this service.',
  Configuration: 'Sign-in is not configured correctly. Tell the operator of this service; the log says what is missing.',
  TooMany: 'Too many attempts from your network. Wait a few seconds, then try again.',
  Unavailable: 'The service cannot reach its database. Your session is unchanged. Try again in a minute.',
  SessionRequired: 'Sign in to see that page.',
}

const OTHER = 'Sign-in failed. Try again. If it fails again, tell the operator of this service.'

/** The message for an error code in the URL; null without one. */
export function failureOf(code: string | null): string | null {
  if (code === null || code === '') return null
  return Object.hasOwn(MESSAGES, code) ? (MESSAGES[code] ?? OTHER) : OTHER
}

/** The message for a failed sign-in: next-auth sends a code, we send a sentence. */
export function messageOf(error: string | null | undefined): string {
  if (!error) return OTHER
  return Object.hasOwn(MESSAGES, error) || !error.includes(' ') ? (failureOf(error) ?? OTHER) : sentence(error)
}
