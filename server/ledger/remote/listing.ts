import type { Log } from '../../log'
import { startLoop } from '../loop'
import type { RemoteFacilitator, RemoteSupported } from './client'

/** What another facilitator publishes, as last read: no request waits for it. */
export type RemoteListing = {
  /** Addresses that send for it on a network, lower case; null until it has told once. */
  senders(network: string): readonly string[] | null
  /** The account that pays its fees on a network, where it names one. */
  feePayer(network: string): string | null
  stop(): Promise<void>
}

const REFRESH_MS = 60_000
const RETRY_MS = 2_000
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/

/** Starts asking another facilitator what it supports, again and again. While it is away, what it told last stays. */
export function startListing(facilitator: RemoteFacilitator, tier: string, log: Log): RemoteListing {
  let heard: RemoteSupported | null = null
  const stopping = new AbortController()
  const asking = startLoop(
    async () => {
      heard = await facilitator.supported(stopping.signal)
      return REFRESH_MS
    },
    (error) => {
      if (!stopping.signal.aborted) log.warn({ err: error, tier }, 'the remote facilitator does not tell what it supports')
    },
    RETRY_MS,
  )
  return {
    senders: (network) => heard && sendersIn(heard, network),
    feePayer: (network) => heard?.kinds.find((kind) => kind.network === network && kind.feePayer)?.feePayer ?? null,
    stop() {
      stopping.abort()
      return asking.stop()
    },
  }
}

function sendersIn({ signers }: RemoteSupported, network: string): string[] {
  const [family] = network.split(':')
  const named = Object.entries(signers).filter(([whose]) => whose === network || whose === `${family}:*`)
  const addresses = named.flatMap(([, addresses]) => addresses)
  return [...new Set(family === 'eip155' ? addresses.filter((address) => EVM_ADDRESS.test(address)) : addresses)]
}
