import { nonceManager } from 'viem'
import { fundedKey } from '../chain/funded-key'
import { type Harness, type HarnessOptions, startHarness } from '../service/harness'
import { type OfficialFacilitator, startOfficialFacilitator } from './official-facilitator'
import { type RemoteProxy, startRemoteProxy } from './remote-proxy'

export const TOKEN = 'a-secret-of-the-remote-facilitator'

/** A service whose tiers the official facilitator serves, behind a proxy that a test can disturb. */
export type RemoteHarness = { harness: Harness; line: RemoteProxy; official: OfficialFacilitator; close: () => Promise<void> }

type Tier = 'STANDARD' | 'FLASH' | 'SANDBOX'

/** Starts the service. Our own sandbox signers have ether too, and must stay unused. */
export async function startRemoteHarness(
  options: HarnessOptions = {},
  tiers: readonly Tier[] = ['STANDARD', 'FLASH', 'SANDBOX'],
): Promise<RemoteHarness> {
  const parts: { line?: RemoteProxy; official?: OfficialFacilitator } = {}
  const env: Record<string, string> = { ...options.env }
  const harness = await startHarness({
    ...options,
    env,
    async rpcUrl(chain) {
      const key = await fundedKey(chain)
      parts.official = await startOfficialFacilitator({ chainId: 84532, chainUrl: chain.url, key, nonceManager })
      parts.line = await startRemoteProxy(parts.official.url)
      for (const tier of tiers) {
        env[`REMOTE_${tier}_URL`] = `${parts.line.url}/`
        env[`REMOTE_${tier}_TOKEN`] = TOKEN
      }
      return (await options.rpcUrl?.(chain)) ?? chain.url
    },
  })
  const { line, official } = parts
  if (!line || !official) throw new Error('the facilitator was not started')
  return {
    harness,
    line,
    official,
    async close() {
      await harness.close()
      await line.close()
      await official.close()
    },
  }
}
