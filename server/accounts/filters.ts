import { z } from 'zod'
import { ownerIn } from './tenant-queries'

const OWNER_MAX = 200
const OWNER_LENGTH = `must have 1 to ${OWNER_MAX} characters`

/** The `owner` filter of admin requests; a wallet in any letter case. */
export const ownerQuery = z
  .string()
  .meta({ examples: ['acme'] })
  .refine((id) => !id.includes('\0'), { message: 'holds a NUL character', abort: true })
  .refine((id) => id !== '' && id.length <= OWNER_MAX, OWNER_LENGTH)
  .transform(ownerIn)
  .optional()
  .meta({ description: 'Only this owner.' })

/** The `tenant` filter of admin requests. */
export const tenantQuery = z
  .guid('must be a UUID')
  .meta({ examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] })
  .transform((id) => id.toLowerCase())
  .optional()
  .meta({ description: 'Only this tenant.' })
