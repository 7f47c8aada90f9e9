import type { TenantFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { type Environment, environments, networksIn } from '../x402/networks'
import { type Narrowing, networksOf } from './analytics'
import { networksUsed, sumToday, type TodaySums } from './today-queries'

/** More rows than these are not counted while somebody looks. */
const COUNTED_MAX = 50_000

/**
 * What today came to so far, in an environment or on one network: read from the rows, for analytics are of days that are over. Throws
 * `unavailable` when too many are being counted.
 */
export function today(
  { db, counting }: Pick<App, 'db' | 'counting'>,
  filter: TenantFilter,
  within: Narrowing,
): Promise<TodaySums> {
  const networks = networksOf(within)
  return counting(JSON.stringify([filter, networks]), () => sumToday(db, filter, networks, COUNTED_MAX))
}

/** Where somebody's figures begin to be looked at: with real money, unless there was only the other one. Null where there was none yet. */
export async function defaultEnvironment(app: Pick<App, 'db'>, filter: TenantFilter): Promise<Environment | null> {
  const used = await networksUsed(app.db, filter)
  return environments.find((environment) => networksIn(environment).some((network) => used.includes(network))) ?? null
}
