'use client'

import { useQuery } from '@tanstack/react-query'
import type { OwnKey } from '../../client/own-key'
import { WARN_SHARE } from '../../client/own-key'
import { keysQuery, webhooksQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { type Endpoint, hostOf } from '../../client/webhook-texts'
import { type Alert, Alerts } from '../../ui/alerts'
import { percent } from '../../ui/figures'

const SHOWN = 3

/** Webhooks and quotas that need their merchant; nothing otherwise. Their own screens report errors. */
export function Attention() {
  const trpc = useTRPC()
  const keys = useQuery({ ...keysQuery(trpc), staleTime: FRESH_MS.account })
  const webhooks = useQuery({ ...webhooksQuery(trpc), staleTime: FRESH_MS.account })
  const alerts = alertsOf(keys.data?.keys ?? [], webhooks.data?.endpoints ?? [])
  if (alerts.length === 0) return null
  return (
    <section aria-label="Needs attention" className="mb-4 panel">
      <Alerts alerts={alerts.slice(0, SHOWN)} />
    </section>
  )
}

type Key = Pick<OwnKey, 'id' | 'name' | 'plan' | 'quota' | 'revokedAt'>
type Webhook = Pick<Endpoint, 'id' | 'url' | 'gone' | 'disabledAt' | 'failures'>

/** What a merchant mends: what refuses payments first. Webhooks that it disabled itself are none. */
export function alertsOf(keys: readonly Key[], webhooks: readonly Webhook[]): Alert[] {
  const live = keys.filter(({ revokedAt }) => revokedAt === null)
  // Keys that share a quota have the same figures.
  const quotas = live.filter((key, at) => live.findIndex((one) => quotaOf(one) === quotaOf(key)) === at)
  const all = [...quotas.flatMap(quotaAlerts), ...webhooks.flatMap(webhookAlerts)]
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone === 'warn')]
}

const quotaOf = ({ plan, quota: { left, limit } }: Key) => [plan, left, limit].join(' ')

function quotaAlerts({ id, name, quota: { left, limit } }: Key): Alert[] {
  const to = { key: `quota ${id}`, href: `/dashboard/keys?key=${id}`, action: 'View key' }
  const named = name || id.slice(0, 8)
  if (left <= 0) return [{ ...to, tone: 'bad', text: `The quota of ${named} is used up. Its payments are refused.` }]
  const used = (limit - left) / limit
  if (used < WARN_SHARE) return []
  return [{ ...to, tone: 'warn', text: `${named} used ${percent(used)} of its monthly quota.` }]
}

function webhookAlerts({ id, url, gone, disabledAt, failures }: Webhook): Alert[] {
  const to = { key: `webhook ${id}`, tone: 'warn', href: '/dashboard/webhooks', action: 'View webhooks' } as const
  if (gone) return [{ ...to, text: `The webhook ${hostOf(url)} is disabled: your server answered 410 Gone.` }]
  if (disabledAt !== null || failures === 0) return []
  const counted = `${failures.toLocaleString('en')} ${failures === 1 ? 'delivery' : 'deliveries'}`
  return [{ ...to, text: `The webhook ${hostOf(url)} fails: ${counted} in 24 hours.` }]
}
