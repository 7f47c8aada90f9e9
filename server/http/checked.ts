import { z } from 'zod'
import { malformed } from '../x402/json'

/** The value in the shape of a schema. Throws `bad_request` that names the first wrong field and says what was expected. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw malformed(fieldWrongIn(result.error))
}

/** The first wrong field in words, with what was expected. */
export function fieldWrongIn({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join('.') || 'the body'
  if (issue?.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: there is no such field`
  return issue?.message === MISSING ? `${field} is missing` : `${field} ${issue?.message ?? 'is not valid'}`
}

const MISSING = 'is missing'

/** The message of a field of the wrong type: that it is missing where there is none, else what it must be. */
export const expected = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? MISSING : `must be ${what}`),
})

/** A text without the character that no database keeps. */
export const storable = z.string().refine((text) => !text.includes('\0'), 'holds a NUL character')
