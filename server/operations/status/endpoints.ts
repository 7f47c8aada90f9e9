import { publicAccess } from '../../accounts/caller'
import type { App } from '../../app'
import { endpoint } from '../../http/endpoint'
import { API_HEADERS } from '../../http/errors'
import { COUNTS_SECONDS } from './counts'
import { statusAnswer } from './schemas'
import { type Status, status } from './status'

/** Requests per second of one address, counted apart from payments and other reads. */
const STATUS_PER_SECOND = 10

/** The status for a reader, counted by address. Throws `too_many`. */
export async function statusFor(app: App, { id }: { id: string }): Promise<Status> {
  await limit(app, { id })
  return status(app)
}

const limit = (app: App, { id }: { id: string }) => app.rateLimit(`status:${id}`, STATUS_PER_SECOND)

/** Availability and outcomes of all networks, as the page `/status` shows them. */
export const getStatus = endpoint({
  method: 'GET',
  path: '/status.json',
  id: 'getStatus',
  tag: 'Service',
  cors: 'open',
  summary: 'Show availability and outcomes',
  description:
    'By network and tier: whether it takes payments now, and what payments of the last 24 hours and 30 days came to. Only keys that keep a history count. Names no merchant, payer or resource.',
  credentials: publicAccess,
  rate: { per: 'caller', take: limit },
  responses: { 200: { description: 'The status.', schema: statusAnswer, headers: ['cache-control'] } },
  errors: [429],
  async handler({ app }) {
    const found = await status(app)
    // A gap in the counts should close at once.
    const caching = found.counted_at === null ? {} : { 'cache-control': `public, max-age=${COUNTS_SECONDS}` }
    return Response.json(found, { headers: { ...API_HEADERS, ...caching } })
  },
})
