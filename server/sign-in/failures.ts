import { scrub } from '../log'

/** Why a sign-in failed, for the log: at which provider, the error as it named it (`access_denied`) and its own description. */
export type SignInFailure = { provider?: string; reason?: string; description?: string }

// A run of letters and digits of a length that codes, tokens and verifiers have, and names of errors have not.
const SECRET = /(?=[\w~+/=.-]*\d)[\w~+/=.-]{20,}/g

/** What next-auth tells of a failure, without anything of the form of a URL, a code or a token: the provider, or a stranger, chose the words. */
export function signInFailure(told: unknown): SignInFailure {
  const { error = told, error_description: description, providerId: provider } = fieldsOf(told)
  const { message: reason = error } = fieldsOf(error)
  return { ...clean('provider', provider), ...clean('reason', reason), ...clean('description', description) }
}

const clean = (name: keyof SignInFailure, text: unknown): SignInFailure =>
  typeof text === 'string' && text !== '' ? { [name]: shortened(text) } : {}

// Cut when it is clean: what was cut before, half a code, has the form of none.
const shortened = (text: string): string => scrub(text.slice(0, READ_MAX)).replace(SECRET, '<secret>').slice(0, TEXT_MAX)

const READ_MAX = 1_000
const TEXT_MAX = 300

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(FIELDS.flatMap((name) => (name in value ? [[name, Reflect.get(value, name)]] : [])))

const FIELDS = ['error', 'error_description', 'providerId', 'message'] as const
