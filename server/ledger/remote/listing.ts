import type { Log } from '../../base/log'
import { startLoop } from '../../base/loop'
import type { RemoteFacilitator, RemoteSupported } from './client'

/** What another facilitator publishes, as last read, so that no request waits for it. */
export type RemoteListing = {
  /** Its sender addresses on a network, lower case; null until the first response. */
  senders(network: string): readonly string[] | null
  /** Its fee payer on a network; null when it names none. */
  feePayer(network: string): string | null
  stop(): Promise<void>
}

const REFRESH_MS = 60_000
const RETRY_MS = 2_000
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/

/** Starts polling another facilitator's `/supported`. While it is unreachable, its last response stays. */
export function startListing(facilitator: RemoteFacilitator, tier: string, log: Log): RemoteListing {
  let latest: RemoteSupported | null = null
  const stopping = new AbortController()
  const polling = startLoop(
    async () => {
      latest = await facilitator.supported(stopping.signal)
      return REFRESH_MS
    },
    (error) => {
      if (!stopping.signal.aborted) log.warn({ err: error, tier }, 'the remote facilitator does not answer /supported')
    },
    RETRY_MS,
  )
  return {
    senders: (network) => latest && sendersIn(latest, network),
    feePayer: (network) => latest?.kinds.find((kind) => kind.network === network && kind.feePayer)?.feePayer ?? null,
    stop() {
      stopping.abort()
      return polling.stop()
    },
  }
}

function sendersIn({ signers }: RemoteSupported, network: string): string[] {
  const [family] = network.split(':')
  const named = Object.entries(signers).filter(([whose]) => whose === network || whose === `${family}:*`)
  const addresses = named.flatMap(([, addresses]) => addresses)
  return [...new Set(family === 'eip155' ? addresses.filter((address) => EVM_ADDRESS.test(address)) : addresses)]
}
