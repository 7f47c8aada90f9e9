'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
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

/** A merchant's API keys: made, named, bounded, rotated and revoked here. */
export function Keys() {
  const trpc = useTRPC()
  const query = useQuery(trpc.keys.list.queryOptions())
  const [making, setMaking] = useQueryState('new', parseAsBoolean.withDefault(false))
  const [pointed] = useQueryState('key', parseAsString)
  const [secret, setSecret] = useState<Secret | null>(null)
  const live = query.data?.keys.filter(({ revokedAt }) => revokedAt === null) ?? []
  const revoked = query.data?.keys.filter(({ revokedAt }) => revokedAt !== null) ?? []
  const full = query.data !== undefined && live.length >= query.data.most
  return (
    <>
      <ScreenHead title="API keys">
        <Button
          look="primary"
          onClick={() => void setMaking(true)}
          disabled={full}
          title={full ? 'Revoke one before you make another' : undefined}
        >
          <Plus aria-hidden className="size-4" /> New key
        </Button>
      </ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <Skeleton className="h-48" /> : null}
      {query.data && live.length === 0 ? (
        <Panel>
          <Empty
            title="You have no key yet"
            action={
              <Button look="primary" onClick={() => void setMaking(true)}>
                Make your first key
              </Button>
            }
          >
            A key is part of a URL. Give that URL to your x402 middleware as its facilitator, and payments settle.
          </Empty>
        </Panel>
      ) : null}
      <ul className="grid gap-4">
        {live.map((key) => (
          <KeyCard key={key.id} apiKey={key} onSecret={setSecret} pointed={key.id === pointed} />
        ))}
      </ul>
      {revoked.length > 0 ? (
        <details className="mt-6">
          <summary className="cursor-pointer text-soft">{revoked.length} revoked</summary>
          <ul className="mt-3 grid gap-1">
            {revoked.map(({ id, name, secrets }) => (
              <li key={id} className="text-soft">
                {name || 'No name'} <code>{secrets[0]?.prefix}…</code>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <NewKey open={making} onClose={() => void setMaking(null)} onMade={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

/** The mutations of a key, each of which makes the list new. */
export function useKeyActions() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.keys.list.pathFilter())
  return {
    configure: useMutation(trpc.keys.configure.mutationOptions({ onSuccess })),
    rotate: useMutation(trpc.keys.rotate.mutationOptions({ onSuccess })),
    revoke: useMutation(trpc.keys.revoke.mutationOptions({ onSuccess })),
  }
}
