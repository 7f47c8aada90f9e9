import { scrub } from '../log'

/** Why a sign-in failed, for the log: the provider, its error code (`access_denied`) and its description. */
type SignInFailure = { provider?: string; reason?: string; description?: string }

// Runs of letters and digits as long as codes, tokens and verifiers; names of errors are shorter.
const SECRET = /(?=[\w~+/=.-]*\d)[\w~+/=.-]{20,}/g

/** The fields of a next-auth failure without URLs, codes and tokens: the provider, or an attacker, chose the text. */
export function signInFailure(reported: unknown): SignInFailure {
  const { error = reported, error_description: description, providerId: provider } = fieldsOf(reported)
  const { message: reason = error } = fieldsOf(error)
  return { ...clean('provider', provider), ...clean('reason', reason), ...clean('description', description) }
}

const clean = (name: keyof SignInFailure, text: unknown): SignInFailure =>
  typeof text === 'string' && text !== '' ? { [name]: shortened(text) } : {}

// Cut after cleaning: half a code would not be recognised.
const shortened = (text: string): string => scrub(text.slice(0, READ_MAX)).replace(SECRET, '<secret>').slice(0, TEXT_MAX)

const READ_MAX = 1_000
const TEXT_MAX = 300

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(FIELDS.flatMap((name) => (name in value ? [[name, Reflect.get(value, name)]] : [])))

const FIELDS = ['error', 'error_description', 'providerId', 'message'] as const
