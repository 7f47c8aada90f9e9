import { type Caller, sandboxCaller } from '../../accounts/caller'
import type { App } from '../../app'
import { isServiceError } from '../../base/errors'
import type { EndpointRate } from '../../http/endpoint'
import { clientIp } from '../../http/request'
import { type Status, status } from './status'

/** Requests per second of one address. */
const STATUS_PER_SECOND = 10

/** The rate of the status, counted by address and apart from payments and other reads. */
export const statusRate = {
  per: 'caller',
  take: (app, { id }) => app.rateLimit(`status:${id}`, STATUS_PER_SECOND),
} as const satisfies EndpointRate<Caller>

/** The status for a page, which costs its reader the same as the endpoint. A refused read returns its message. */
export async function statusView(app: App, headers: Headers): Promise<Status | { refused: string }> {
  try {
    await statusRate.take(app, sandboxCaller(clientIp({ headers })))
  } catch (error) {
    if (isServiceError(error)) return { refused: error.message }
    throw error
  }
  return status(app)
}
