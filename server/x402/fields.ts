import { z } from 'zod'

/** The message of a field that must be there and is not. */
export const MISSING = 'is missing'

/** The first wrong field in words, with what was expected. */
export function fieldWrongIn({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join('.') || 'the body'
  if (issue?.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: there is no such field`
  return issue?.message === MISSING ? `${field} is missing` : `${field} ${issue?.message ?? 'is not valid'}`
}

/** A text without the character that no database keeps. */
export const storable = z.string().refine((text) => !text.includes('\0'), 'holds a NUL character')
