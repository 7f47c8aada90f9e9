import { encodeEventTopics, type Hex, pad } from 'viem'
import { z } from 'zod'
import type { Authorization } from '../../x402/payment'
import type { Rpc } from '../rpc'
import { tokenAbi } from './calldata'
import { provesTransfer, type Receipt, readReceiptsInChain } from './receipts'

/** A transaction that used an authorization, by a transfer or a cancellation. */
export type Use = { from: Hex; nonce: Hex; hash: Hex }

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
const wireLogs = z.array(z.object({ address: hex, topics: z.array(hex), transactionHash: hex, removed: z.boolean().optional() }))

const USED = topicOf('AuthorizationUsed')
const CANCELED = topicOf('AuthorizationCanceled')
/** The block range that providers allow per query. */
const BLOCKS_MAX = 2_000n
const AUTHORIZATIONS_MAX = 100

/** The transactions that used these authorizations in this block range, both ends included. Throws on no response or an invalid one. */
export async function findUses(
  rpc: Rpc,
  asset: string,
  authorizations: readonly Authorization[],
  { from, to }: { from: bigint; to: bigint },
): Promise<Use[]> {
  const uses: Use[] = []
  for (let at = 0; at < authorizations.length; at += AUTHORIZATIONS_MAX) {
    const some = authorizations.slice(at, at + AUTHORIZATIONS_MAX)
    const topics = [[USED, CANCELED], some.map(({ from }) => pad(from)), some.map(({ nonce }) => nonce)]
    for (let block = from; block <= to; block += BLOCKS_MAX) {
      const last = block + BLOCKS_MAX - 1n < to ? block + BLOCKS_MAX - 1n : to
      const range = { fromBlock: quantity(block), toBlock: quantity(last) }
      const logs = wireLogs.parse(await rpc('eth_getLogs', [{ address: asset, topics, ...range }]))
      uses.push(...logs.filter(({ address, removed }) => address === asset && !removed).flatMap(useIn))
    }
  }
  return uses
}

/**
 * The transaction that used an authorization in the newest 2,000 blocks, and whether it made this exact transfer. Throws when the node
 * does not answer.
 */
export async function findUse(
  rpc: Rpc,
  asset: string,
  authorization: Authorization,
  newest: bigint,
): Promise<{ hash: Hex; paid: boolean } | null> {
  const from = newest > BLOCKS_MAX ? newest - BLOCKS_MAX + 1n : 0n
  const use = (await findUses(rpc, asset, [authorization], { from, to: newest })).at(-1)
  if (!use) return null
  const [receipt] = await readReceiptsInChain(rpc, [use.hash])
  if (!receipt || receipt instanceof Error) throw receipt ?? new Error('the node has a log and not its receipt')
  return { hash: use.hash, paid: provesTransfer(receipt, asset, authorization) }
}

/** Whether a transaction used an authorization, for any transfer. */
export function usesUp(receipt: Receipt, asset: string, { from, nonce }: Authorization): boolean {
  const uses = receipt.logs
    .filter(({ address }) => address === asset)
    .flatMap(({ topics }) => useIn({ topics, transactionHash: receipt.hash }))
  return receipt.succeeded && uses.some((use) => use.from === from && use.nonce === nonce)
}

function useIn({ topics, transactionHash }: { topics: Hex[]; transactionHash: Hex }): Use[] {
  const [event, authorizer, nonce] = topics
  if ((event !== USED && event !== CANCELED) || !authorizer || !nonce) return []
  return [{ from: `0x${authorizer.slice(-40)}`, nonce, hash: transactionHash }]
}

function topicOf(eventName: 'AuthorizationUsed' | 'AuthorizationCanceled'): Hex {
  const [topic] = encodeEventTopics({ abi: tokenAbi, eventName })
  return topic
}

const quantity = (value: bigint) => `0x${value.toString(16)}`
