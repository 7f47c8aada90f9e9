import type { z } from 'zod'

/** A text that the database can keep or look for: it refuses the NUL character. */
export const kept = (text: z.ZodString) => text.refine((written) => !written.includes('\0'), 'must not hold a NUL character')
