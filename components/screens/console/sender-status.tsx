import { Badge } from '../../ui/badge'
import type { Sender } from './operations-status'

const STATUS = {
  starting: ['plain', 'Starting', 'It reads its balance and nonce first.'],
  ready: ['good', 'Ready', 'It sends payments.'],
  stuck: ['bad', 'Stuck', 'Its oldest transaction is not mined.'],
  'leased elsewhere': ['plain', 'Other instance', 'Another instance of the service sends with it.'],
  'wrong chain': ['bad', 'Wrong chain', 'Its RPC is on another chain.'],
  refused: ['bad', 'Refused', 'Its network is refused: the card of the network says why.'],
  quarantined: ['bad', 'Quarantined', 'Chain and ledger disagree: it signs nothing until you release it.'],
  'low balance': ['bad', 'Low gas', 'Its balance does not pay for gas. Fund it.'],
  stopped: ['warn', 'Stopped', 'It sends nothing.'],
} as const satisfies Record<Sender['status'], readonly [string, string, string]>

/** Whether a signer needs the operator. */
export function needsCare({ status }: Pick<Sender, 'status'>): boolean {
  const [tone] = STATUS[status]
  return tone === 'bad' || tone === 'warn'
}

/** The state of a signer, explained on hover. */
export function SenderStatus({ status }: Pick<Sender, 'status'>) {
  const [tone, words, why] = STATUS[status]
  return (
    <span title={why}>
      <Badge tone={tone}>{words}</Badge>
    </span>
  )
}
