'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '../data/trpc'
import { ConfirmDialog } from '../merchant/confirm-dialog'
import type { Secret } from '../merchant/secret-dialog'
import { Button } from '../ui/button'
import { notice } from '../ui/notice'
import { Empty, Panel } from '../ui/panel'
import { Time } from '../ui/time'
import type { AgentBalance } from './use-balance'

const onError = ({ message }: { message: string }) => notice.error(message)

/** The live keys of a wallet's agent: made and revoked here. */
export function AgentKeys({ balance, onSecret }: { balance: AgentBalance; onSecret: (secret: Secret) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries(trpc.agent.balance.pathFilter())
  const create = useMutation(trpc.agent.createKey.mutationOptions({ onError, onSettled: refresh, onSuccess: onSecret }))
  const revoke = useMutation(trpc.agent.revokeKey.mutationOptions({ onError, onSettled: refresh }))
  const [asking, ask] = useState<string | null>(null)
  const [replacing, setReplacing] = useState(false)
  const { keys, mostKeys } = balance
  const full = keys.length >= mostKeys
  const make = (
    <Button size="small" disabled={create.isPending} onClick={() => (full ? setReplacing(true) : create.mutate())}>
      <Plus aria-hidden className="size-4" /> New key
    </Button>
  )
  return (
    <Panel title="Keys" action={make}>
      {keys.length === 0 ? (
        <Empty title="You have no live key" action={make}>
          A key is part of the facilitator URL that spends your credits.
        </Empty>
      ) : (
        <ul>
          {keys.map(({ id, prefix, createdAt, lastUsedAt }) => (
            <li
              key={id}
              className="flex items-center justify-between gap-3 border-0 border-b border-solid border-line px-4 py-2.5 last:border-b-0"
            >
              <span className="grid min-w-0">
                <code className="truncate">{prefix}…</code>
                <span className="text-[0.8125rem] text-soft">
                  made <Time at={createdAt} />, {lastUsedAt ? 'used ' : 'never used'}
                  {lastUsedAt ? <Time at={lastUsedAt} /> : null}
                </span>
              </span>
              <Button size="small" look="danger" onClick={() => ask(id)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={asking !== null}
        title="Revoke this key"
        action="Revoke it for good"
        danger
        onClose={() => ask(null)}
        onConfirm={() => asking && revoke.mutate({ id: asking }, { onSettled: () => ask(null) })}
      >
        Servers that use it are refused from their next payment on. Your credits stay, for your other keys.
      </ConfirmDialog>
      <ConfirmDialog
        open={replacing}
        title={`You have ${mostKeys} keys`}
        action="Make it all the same"
        danger
        onClose={() => setReplacing(false)}
        onConfirm={() => create.mutate(undefined, { onSettled: () => setReplacing(false) })}
      >
        No more can be live at once: a new one revokes the one that was unused for longest.
      </ConfirmDialog>
    </Panel>
  )
}
