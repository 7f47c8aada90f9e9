import { z } from 'zod'
import type { Log } from '../../log'
import type { SvmNetworkId } from '../../x402/networks'
import { type AroundCall, type Nodes, openNodes } from '../rpc'
import { invalidTransaction, readAnswer } from './answers'

const SENDS: ReadonlySet<string> = new Set(['sendTransaction'])

/** A JSON-RPC client over endpoints of a Solana cluster. Every call is an HTTP request of its own: public endpoints refuse batches. */
export function createSvmRpc(urls: string[], network: SvmNetworkId, log: Log, around?: AroundCall): Nodes {
  return openNodes(
    urls,
    network,
    {
      proof: { method: 'getGenesisHash', holds: (answer) => isGenesisOf(network, answer) },
      batched: false,
      isFinal: (error) => invalidTransaction(error) !== null,
      isPassing: () => false,
      sends: SENDS,
    },
    log,
    around,
  )
}

const genesisHash = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)

/** Whether the answer to `getGenesisHash` is the network's own. Throws when it is no hash. */
export function isGenesisOf(network: SvmNetworkId, answer: unknown): boolean {
  const [, reference = ''] = network.split(':')
  return readAnswer(genesisHash, answer, 'getGenesisHash').startsWith(reference)
}
