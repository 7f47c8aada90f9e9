'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useState } from 'react'
import type { Root } from '@/server/trpc/router'
import { networkTitle } from '@/server/x402/networks/networks'
import { noticeFailure } from '../../client/notice-failure'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Linked } from '../../ui/explorer-link'
import { notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'

type Lane = inferRouterOutputs<Root>['admin']['quarantined'][number]

/** Signers that stay stopped until an operator releases them. */
export function Quarantined() {
  const trpc = useTRPC()
  // Not batched: it queries the RPCs.
  const lanes = useQuery(
    trpc.admin.quarantined.queryOptions(undefined, { refetchInterval: REFRESH_MS.networks, trpc: { context: { alone: true } } }),
  )
  if (lanes.error) return <Problem error={lanes.error} retry={lanes.refetch} />
  if (!lanes.data || lanes.data.length === 0) return null
  return (
    <div id="quarantined" className="scroll-mt-20 lg:scroll-mt-4">
      <Panel title="Quarantined signers" action={<Badge tone="bad">Not signing</Badge>}>
        <p className="px-4 pt-3 text-soft">
          The chain and the ledger disagree about these signers. They stay stopped until you check them. Other signers continue.
        </p>
        <ul>
          {lanes.data.map((lane) => (
            <Item key={lane.id} lane={lane} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function Item({ lane }: { lane: Lane }) {
  const { network, laneClass, address, why, since, releaseAt } = lane
  // The nonce shown in the dialog; if the chain moves on meanwhile, the server refuses the release.
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const release = useRelease(() => setConfirmed(null))
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 gap-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">
            {networkTitle(network)} <span className="font-normal text-soft">for {laneClass}</span>
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
          <span key={advice} className="max-w-prose text-sm text-soft">
            {advice}
          </span>
        ))}
      </div>
      {releaseAt === null ? null : (
        <Button size="small" look="danger" onClick={() => setConfirmed(releaseAt)}>
          Release at nonce {releaseAt}
        </Button>
      )}
      <ConfirmDialog
        open={confirmed !== null}
        title="Release this signer?"
        action={`Release at nonce ${confirmed}`}
        danger
        onClose={() => setConfirmed(null)}
        onConfirm={() => {
          if (confirmed !== null && !release.isPending) release.mutate({ id: lane.id, nextNonce: confirmed })
        }}
      >
        Confirm that you checked every transaction of <span className="break-all">{address}</span> before nonce {confirmed}, and
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
      onError: noticeFailure,
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
        'No instance has used this signer for minutes: none has its key, or their RPCs are down. If you removed the key for good, a release only clears this notice.',
      ]
    : []
  return [checkFor(lane), ...idle]
}

function checkFor({ chain, nextNonce, unknown, releaseAt }: Lane): string {
  if (chain === null || nextNonce === null) return 'No RPC answers for this signer. You can release it when one does.'
  if (unknown === null) {
    return `The ledger continues at nonce ${nextNonce}; the chain has mined ${chain.mined} transactions of this signer. If another program used the key, find its transactions in the explorer and remove the key from it. If the RPC lost some, release after it has them again; otherwise the signer returns here.`
  }
  const range = unknown.from === unknown.to ? `nonce ${unknown.from}` : `nonces ${unknown.from} to ${unknown.to}`
  const look = `The ledger has no record of ${range}. Find these transactions in the explorer and account for their payments.`
  return releaseAt === null ? `${look} Some are not mined yet; you can release the signer afterwards.` : look
}
