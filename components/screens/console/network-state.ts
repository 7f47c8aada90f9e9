import type { OperationsStatus, Sender } from './operations-status'
import { needsCare } from './sender-status'

type Network = OperationsStatus['networks'][number]
type State = readonly ['good' | 'warn' | 'bad' | 'plain', string]

const NODES = { 'wrong chain': 'Wrong chain', silent: 'RPC unreachable' } as const

/** The worst state of anything on a network, as its head says it. `senders`: its signers in this process; undefined while unknown. */
export function networkState(
  { contradiction, nodes, endpoints }: Pick<Network, 'contradiction' | 'nodes' | 'endpoints'>,
  senders: readonly Pick<Sender, 'status'>[] | undefined,
): State {
  if (contradiction !== null) return ['bad', 'Refused']
  if (nodes !== 'answers') return ['bad', NODES[nodes]]
  const [care = 0, count = 0] = [senders?.filter(needsCare).length, senders?.length]
  if (care > 0 && care === count) return ['bad', 'No signer ready']
  if (care > 0) return ['warn', `Signers: ${count - care} of ${count}`]
  const broken = endpoints.filter(({ status }) => status !== 'fit').length
  if (broken > 0) return ['warn', `Endpoints: ${endpoints.length - broken} of ${endpoints.length}`]
  if (senders?.some(({ status }) => status === 'starting')) return ['plain', 'Starting']
  return ['good', senders ? 'Healthy' : 'RPC healthy']
}
