import type { z } from 'zod'
import { fieldWrongIn, MISSING } from '../x402/fields'
import { malformed } from '../x402/json'

/** The value in the shape of a schema. Throws `bad_request` that names the first wrong field and says what was expected. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw malformed(fieldWrongIn(result.error))
}

/** The message of a field of the wrong type: that it is missing where there is none, else what it must be. */
export const expected = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? MISSING : `must be ${what}`),
})
