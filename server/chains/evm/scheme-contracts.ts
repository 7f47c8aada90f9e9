import type { Hex } from 'viem'
import type { Log } from '../../base/log'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import { BATCH_SETTLEMENT_CONTRACT } from '../../x402/schemes/batch-settlement/contracts'
import { BATCH_SETTLEMENT } from '../../x402/schemes/batch-settlement/scheme'
import { PERMIT2, UPTO_PROXY } from '../../x402/schemes/permit2/contracts'
import { UPTO } from '../../x402/schemes/upto/scheme'
import type { Rpc } from '../rpc'
import { hasCode } from './row-check'

/** What must have code before anything can be paid by a scheme: a call of an account without code succeeds and moves nothing. */
const NEEDED: readonly { scheme: string; contracts: readonly Hex[] }[] = [
  { scheme: UPTO, contracts: [UPTO_PROXY, PERMIT2] },
  { scheme: BATCH_SETTLEMENT, contracts: [BATCH_SETTLEMENT_CONTRACT] },
]

/** The schemes of which a network lacks a contract, with the first that is missing. Throws when the node does not answer. */
export async function missingContracts(rpc: Rpc): Promise<ReadonlyMap<string, Hex>> {
  const found = await Promise.all(
    NEEDED.map(async ({ scheme, contracts }) => {
      const has = await Promise.all(contracts.map((contract) => hasCode(rpc, contract)))
      const missing = contracts.find((_, at) => !has[at])
      return missing ? ([[scheme, missing]] as const) : []
    }),
  )
  return new Map(found.flat())
}

/** What a process knows of the contracts of schemes on a network. */
export type SchemeCheck = {
  /** Whether all are there: asked until they are, at most every 30 seconds. Throws while no node answers and nothing is known. */
  isComplete(): Promise<boolean>
  /** The contract that a scheme lacks here; null if none is known to be missing. */
  missing(scheme: string): Hex | null
}

/** How long a missing contract is believed to be missing: a node may not have caught up. A contract that was there stays. */
const REMEMBERED_MS = 30_000

/** The check of a network's contracts. */
export function createSchemeCheck(rpc: Rpc, network: EvmNetworkId, log: Log): SchemeCheck {
  let known: { missing: ReadonlyMap<string, Hex>; at: number } | null = null
  return {
    async isComplete() {
      if (known && (known.missing.size === 0 || performance.now() - known.at < REMEMBERED_MS)) return known.missing.size === 0
      const first = await missingContracts(rpc)
      const missing = first.size === 0 ? first : await missingContracts(rpc)
      for (const [scheme, contract] of missing)
        if (!known?.missing.has(scheme)) log.warn({ network, scheme, contract }, whyNotOffered(network, scheme, contract))
      known = { missing, at: performance.now() }
      return missing.size === 0
    },
    missing: (scheme) => known?.missing.get(scheme) ?? null,
  }
}

/** Why a scheme is not offered on a network. */
export const whyNotOffered = (network: EvmNetworkId, scheme: string, contract: Hex): string =>
  `${scheme} is not offered on ${networkRow(network).title}: there is no contract at ${contract}`
