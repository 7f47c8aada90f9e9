import type { AdapterContext, Facilitator } from '../adapter'
import { startChild } from '../child'

/** The official TypeScript facilitator, which uses one signer. It counts its calls in its process. */
export async function start({ directRpcUrl, signerKeys }: AdapterContext): Promise<Facilitator> {
  const [key = ''] = signerKeys
  const child = await startChild({ FACILITATOR: 'official', CHAIN_URL: directRpcUrl, SIGNER_KEY: key })
  return { name: 'official', url: child.urls, pid: child.pid, rpcCount: child.usage, stop: child.stop }
}
