import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/base/durations'
import type { OwnKey } from '../../client/own-key'
import type { Activity } from './key-activity'

/** Two keys as they look after two weeks. */
export const exampleKeys = (now: number): Example[] => KEYS.map((key) => exampleKey(now, key))

type Example = { apiKey: OwnKey; activity: Activity }

const KEYS = [
  {
    id: 'example',
    name: 'Production server',
    prefix: 'qt_EXAMPLE',
    plan: 'free',
    settled: 412,
    limit: 1_000,
    used: 3 * MINUTE_MS,
    counts: [22, 19, 24, 17, 20, 26, 14, 11, 18, 21, 15, 16, 12, 9],
  },
  {
    id: 'second',
    name: 'Weather API',
    prefix: 'qt_WEATHER',
    plan: 'starter',
    settled: 1_420,
    limit: 10_000,
    used: 2 * HOUR_MS,
    counts: [61, 58, 63, 49, 52, 60, 44, 39, 51, 46, 38, 42, 35, 48],
  },
] as const

function exampleKey(now: number, { id, name, prefix, plan, settled, limit, used, counts }: (typeof KEYS)[number]): Example {
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
      plan,
      historyEnabled: true,
      ...limits,
      shareTransactions: true,
      waitUntil: null,
      publicReceipts: false,
      secondChargeSeconds: null,
      claimAbove: null,
      claimAfterSeconds: null,
      claimMaxGasPrice: null,
      ownQuota: false,
      createdAt: at(30 * DAY_MS),
      revokedAt: null,
      secrets: [secret],
      quota: { left: limit - settled, limit, resetAt },
    },
    activity: {
      days: counts.map((count, back) => ({ day: at(back * DAY_MS).slice(0, 10), count, failed: 0 })),
      lastFailure: null,
    },
  }
}
