'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyNameAmong } from '@/server/accounts/key-name'
import { settlementsUrl } from '../../client/analytics/links'
import type { SelectedPeriod } from '../../client/analytics/use-period'
import type { OwnKey } from '../../client/own-key'
import { WARN_SHARE } from '../../client/own-key'
import { keysQuery, webhooksQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { webhookAlerts } from '../../client/webhook-alerts'
import type { Alert } from '../../ui/alerts'
import { percent } from '../../ui/figures'
import { type Faults, faultsQuery, LISTING } from './queries'

/**
 * What needs its merchant, what refuses payments first. `known` once all was read or failed, the figures (`hasFigures`) too: what stands
 * below waits for it, so that nothing moves. Their own screens report errors.
 */
export function useAttention(
  { input, environment, network, zone }: SelectedPeriod,
  hasFigures: boolean,
): { alerts: Alert[]; known: boolean } {
  const trpc = useTRPC()
  const keys = useQuery({ ...keysQuery(trpc), staleTime: FRESH_MS.account })
  const webhooks = useQuery({ ...webhooksQuery(trpc), staleTime: FRESH_MS.account })
  const faults = useQuery(faultsQuery(trpc, input ? { within: input.within } : skipToken))
  const [known, setKnown] = useState(false)
  const isReady = hasFigures && [keys, webhooks, faults].every(({ isPending, failureCount }) => !isPending || failureCount > 0)
  // It stays known while another period loads.
  if (isReady && !known) setKnown(true)
  const urlOf = (filters: Record<string, string>) => settlementsUrl(LISTING, { environment, network, zone }, filters)
  const ofFaults = faults.data ? faultAlerts(faults.data, urlOf) : []
  const all = [...alertsOf(keys.data?.keys ?? [], webhooks.data?.endpoints ?? []), ...ofFaults]
  return { alerts: sorted(all), known: known || isReady }
}

type Key = Pick<OwnKey, 'id' | 'name' | 'plan' | 'quota' | 'revokedAt'>

/** What a merchant mends: what refuses payments first. */
export function alertsOf(keys: readonly Key[], webhooks: Parameters<typeof webhookAlerts>[0]): Alert[] {
  const live = keys.filter(({ revokedAt }) => revokedAt === null)
  // Keys that share a quota have the same figures.
  const quotas = live.filter((key, at) => live.findIndex((one) => quotaOf(one) === quotaOf(key)) === at)
  return sorted([...quotas.flatMap(quotaAlerts), ...webhookAlerts(webhooks)])
}

const sorted = (alerts: readonly Alert[]): Alert[] => [
  ...alerts.filter(({ tone }) => tone === 'bad'),
  ...alerts.filter(({ tone }) => tone === 'warn'),
]

const quotaOf = ({ plan, quota: { left, limit } }: Key) => [plan, left, limit].join(' ')

function quotaAlerts({ id, name, quota: { left, limit } }: Key): Alert[] {
  const to = { key: `quota ${id}`, href: `/dashboard/keys/${id}`, action: 'Change plan' }
  const named = keyNameAmong({ id, name })
  if (left <= 0) return [{ ...to, tone: 'bad', text: `The quota of ${named} is used up. Its payments are refused.` }]
  const used = (limit - left) / limit
  if (used < WARN_SHARE) return []
  return [{ ...to, tone: 'warn', text: `${named} used ${percent(used)} of its monthly quota.` }]
}

/** From so many failures, and from this share of the valid payments on, they are no accident. */
const FAULTS_MIN = 3
const FAULTS_SHARE = 0.05
/** From this share on most payers notice. */
const FAULTS_BAD = 0.25

/** Failures of the last 24 hours that are this facilitator's or the chain's, if there are many. */
export function faultAlerts(faults: Faults, urlOf: (filters: Record<string, string>) => string): Alert[] {
  const { valid, failed, reasons, since } = faults
  const count = failed.facilitator + failed.chain
  if (count < FAULTS_MIN || count / valid < FAULTS_SHARE) return []
  const by = [
    ...(failed.facilitator > 0 ? [`${failed.facilitator.toLocaleString('en')} on our side`] : []),
    ...(failed.chain > 0 ? [`${failed.chain.toLocaleString('en')} on the chain`] : []),
  ]
  return [
    {
      key: 'faults',
      tone: count / valid < FAULTS_BAD ? 'warn' : 'bad',
      text: `${percent(count / valid)} of valid payments failed in 24 hours: ${by.join(', ')}. Their payers can pay again.`,
      href: urlOf({ status: 'failed', reason: reasons.join(','), from: since }),
      action: 'View failures',
    },
  ]
}
