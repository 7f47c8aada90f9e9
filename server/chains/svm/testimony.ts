import { z } from 'zod'
import type { Rpc } from '../rpc'
import { count, readAnswer, readValue } from './answers'
import type { SvmStatus } from './chain'
import { readStatusesAt } from './statuses'

/** A transaction that is looked for, and the blockhash with which it could land; null where that does not matter. */
export type Sought = { signature: string; blockhash: string | null }

/**
 * What one node knows, in the order in which it was asked: heights first, so that whatever had landed by then is in the statuses.
 * A node proves an absence only between its first slot and the slot that its statuses are of.
 */
export type Testimony = {
  /** Its place in the list of nodes. */
  place: number
  /** The newest block that will never change. */
  finalized: { height: bigint; slot: bigint }
  /** The first slot of which it still knows all transactions. */
  firstSlot: bigint
  /** The slot that its statuses are of at least. */
  slot: bigint
  /** By signature, from its whole history. */
  statuses: ReadonlyMap<string, SvmStatus | null>
  /** Blockhashes that it would still take, by its newest block or its finalized one. */
  validBlockhashes: ReadonlySet<string>
}

const epochInfo = z.object({ absoluteSlot: count, blockHeight: count })

/** Asks each node for all of it. One that does not answer everything has said nothing. */
export async function readTestimonies(nodes: readonly Rpc[], asked: readonly Sought[]): Promise<Testimony[]> {
  const heard = await Promise.allSettled(nodes.map((node, place) => testify(node, place, asked)))
  return heard.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

async function testify(node: Rpc, place: number, asked: readonly Sought[]): Promise<Testimony> {
  const { absoluteSlot, blockHeight } = readAnswer(
    epochInfo,
    await node('getEpochInfo', [{ commitment: 'finalized' }]),
    'getEpochInfo',
  )
  const firstSlot = readAnswer(count, await node('getFirstAvailableBlock', []), 'getFirstAvailableBlock')
  const signatures = asked.map(({ signature }) => signature)
  const { statuses, slot } = await readStatusesAt(node, signatures, true)
  const blockhashes = [...new Set(asked.flatMap(({ blockhash }) => blockhash ?? []))]
  const valid = await Promise.all(blockhashes.map((blockhash) => isValid(node, blockhash)))
  return {
    place,
    finalized: { height: blockHeight, slot: absoluteSlot },
    firstSlot,
    slot,
    statuses: new Map(signatures.map((signature, at) => [signature, statuses[at] ?? null])),
    validBlockhashes: new Set(blockhashes.filter((_, at) => valid[at])),
  }
}

// The newest block knows young ones that the finalized one does not, and forgets old ones earlier: gone is what neither knows.
async function isValid(node: Rpc, blockhash: string): Promise<boolean> {
  const method = 'isBlockhashValid'
  const at = async (commitment: string) => readValue(z.boolean(), await node(method, [blockhash, { commitment }]), method)
  const valid = await Promise.all([at('processed'), at('finalized')])
  return valid.includes(true)
}
