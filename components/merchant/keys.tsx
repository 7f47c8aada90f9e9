'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { parseAsBoolean, parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { Button } from '../ui/button'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'
import { KeyCard } from './key-card'
import { NewKey } from './new-key'
import { type Secret, SecretDialog } from './secret-dialog'

const MINUTE_MS = 60_000
const UNUSED = { days: [], lastFailure: null }

/** A merchant's API keys. */
export function Keys() {
  const trpc = useTRPC()
  const query = useQuery(trpc.keys.list.queryOptions())
  const activity = useQuery(trpc.activity.ofKeys.queryOptions(undefined, { refetchInterval: MINUTE_MS }))
  const [creating, setCreating] = useQueryState('new', parseAsBoolean.withDefault(false))
  const [selected] = useQueryState('key', parseAsString)
  const [secret, setSecret] = useState<Secret | null>(null)
  const live = query.data?.keys.filter(({ revokedAt }) => revokedAt === null) ?? []
  const revoked = query.data?.keys.filter(({ revokedAt }) => revokedAt !== null) ?? []
  const full = query.data !== undefined && live.length >= query.data.most
  const none = query.data !== undefined && live.length === 0
  const add = (
    <Button
      look="primary"
      onClick={() => void setCreating(true)}
      disabled={full}
      title={full ? 'Revoke a key before you create another' : undefined}
    >
      <Plus aria-hidden className="size-4" /> New key
    </Button>
  )
  return (
    <>
      <ScreenHead title="API keys">{none ? null : add}</ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <Skeleton className="h-48" /> : null}
      {none ? (
        <Panel>
          <Empty title="No API keys yet" action={add}>
            Your key gives you a facilitator URL. Set it in your x402 middleware.
          </Empty>
        </Panel>
      ) : null}
      <ul className="grid gap-4">
        {live.map((key) => (
          <KeyCard
            key={key.id}
            apiKey={key}
            activity={activity.data ? (activity.data.find(({ id }) => id === key.id) ?? UNUSED) : null}
            onSecret={setSecret}
            selected={key.id === selected}
          />
        ))}
      </ul>
      {revoked.length > 0 ? (
        <details className="mt-6">
          <summary className="cursor-pointer text-soft">{revoked.length} revoked</summary>
          <ul className="mt-3 grid gap-1">
            {revoked.map(({ id, name, secrets }) => (
              <li key={id} className="text-soft">
                {name || 'Unnamed key'} <code>{secrets[0]?.prefix}…</code>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <NewKey open={creating} onClose={() => void setCreating(null)} onCreated={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}
