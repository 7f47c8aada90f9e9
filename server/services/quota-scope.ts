import { isServiceError, ServiceError } from '../errors'
import type { App } from './app'
import type { Caller } from './caller'
import { giveBack, type Quota, quotaHeaders } from './metering'

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

/** The refusal with the quota headers of its request; what is not a refusal stays as it is. */
export function withQuota(error: unknown, quota: Quota): unknown {
  if (!isServiceError(error)) return error
  return new ServiceError(error.refusal, error.message, {
    ...error.facts,
    headers: { ...error.facts.headers, ...quotaHeaders(quota) },
    cause: error.cause ?? error,
  })
}
