import { publicAccess } from '../../accounts/caller'
import { endpoint } from '../../http/endpoint'
import { API_HEADERS } from '../../http/errors'
import { COUNTS_SECONDS } from './counts'
import { statusAnswer } from './schemas'
import { status } from './status'
import { statusRate } from './view'

/** Availability and outcomes of all networks, as the page `/status` shows them. */
export const getStatus = endpoint({
  id: 'getStatus',
  tag: 'Service',
  cors: 'open',
  summary: 'Show availability and outcomes',
  description:
    'By network and tier: whether it takes payments now, and what payments of the last 24 hours and 30 days came to. Only keys that keep a history count. Names no merchant, payer or resource.',
  credentials: publicAccess,
  rate: statusRate,
  responses: { 200: { description: 'The status.', schema: statusAnswer, headers: ['cache-control'] } },
  errors: [429],
  async handler({ app }) {
    const found = await status(app)
    // A gap in the counts should close at once.
    const caching = found.counted_at === null ? {} : { 'cache-control': `public, max-age=${COUNTS_SECONDS}` }
    return Response.json(found, { headers: { ...API_HEADERS, ...caching } })
  },
})
