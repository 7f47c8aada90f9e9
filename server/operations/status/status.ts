import { setTimeout } from 'node:timers/promises'
import type { z } from 'zod'
import type { Tier } from '../../accounts/plans'
import { type App, contradictionIn } from '../../app'
import { signersOf } from '../../payments/facilitators'
import { TIER_NETWORKS } from '../../payments/supported'
import { type Environment, type NetworkId, networkIds, networkRow, pastEnvironmentOf } from '../../x402/networks/networks'
import { commonParts, facilitatorPart, type Part, signersPart } from '../readiness'
import type { StatusCounts } from './counts'
import { lastDays, recordOf, type ServiceRecord } from './each-day'
import { CLAIM_MIN, figuresOf } from './figures'
import type { IncidentRow } from './incident-queries'
import { presentIncident } from './present'
import type { WindowRows } from './queries'
import type { statusAnswer } from './schemas'

/** Production first, and the sandbox apart from it. */
const TIERS = ['standard', 'flash', 'sandbox'] as const satisfies Tier[]

/** What everyone may know of the service. */
export type Status = z.output<typeof statusAnswer>

/** What everyone may know of a tier on a network. */
export type TierStatus = Status['networks'][number]['tiers'][number]

/**
 * Whether each network can take payments now, what its payments of the last 24 hours, 30 completed days and each of 90 days came to, and the
 * operator's incidents. Counts are null while they cannot be read. Names no tenant, payer, recipient, key or resource. Never throws.
 */
export async function status(app: App): Promise<Status> {
  const [{ parts }, counts, incidents] = await Promise.all([app.readiness(), knownCounts(app), knownIncidents(app)])
  const common = parts.filter(({ part }) => commonParts.some((one) => one === part))
  return {
    checked_at: app.now().toISOString(),
    counted_at: counts?.day.until.toISOString() ?? null,
    claim_min: CLAIM_MIN,
    ...availabilityOf(common),
    last_24_hours: counts && spanOf(counts.day),
    last_30_days: counts && spanOf(counts.days),
    incidents: incidents?.map(presentIncident) ?? null,
    networks: networkIds.flatMap((network) => {
      const tiers = TIERS.flatMap((tier) => {
        const served = partOf(app, network, tier)
        const needs = served === null ? null : [...common, ...parts.filter(({ part }) => part === served)]
        const figures = counts && countsOf(counts, network, tier)
        if (needs === null && !figures?.any) return []
        return [{ tier, ...(needs ? availabilityOf(needs) : { available: null, since: null }), ...shownOf(figures) }]
      })
      const { title: name, testnet } = networkRow(network)
      return tiers.length > 0 ? [{ network, name, testnet, last_90_days: counts && daysOf(counts, network), tiers }] : []
    }),
  }
}

async function knownCounts(app: App): Promise<StatusCounts | null> {
  try {
    return await app.statusCounts()
  } catch (error) {
    app.log.warn({ err: error }, 'the counts of the status page cannot be read now')
    return null
  }
}

async function knownIncidents(app: App): Promise<IncidentRow[] | null> {
  try {
    return await app.incidents()
  } catch (error) {
    app.log.warn({ err: error }, 'the incidents of the status page cannot be read now')
    return null
  }
}

/**
 * What the valid payments of an environment came to in the last 30 completed days, for pages that work without it. Null while it cannot be
 * read, or takes longer than a page waits. Never throws.
 */
export async function serviceRecord(app: App, environment: Environment): Promise<ServiceRecord | null> {
  const counts = await Promise.race([knownCounts(app), setTimeout(app.config.prefetchWaitMs, null, { ref: false })])
  if (counts === null) return null
  const own = <Row extends { network: string }>(rows: readonly Row[]) =>
    rows.filter(({ network }) => pastEnvironmentOf(network) === environment)
  const notSent = own(counts.notSent).reduce((total, { days }) => total + days, 0)
  return recordOf(own(counts.days.outcomes), notSent)
}

/** The part of readiness that a tier on a network needs; null where it is not configured. */
function partOf(app: App, network: NetworkId, tier: Tier): string | null {
  if (!TIER_NETWORKS[tier].includes(network)) return null
  if (signersOf(app, tier, network) === null && !isRefused(app, network, tier)) return null
  if (networkRow(network).family === 'evm' && app.remotes.has(tier)) return facilitatorPart(tier)
  return signersPart(network, tier === 'sandbox' ? 'sandbox' : 'production')
}

/** Whether a tier would be served if its network were not refused: then it is not available, rather than not configured. */
function isRefused(app: App, network: NetworkId, tier: Tier): boolean {
  const configured = app.networks.get(network)
  if (!configured || contradictionIn(configured) === null) return false
  if (tier === 'flash' && configured.family === 'evm' && configured.flash === null) return false
  return configured.signers[tier === 'sandbox' ? 'sandbox' : 'production'].length > 0
}

/** Available since the last part became ready; unavailable since the first part failed. */
function availabilityOf(parts: readonly Part[]) {
  const missing = parts.filter(({ ready }) => !ready).map(({ since }) => since.getTime())
  const available = missing.length === 0
  const since = available ? Math.max(...parts.map((part) => part.since.getTime())) : Math.min(...missing)
  return { available, since: new Date(since).toISOString() }
}

const spanOf = ({ from, until }: WindowRows) => ({ from: from.toISOString(), until: until.toISOString() })

function daysOf({ each, today, todayRows, notSent }: StatusCounts, network: NetworkId) {
  const isOwn = (row: { network: string }) => row.network === network
  const givenUp = notSent.filter(isOwn).reduce((total, given) => total + given.today, 0)
  return lastDays(each.get(network) ?? { days: [], timed: [] }, today, todayRows.filter(isOwn), givenUp)
}

function countsOf({ day, days, pending, notSent }: StatusCounts, network: NetworkId, tier: Tier) {
  const mine = <Row extends { network: string; tier: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.network === network && row.tier === tier)
  const [waiting] = mine(pending)
  const [given] = mine(notSent)
  const [recent, past] = [mine(day.outcomes), mine(days.outcomes)]
  return {
    any: recent.length + past.length > 0 || waiting !== undefined || given !== undefined,
    pending: { count: waiting?.count ?? 0, oldest_ms: waiting ? Math.round(waiting.oldestMs) : null },
    last_24_hours: figuresOf(recent, given?.day ?? 0),
    last_30_days: figuresOf(past, given?.days ?? 0),
  }
}

function shownOf(figures: ReturnType<typeof countsOf> | null) {
  if (figures === null) return { pending: null, last_24_hours: null, last_30_days: null }
  const { any: _, ...shown } = figures
  return shown
}
