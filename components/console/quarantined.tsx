'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useState } from 'react'
import type { Root } from '@/server/trpc/router'
import { useTRPC } from '../data/trpc'
import { ConfirmDialog } from '../merchant/confirm-dialog'
import { titleOf } from '../settlements/explorer'
import { Linked } from '../settlements/linked'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { notice } from '../ui/notice'
import { Panel, Problem } from '../ui/panel'
import { Time } from '../ui/time'

type Lane = inferRouterOutputs<Root>['admin']['quarantined'][number]

/** Signers that stand still until an operator has looked: nothing where there is none. */
export function Quarantined({ lookMs }: { lookMs: number }) {
  const trpc = useTRPC()
  // On its own: it asks the nodes.
  const lanes = useQuery(
    trpc.admin.quarantined.queryOptions(undefined, { refetchInterval: lookMs, trpc: { context: { alone: true } } }),
  )
  if (lanes.error) return <Problem error={lanes.error} retry={lanes.refetch} />
  if (!lanes.data || lanes.data.length === 0) return null
  return (
    <Panel title="Quarantined signers" action={<Badge tone="bad">they sign nothing</Badge>}>
      <p className="m-0 px-4 pt-3 text-soft">
        The chain and the ledger disagree about them, so they stand still until you have looked. The other signers go on.
      </p>
      <ul>
        {lanes.data.map((lane) => (
          <Item key={lane.id} lane={lane} />
        ))}
      </ul>
    </Panel>
  )
}

function Item({ lane }: { lane: Lane }) {
  const { network, laneClass, address, why, since, releaseAt } = lane
  // The nonce that was read when the dialog opened: should the chain go on meanwhile, the release is refused and not made elsewhere.
  const [asked, ask] = useState<string | null>(null)
  const release = useRelease(() => ask(null))
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-0 border-b border-solid border-line px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 gap-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">
            {titleOf(network)} <span className="font-normal text-soft">for {laneClass}</span>
          </span>
          <Linked network={network} address={address} label="signer" />
        </span>
        <span className="block first-letter:uppercase">
          {why ?? 'quarantined'}
          {since ? (
            <span className="text-soft">
              , since <Time at={since} />
            </span>
          ) : null}
        </span>
        {whatToDo(lane).map((advice) => (
          <span key={advice} className="max-w-prose text-[0.8125rem] text-soft">
            {advice}
          </span>
        ))}
      </div>
      {releaseAt === null ? null : (
        <Button size="small" look="danger" onClick={() => ask(releaseAt)}>
          Release at nonce {releaseAt}
        </Button>
      )}
      <ConfirmDialog
        open={asked !== null}
        title="Release this signer?"
        action={`Release at nonce ${asked}`}
        danger
        onClose={() => ask(null)}
        onConfirm={() => {
          if (asked !== null && !release.isPending) release.mutate({ id: lane.id, nextNonce: asked })
        }}
      >
        You say that you have looked at every transaction of <span className="break-all">{address}</span> before nonce {asked} and
        that no other program uses its key. It signs again once chain and ledger agree.
      </ConfirmDialog>
    </li>
  )
}

function useRelease(onSettled: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const lookAgain = () => {
    queries.invalidateQueries(trpc.admin.quarantined.pathFilter())
    queries.invalidateQueries(trpc.admin.senders.pathFilter())
  }
  return useMutation(
    trpc.admin.releaseLane.mutationOptions({
      onSuccess: () => notice.success('Released. It signs again once chain and ledger agree.'),
      onError: ({ message }) => notice.error(message),
      onSettled: () => {
        onSettled()
        lookAgain()
      },
    }),
  )
}

function whatToDo(lane: Lane): string[] {
  const idle = lane.idle
    ? [
        'No instance has held it for minutes: none has its key, or their nodes do not answer. If you took the key away for good, a release only ends this notice.',
      ]
    : []
  return [theLook(lane), ...idle]
}

function theLook({ chain, nextNonce, unknown, releaseAt }: Lane): string {
  if (chain === null || nextNonce === null) return 'No node says what the chain knows of it. It can be released when one does.'
  if (unknown === null) {
    return `The ledger goes on at nonce ${nextNonce}; the chain has mined ${chain.mined} transactions of this signer. If another program used the key, find its transactions in the explorer and take the key away from it. If the chain has forgotten some, a release helps once its node knows them again: until then the signer comes back here.`
  }
  const range = unknown.from === unknown.to ? `nonce ${unknown.from}` : `nonces ${unknown.from} to ${unknown.to}`
  const look = `The ledger does not know its transactions with ${range}: find them in the explorer and account for their payments.`
  return releaseAt === null ? `${look} Some of them wait for a block; it can be released when they are mined.` : look
}
