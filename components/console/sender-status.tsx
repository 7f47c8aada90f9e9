import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { Badge } from '../ui/badge'

export type Sender = inferRouterOutputs<Root>['admin']['senders'][number]

const STATUS = {
  starting: ['plain', 'Starting'],
  ready: ['good', 'Ready'],
  stuck: ['bad', 'Stuck: oldest transaction not mined'],
  'leased elsewhere': ['plain', 'Used by another instance'],
  'wrong chain': ['bad', 'RPC on the wrong chain'],
  quarantined: ['bad', 'Quarantined: chain and ledger disagree'],
  'low balance': ['bad', 'Low gas balance'],
  stopped: ['warn', 'Stopped'],
} as const satisfies Record<Sender['status'], readonly [string, string]>

/** Whether a signer needs the operator. */
export function needsCare({ status }: Pick<Sender, 'status'>): boolean {
  const [tone] = STATUS[status]
  return tone === 'bad' || tone === 'warn'
}

/** The state of a signer. */
export function SenderStatus({ status }: Pick<Sender, 'status'>) {
  const [tone, words] = STATUS[status]
  return <Badge tone={tone}>{words}</Badge>
}
