import { isPlan, plans } from '../accounts/plans'
import { HOUR_MS, MINUTE_MS } from '../base/durations'
import type { Log } from '../base/log'
import { type Loop, startLoop } from '../base/loop'
import type { Db } from '../db/database'
import { displayAddress } from '../x402/addresses'
import {
  type Alert,
  type AlertedOwner,
  type ChannelTrouble,
  type FailureCount,
  keepOperatorEndpoint,
  type ListingNews,
  type LowCredits,
  OPERATOR,
  type QuotaUse,
  raiseAlert,
  readChannelAlerts,
  readFailureCounts,
  readListingNews,
  readLowCredits,
  readQuotaUses,
} from './alert-queries'
import { SIGNER_ALERT } from './events'
import { sealSecret } from './messages'

/** A signer that runs out of gas. Amounts are in the network's smallest unit; null where they are not known. */
export type LowSigner = {
  network: string
  address: string
  balance: bigint | null
  runwayDays: number | null
  /** What to send so that it lasts 30 days. */
  topUp: bigint | null
}

type AlertsOptions = {
  db: Db
  /** Encrypts the operator's secret. */
  key: Uint8Array
  /** Where the operator gets alerts; null without one. */
  operator: { url: string; secret: string } | null
  lowSigners: () => Promise<LowSigner[]>
  log: Log
  now?: () => Date
  everyMs?: number
}

const OWNERS_AT_ONCE = 200
/** An owner hears of failures at most once in so many hours. */
const FAILURES_EVERY_H = 6
const QUOTA_SHARES = [100, 80] as const
const FAILED_MIN_TOTAL = 20
const FAILED_SHARE = 4
const ROWS_MAX = 1_000
const LISTINGS_AT_ONCE = 200
const CHANNELS_AT_ONCE = 500

/** Raises alerts every minute, each once for its period: the first instance that finds it raises it. */
export function startAlerts({
  db,
  key,
  operator,
  lowSigners,
  log,
  now = () => new Date(),
  everyMs = MINUTE_MS,
}: AlertsOptions): Loop {
  let kept = false
  async function round(isStopped: () => boolean): Promise<number> {
    if (!kept) {
      const secretFor = (id: string) => sealSecret(key, id, operator?.secret ?? '')
      await keepOperatorEndpoint(db, operator && { url: operator.url, secretFor })
      kept = true
    }
    await eachPage(isStopped, async (after) => {
      const { uses, last } = await readQuotaUses(db, after, OWNERS_AT_ONCE)
      for (const use of uses) for (const alert of quotaAlerts(use, now())) await raiseAlert(db, alert)
      return last
    })
    await eachPage(isStopped, async (after) => {
      const { counts, last } = await readFailureCounts(db, after, OWNERS_AT_ONCE, ROWS_MAX)
      for (const count of counts) for (const alert of failureAlerts(count, now())) await raiseAlert(db, alert)
      return last
    })
    await eachPage(isStopped, async (after) => {
      const { low, last } = await readLowCredits(db, after, OWNERS_AT_ONCE)
      for (const credits of low) await raiseAlert(db, creditAlert(credits, now()))
      return last
    })
    await eachPage(isStopped, async (after) => {
      const { news, last } = await readListingNews(db, after, OWNERS_AT_ONCE, LISTINGS_AT_ONCE)
      for (const one of news) await raiseAlert(db, listingAlert(one))
      return last
    })
    await eachPage(isStopped, async (after) => {
      const { alerts, last } = await readChannelAlerts(db, after, OWNERS_AT_ONCE, CHANNELS_AT_ONCE)
      for (const one of alerts) await raiseAlert(db, channelAlert(one, now()))
      return last
    })
    if (operator) for (const signer of await lowSigners()) await raiseAlert(db, signerAlert(signer, now()))
    return everyMs
  }
  return startLoop(round, (error) => log.error({ err: error }, 'alerts could not be raised'), everyMs)
}

async function eachPage(
  isStopped: () => boolean,
  page: (after: AlertedOwner | null) => Promise<AlertedOwner | null>,
): Promise<void> {
  let after = await page(null)
  while (after !== null && !isStopped()) after = await page(after)
}

/** The alerts of a quota: at 80 % and at 100 %, each once a month. */
export function quotaAlerts(use: QuotaUse, at: Date): Alert[] {
  const limit = use.settlementQuota ?? (isPlan(use.plan) ? plans[use.plan] : plans.free).settlements
  // A plan without a monthly quota, such as prepaid credits.
  if (limit === 0) return []
  const share = QUOTA_SHARES.find((percent) => use.used * 100 >= limit * percent)
  if (share === undefined) return []
  const { ownerKind, ownerId, plan, used, period, tenantId } = use
  const data = { share_percent: share, used, limit, period, plan, tenant_id: tenantId }
  return [
    {
      kind: 'alert.quota',
      subject: `${use.subject} ${share}`,
      period,
      owner: { ownerKind, ownerId },
      tenantId,
      body: bodyOf('alert.quota', at, data),
    },
  ]
}

/** The alert of an hour in which a quarter of at least 20 payments failed. */
export function failureAlerts({ ownerKind, ownerId, total, failed, reason }: FailureCount, at: Date): Alert[] {
  if (total < FAILED_MIN_TOTAL || failed * FAILED_SHARE < total) return []
  const period = String(Math.floor(at.getTime() / (FAILURES_EVERY_H * HOUR_MS)))
  const data = { window_seconds: 3_600, total, failed, most_frequent_reason: reason }
  const body = bodyOf('alert.failure_rate', at, data)
  return [{ kind: 'alert.failure_rate', subject: `${ownerKind} ${ownerId}`, period, owner: { ownerKind, ownerId }, body }]
}

/** The alert of credits of which under a tenth is left, or none: each once until more are bought. */
export function creditAlert({ ownerKind, ownerId, environment, purchased, left }: LowCredits, at: Date): Alert {
  const data = {
    wallet: displayAddress(ownerId),
    environment,
    credits_remaining: Math.max(0, left),
    credits_purchased: purchased,
  }
  const subject = `${ownerId} ${environment} ${left > 0 ? 'low' : 'used up'}`
  const body = bodyOf('alert.credits', at, data)
  return { kind: 'alert.credits', subject, period: String(purchased), owner: { ownerKind, ownerId }, body }
}

/** The message about an entry of the catalog that appeared, changed or is about to expire: once for each time. */
export function listingAlert({ ownerKind, ownerId, kind, at, id, environment, url, tenantId, until }: ListingNews): Alert {
  const data = { resource: url, environment, tenant_id: tenantId, listed_until: until.toISOString() }
  const period = String(at.getTime())
  return { kind, subject: id, period, owner: { ownerKind, ownerId }, tenantId, body: bodyOf(kind, at, data) }
}

/** The alert about a channel: once for each stage of a withdrawal, and once for what cannot be claimed. */
export function channelAlert(
  { ownerKind, ownerId, network, id, tenantId, stage, period, payer, token, unclaimed, deadline, reason }: ChannelTrouble,
  at: Date,
): Alert {
  const data = {
    network,
    channel_id: id,
    stage,
    unclaimed,
    asset: displayAddress(token),
    payer: displayAddress(payer),
    deadline: deadline?.toISOString() ?? null,
    reason,
    tenant_id: tenantId,
  }
  const owner = { ownerKind, ownerId }
  const body = bodyOf('alert.channel', at, data)
  return { kind: 'alert.channel', subject: `${network} ${id} ${stage}`, period, owner, tenantId, body }
}

function signerAlert({ network, address, balance, runwayDays, topUp }: LowSigner, at: Date): Alert {
  const digits = (amount: bigint | null) => (amount === null ? null : String(amount))
  const data = { network, address, balance: digits(balance), runway_days: runwayDays, top_up: digits(topUp) }
  const period = at.toISOString().slice(0, 10)
  return { kind: SIGNER_ALERT, subject: `${network} ${address}`, period, owner: OPERATOR, body: bodyOf(SIGNER_ALERT, at, data) }
}

const bodyOf = (type: string, at: Date, data: object) => JSON.stringify({ type, timestamp: at.toISOString(), data })
