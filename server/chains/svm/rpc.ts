import type { Log } from '../../log'
import type { SvmNetworkId } from '../../x402/networks'

/** stub */
export type SvmRpc = (method: string, params: unknown[]) => Promise<unknown>

/** stub */
export function createSvmRpc(urls: string[], network: SvmNetworkId, log: Log): SvmRpc {
  log.debug({ network }, 'stub')
  throw new Error(`not there yet ${urls.length}`)
}
