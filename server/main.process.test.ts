import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../devnet/chain'
import { fundedKey } from '../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../test/support/database/database'
import { type RpcProxy, startRpcProxy } from '../test/support/nodes/faulty-node'
import { ADMIN_KEY } from '../test/support/service/harness'
import { startMainProcess } from '../test/support/service/main-process'
import { until } from '../test/support/until'

let chain: Chain
let node: RpcProxy
let database: FreshDatabase
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  node = await startRpcProxy(chain.url)
})
afterAll(() => Promise.all([database.close(), chain.stop(), node.close()]))

test('the service listens at once, and is ready only when it accepts payments', async () => {
  const env = {
    ADMIN_KEY,
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: node.url,
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain),
  }
  node.receive(() => 'cut')
  const service = await startMainProcess(env, '"msg":"listening"')
  const ready = () => service.output().includes('"msg":"ready"')
  const statusOf = async (path: string) => (await fetch(`${service.url}${path}`)).status
  try {
    expect([await statusOf('/health'), await statusOf('/health?ready=1')]).toEqual([200, 503])
    await until(() => node.requests() > 0, 'the lane to ask its node')
    expect([ready(), await statusOf('/health')]).toEqual([false, 200])
    node.calm()
    await until(ready, 'the service to be ready', 30_000)
    expect(await statusOf('/health?ready=1')).toBe(200)
    expect(service.log().split('"msg":"ready"')).toHaveLength(2)
  } finally {
    await service.kill('SIGKILL')
  }
})
