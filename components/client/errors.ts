import { isCallError } from './calls'

const dataOf = (error: unknown) => (isCallError(error) ? error.data : undefined)

/** The HTTP status of a failed call; 0 if no answer came, or for other errors. */
export function statusOf(error: unknown): number {
  return Number(dataOf(error)?.httpStatus ?? 0)
}

/** The tRPC code of a failed call, such as `UNAUTHORIZED`; null if no answer came, or for other errors. */
export function codeOf(error: unknown): string | null {
  const code = dataOf(error)?.code
  return typeof code === 'string' ? code : null
}

/** What is wrong with a field of a form, as a sentence; undefined if the error is about something else. */
export function fieldError(error: unknown, name: string): string | undefined {
  const field = dataOf(error)?.field
  const [first, line] = field?.path.split('.') ?? []
  if (!field || first !== name) return undefined
  return line === undefined ? sentence(field.problem) : `Line ${Number.parseInt(line, 10) + 1} ${field.problem}.`
}

/** The error, unless one of these fields of the form shows it. */
export function formError<E>(error: E | null, fields: readonly string[]): E | null {
  return fields.some((name) => fieldError(error, name) !== undefined) ? null : error
}

/** What happened, what to do about it, and how: by a new try, or by a sign-in. */
type Explained = { title: string; advice?: string; way: 'retry' | 'sign in' | null }

/** An error as a person reads it. */
export function explained(error: { message: string }): Explained {
  const code = codeOf(error)
  const said = sentence(error.message)
  switch (code) {
    case null:
      return isCallError(error)
        ? { title: 'The service did not answer.', advice: 'Your connection or the service may be down.', way: 'retry' }
        : { title: said, way: 'retry' }
    case 'UNAUTHORIZED':
      return { title: 'You are not signed in for this page.', advice: said, way: 'sign in' }
    case 'FORBIDDEN':
      return { title: said, advice: 'Sign in with an account that has access.', way: 'sign in' }
    case 'TOO_MANY_REQUESTS':
      return { title: said, way: 'retry' }
    case 'INTERNAL_SERVER_ERROR':
      return { title: 'Something went wrong on our side.', advice: requestOf(error.message), way: 'retry' }
    case 'SERVICE_UNAVAILABLE':
    case 'BAD_GATEWAY':
      return { title: said, way: 'retry' }
    default:
      return { title: said, way: null }
  }
}

function requestOf(message: string): string {
  const id = /request id (\S+)/.exec(message)?.[1]
  return id ? `Try again. If it fails again, tell us the request id ${id}.` : 'Try again.'
}

/** A message of the service as a sentence: it begins with a capital and ends with a full stop. */
export function sentence(message: string): string {
  const text = message.trim()
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`
}
