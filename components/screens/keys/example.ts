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
    settled: 12,
    limit: 1_000,
    used: 3 * MINUTE_MS,
    counts: [2, 1, 0, 1, 2, 0, 1, 0, 2, 1, 0, 1, 1, 0],
  },
  {
    id: 'second',
    name: 'Weather API',
    prefix: 'qt_WEATHER',
    plan: 'growth',
    settled: 4_120,
    limit: 100_000,
    used: 2 * HOUR_MS,
    counts: [171, 163, 158, 149, 152, 160, 144, 139, 151, 146, 138, 142, 135, 148],
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
