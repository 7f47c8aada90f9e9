import { startCluster } from '../../test/support/database/postgres'
import type { AdapterContext, Facilitator } from '../adapter'
import { startChild } from '../child'

/** Our service on a PostgreSQL of its own with durable commits. It counts its calls in its process. */
export async function start({ directRpcUrl, signerKeys, apiKeys }: AdapterContext): Promise<Facilitator> {
  const cluster = await startCluster({ durable: true })
  const child = await startChild({
    FACILITATOR: 'ours',
    CHAIN_URL: directRpcUrl,
    DATABASE_URL: cluster.url('postgres'),
    SIGNER_KEY: signerKeys.join(','),
    API_KEYS: String(apiKeys),
  })
  return {
    name: 'ours',
    url: child.urls,
    pid: child.pid,
    rpcCount: child.usage,
    startProfile() {
      child.profile()
      return child.endProfile
    },
    async stop() {
      await child.stop()
      await cluster.remove()
    },
  }
}
