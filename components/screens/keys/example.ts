import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/base/durations'
import type { OwnKey } from '../../client/own-key'
import type { Activity } from './key-activity'

/** Two keys as they look after two weeks. They share one quota, of which both used 20. */
export const exampleKeys = (now: number): Example[] => KEYS.map((key) => exampleKey(now, key))

type Example = { apiKey: OwnKey; activity: Activity }

const KEYS = [
  { id: 'example', name: 'Production server', prefix: 'qt_EXAMPLE', used: 3 * MINUTE_MS, counts: [2, 3, 1, 4, 2] },
  { id: 'second', name: 'Staging server', prefix: 'qt_STAGING', used: 26 * HOUR_MS, counts: [0, 1, 4, 0, 3] },
] as const

function exampleKey(now: number, { id, name, prefix, used, counts }: (typeof KEYS)[number]): Example {
  const at = (ms: number) => new Date(now - ms).toISOString()
  const month = new Date(now)
  const secret = {
    id,
    prefix,
    createdAt: at(30 * DAY_MS),
    lastUsedAt: at(used),
    graceUntil: null,
  }
  const limits = { allowedNetworks: [], payToAllow: [], maxAmount: null, maxUsdc: null }
  const resetAt = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1) / 1_000
  return {
    apiKey: {
      id,
      name,
      plan: 'free',
      historyEnabled: true,
      ...limits,
      shareTransactions: true,
      waitUntil: null,
      publicReceipts: false,
      secondChargeSeconds: null,
      claimAbove: null,
      claimAfterSeconds: null,
      claimMaxGasPrice: null,
      createdAt: at(30 * DAY_MS),
      revokedAt: null,
      secrets: [secret],
      quota: { left: 980, limit: 1_000, resetAt },
    },
    activity: {
      days: counts.map((count, back) => ({ day: at(back * 2 * DAY_MS).slice(0, 10), count, failed: 0 })),
      lastFailure: null,
    },
  }
}
