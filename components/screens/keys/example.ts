import { DAY_MS, MINUTE_MS } from '@/server/base/durations'
import type { OwnKey } from '../../client/own-key'
import type { Activity } from './key-activity'

/** A key as it looks after two weeks. */
export function exampleKey(now: number): { apiKey: OwnKey; activity: Activity } {
  const at = (ms: number) => new Date(now - ms).toISOString()
  const month = new Date(now)
  const secret = {
    id: 'example',
    prefix: 'qt_EXAMPLE',
    createdAt: at(30 * DAY_MS),
    lastUsedAt: at(3 * MINUTE_MS),
    graceUntil: null,
  }
  const limits = { allowedNetworks: [], payToAllow: [], maxAmount: null, maxUsdc: null }
  const resetAt = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1) / 1_000
  return {
    apiKey: {
      id: 'example',
      name: 'Production server',
      plan: 'free',
      historyEnabled: true,
      ...limits,
      shareTransactions: true,
      waitUntil: null,
      publicReceipts: false,
      claimAbove: null,
      claimAfterSeconds: null,
      claimMaxGasPrice: null,
      createdAt: at(30 * DAY_MS),
      revokedAt: null,
      secrets: [secret],
      quota: { left: 988, limit: 1_000, resetAt },
    },
    activity: {
      days: [2, 3, 1, 4, 2].map((count, back) => ({ day: at(back * 2 * DAY_MS).slice(0, 10), count, failed: 0 })),
      lastFailure: null,
    },
  }
}
