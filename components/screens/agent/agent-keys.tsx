'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { noticeFailure } from '../../client/notice-failure'
import { LastUse, Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { ActionsMenu } from '../../ui/actions-menu'
import { Button } from '../../ui/button'
import { later } from '../../ui/later'
import { Empty, Panel } from '../../ui/panel'
import type { Secret } from '../../ui/secret-dialog'
import type { AgentBalance } from './use-balance'

// Loaded when first opened.
const ConfirmDialog = later(() => import('../../ui/confirm-dialog').then((loaded) => loaded.ConfirmDialog))

/** The keys of a wallet's agent. */
export function AgentKeys({ balance, onSecret }: { balance: AgentBalance; onSecret: (secret: Secret) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries(trpc.agent.balance.pathFilter())
  const create = useMutation(
    trpc.agent.createKey.mutationOptions({ onError: noticeFailure, onSettled: refresh, onSuccess: onSecret }),
  )
  const revoke = useMutation(trpc.agent.revokeKey.mutationOptions({ onError: noticeFailure, onSettled: refresh }))
  const [revoking, setRevoking] = useState<string | null>(null)
  const [replacing, setReplacing] = useState(false)
  const { keys, mostKeys } = balance
  const full = keys.length >= mostKeys
  const createButton = (
    <Button size="small" disabled={create.isPending} onClick={() => (full ? setReplacing(true) : create.mutate())}>
      <Plus aria-hidden className="size-4" /> New key
    </Button>
  )
  return (
    <Panel
      title="Keys"
      action={
        <span className="flex items-center gap-3 text-sm text-soft">
          {keys.length > 0 ? `${keys.length} of ${mostKeys}` : null}
          {keys.length > 0 ? createButton : null}
        </span>
      }
    >
      {keys.length === 0 ? (
        <Empty title="No active keys" action={createButton}>
          A key is part of the facilitator URL that spends your credits. All keys share them.
        </Empty>
      ) : (
        <ul>
          {keys.map(({ id, prefix, createdAt, lastUsedAt }) => (
            <li
              key={id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 border-b px-4 py-1.5 text-sm last:border-b-0 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
            >
              <code className="truncate font-medium">{prefix}…</code>
              <span className="text-soft max-md:row-start-2">
                <LastUse at={lastUsedAt} />
              </span>
              <span className="text-soft max-md:row-start-3">
                Created <Time at={createdAt} />
              </span>
              <span className="max-md:col-start-2 max-md:row-span-3 max-md:row-start-1">
                <ActionsMenu title={`${prefix}…`} actions={[{ name: 'Revoke', run: () => setRevoking(id), danger: true }]} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {revoking === null ? null : (
        <ConfirmDialog
          open
          title="Revoke this key?"
          action="Revoke key"
          danger
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke.mutate({ id: revoking }, { onSettled: () => setRevoking(null) })}
        >
          Servers that use it cannot settle any more. You cannot undo this. Your other keys keep your credits.
        </ConfirmDialog>
      )}
      {replacing ? (
        <ConfirmDialog
          open
          title={`You have ${mostKeys} keys`}
          action="Create and replace"
          danger
          onClose={() => setReplacing(false)}
          onConfirm={() => create.mutate(undefined, { onSettled: () => setReplacing(false) })}
        >
          That is the maximum. A new key revokes the one unused for longest.
        </ConfirmDialog>
      ) : null}
    </Panel>
  )
}
