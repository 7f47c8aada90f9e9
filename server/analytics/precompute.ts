import { ofSubject } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import type { Coalesce } from '../sums/coalesce'
import { largestMerchants } from '../sums/rollup-queries'
import { type AnalyticsScope, adminScope, analytics, analyticsDays, merchantScope } from './analytics'

/** The number of merchants whose analytics are slow enough to precompute. */
const LARGEST = 10
/** The rollups have their own share of the slots of sums. */
const READER = 'rollups'

/** Computes the analytics of the platform and of the largest merchants, for the next readers. */
export async function precomputeAnalytics(
  { db, coalesce }: { db: Db; coalesce: Coalesce },
  isStopped: () => boolean,
): Promise<void> {
  const scopes: AnalyticsScope[] = [
    adminScope({}, READER),
    ...(await largestMerchants(db, LARGEST)).map(({ id }) => merchantScope(ofSubject(id), READER)),
  ]
  for (const scope of scopes) {
    for (const days of analyticsDays) if (!isStopped()) await analytics({ db, sums: db, coalesce }, scope, days)
  }
}
