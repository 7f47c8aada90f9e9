import type { Hex } from 'viem'
import type { Rpc } from '../rpc'
import { hasCode } from './row-check'

/** A factory that the operator allows, and whether it has code on a network; null while no node has said so. */
export type FactoryStatus = { address: Hex; hasCode: boolean | null }

/** How long an answer is believed: a factory may be deployed later. */
const REMEMBERED_MS = 60_000

/** Whether each factory has code. The calls leave as one HTTP request. Throws when the node does not answer. */
export function readFactories(rpc: Rpc, factories: readonly Hex[]): Promise<FactoryStatus[]> {
  return Promise.all(factories.map(async (address) => ({ address, hasCode: await hasCode(rpc, address) })))
}

/** The factories as they are known now. Each call reads them again in the background if the answer is old; a silent node changes nothing. */
export function createFactoryCheck(rpc: Rpc, factories: readonly Hex[]): () => readonly FactoryStatus[] {
  let known: readonly FactoryStatus[] = factories.map((address) => ({ address, hasCode: null }))
  let askAfter = 0

  async function refresh(): Promise<void> {
    try {
      known = await readFactories(rpc, factories)
    } catch {
      // The health of the nodes is shown beside it.
    }
  }

  return () => {
    const now = performance.now()
    if (factories.length > 0 && now >= askAfter) {
      askAfter = now + REMEMBERED_MS
      void refresh()
    }
    return known
  }
}
