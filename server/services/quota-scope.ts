import { isServiceError, ServiceError } from '../errors'
import { returnUnclaimed } from '../store/usage'
import type { App } from './app'
import type { Caller } from './caller'
import { giveBack, type Quota, quotaHeaders, returnCap } from './metering'

/** Runs a step after a unit was taken; when the step refuses, the unit is given back, once, and the headers say so. */
export async function returning<T>(app: App, caller: Caller, quota: Quota, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw withQuota(error, await takeBack(app, caller, quota))
  }
}

/** Gives the unit of a refused request back and says what is left; a database that fails here must not hide the refusal. */
export async function takeBack(app: App, caller: Caller, quota: Quota): Promise<Quota> {
  try {
    return await giveBack(app, caller, quota)
  } catch (error) {
    app.log.error({ err: error }, 'a unit could not be given back')
    return quota
  }
}

/** No statement of ours runs longer: what is not in the database by then never will be. */
const SURELY_OVER_MS = 10_000

/** Gives the unit of a claim back, some seconds later, if it turns out never to have been written. */
export function takeBackUnclaimed(app: App, caller: Caller, quota: Quota, settlementId: string): void {
  const look = () =>
    returnUnclaimed(app.db, settlementId, caller.subject, quota.period, returnCap(quota)).catch((error: unknown) =>
      app.log.error({ err: error, settlementId }, 'a unit could not be given back'),
    )
  setTimeout(look, SURELY_OVER_MS).unref()
}

/** The refusal with the quota headers of its request; what is not a refusal stays as it is. */
export function withQuota(error: unknown, quota: Quota): unknown {
  if (!isServiceError(error)) return error
  return new ServiceError(error.refusal, error.message, {
    ...error.facts,
    headers: { ...error.facts.headers, ...quotaHeaders(quota) },
    cause: error.cause ?? error,
  })
}
