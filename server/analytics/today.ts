import type { TenantFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { type Environment, environments, networksIn } from '../x402/networks'
import { type Narrowing, networksOf } from './analytics'
import { networksUsed, sumToday, type TodaySums } from './today-queries'

/** The maximum number of rows to count while a page loads. */
const COUNTED_MAX = 50_000

/**
 * Today's sums in an environment or on one network, read from the rows because analytics cover completed days. Throws `unavailable`
 * when too many are being computed.
 */
export function today(
  { db, counting }: Pick<App, 'db' | 'counting'>,
  filter: TenantFilter,
  within: Narrowing,
): Promise<TodaySums> {
  const networks = networksOf(within)
  return counting(JSON.stringify([filter, networks]), () => sumToday(db, filter, networks, COUNTED_MAX))
}

/** The environment to show first: real money, unless there is only test money. Null without settlements. */
export async function defaultEnvironment(app: Pick<App, 'db'>, filter: TenantFilter): Promise<Environment | null> {
  const used = await networksUsed(app.db, filter)
  return environments.find((environment) => networksIn(environment).some((network) => used.includes(network))) ?? null
}
