import { z } from 'zod'
import { GRACE_SECONDS } from '../services/rotation'

/** What is rotated, a key or a webhook, and for how long the earlier secret goes on. */
export const rotation = z.object({
  id: z.uuid(),
  graceSeconds: z.int().min(0).max(GRACE_SECONDS.most).default(GRACE_SECONDS.usual),
})
