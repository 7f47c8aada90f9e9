import { fixture, readThrough } from '../fixture'
import { type Harness, type HarnessOptions, startHarness } from '../service/harness'
import { type RpcGate, startRpcGate } from './rpc-gate'

/** The service behind a node that a test can cut off, for the tests of a file. */
export function gatedHarness(options: Omit<HarnessOptions, 'rpcUrl'> = {}): { harness: Harness; gate: RpcGate } {
  const gated = fixture(async () => {
    let gate: RpcGate | undefined
    const harness = await startHarness({
      ...options,
      async rpcUrl(chain) {
        gate = await startRpcGate(chain.url)
        return gate.url
      },
    })
    if (!gate) throw new Error('a service needs a node')
    const opened = gate
    return { harness, gate: opened, close: () => harness.close().then(opened.close) }
  })
  return { harness: readThrough(() => gated.harness), gate: readThrough(() => gated.gate) }
}
