import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../devnet/chain'
import { settledPort } from '../devnet/free-ports'
import { localNetwork } from '../devnet/networks'
import type { Facilitator, Start } from './adapter'
import type { Target } from './load'
import { type ProcessUsage, processUsage } from './proc'
import type { RpcCount } from './rpc-count'
import { startCountingProxy } from './rpc-proxy'

/** A facilitator that its adapter has started. */
export type RunningFacilitator = Omit<Target, 'usage'> &
  Pick<Facilitator, 'name' | 'startProfile'> & {
    version: 1 | 2
    usage: () => Promise<ProcessUsage & RpcCount>
    stop: () => Promise<void>
  }

const SIGNER_WEI = 10n ** 21n

/** Starts a facilitator on a chain, with that many funded signers; `undefined` when its adapter skips, which `say` explains. */
export async function startFacilitator(
  start: Start,
  { chain, lanes, apiKeys, say }: { chain: Chain; lanes: number; apiKeys: number; say: (line: string) => void },
): Promise<RunningFacilitator | undefined> {
  const { id: network, usdc: asset } = localNetwork(chain.chainId)
  const signerKeys = Array.from({ length: lanes }, generatePrivateKey)
  for (const key of signerKeys) await chain.fund(privateKeyToAccount(key).address, SIGNER_WEI)
  const proxy = await startCountingProxy(chain.url)
  const folder = await mkdtemp(path.join(tmpdir(), 'quittance-bench-'))
  const clean = async () => {
    proxy.close()
    await rm(folder, { recursive: true, force: true })
  }
  const addresses = { rpcUrl: proxy.url, directRpcUrl: chain.url, port: await settledPort(0), folder }
  const started = await start({ ...addresses, network, asset, signerKeys, apiKeys }).catch(async (cause) => {
    await clean()
    throw cause
  })
  if ('skipped' in started) {
    say(`skipped ${started.skipped}`)
    return void (await clean())
  }
  const { name, url, version = 2, pid, rpcCount = async () => proxy.counts(), startProfile, stop } = started
  return {
    name,
    version,
    urls: [url].flat(),
    ...(startProfile && { startProfile }),
    async usage() {
      const [used, { requests, waiting, calls }] = await Promise.all([processUsage(pid), rpcCount()])
      return { ...used, requests, waiting, calls }
    },
    async stop() {
      await stop()
      await clean()
    },
  }
}
