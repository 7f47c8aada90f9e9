import { z } from 'zod'
import { blockhashLife, type Commitment } from './blocks'
import { feeOf } from './fees'
import { slotsInEpoch } from './ledger'
import { decoded, type Method, method, onlyCommitment } from './method'
import { inContext, type Node } from './node'
import { readMessage } from './wire'

const perhapsCommitment = z.tuple([onlyCommitment])
const nothing = z.tuple([])

/** The newest blockhash at a commitment, and the last height at which it is valid. */
export function latestBlockhash({ blocks }: Node, commitment: Commitment) {
  const height = blocks.height(commitment)
  return { blockhash: blocks.hash(height), lastValidBlockHeight: height + blockhashLife }
}

/** The methods that read blocks and the cluster. */
export const blockMethods: Record<string, Method> = {
  getLatestBlockhash: method(perhapsCommitment, ([{ commitment }], node) => {
    return inContext(node, commitment, latestBlockhash(node, commitment))
  }),
  isBlockhashValid: method(z.tuple([z.string(), onlyCommitment]), ([blockhash, { commitment }], node) => {
    return inContext(node, commitment, node.blocks.isValid(blockhash, commitment))
  }),
  getBlockHeight: method(perhapsCommitment, ([{ commitment }], { blocks }) => blocks.height(commitment)),
  getSlot: method(perhapsCommitment, ([{ commitment }], { blocks }) => blocks.slot(commitment)),
  getEpochInfo: method(perhapsCommitment, ([{ commitment }], { blocks, ledger }) => {
    const absoluteSlot = blocks.slot(commitment)
    return {
      absoluteSlot,
      blockHeight: blocks.height(commitment),
      epoch: Math.floor(absoluteSlot / slotsInEpoch),
      slotIndex: absoluteSlot % slotsInEpoch,
      slotsInEpoch,
      transactionCount: ledger.transactionCount(),
    }
  }),
  getFirstAvailableBlock: method(nothing, (_, { history }) => history.firstSlot()),
  getGenesisHash: method(nothing, (_, { cluster }) => cluster.genesisHash),
  getVersion: method(nothing, () => ({ 'solana-core': '3.0.0', 'feature-set': 0 })),
  getHealth: method(nothing, () => 'ok'),
  getFeeForMessage: method(z.tuple([z.string(), onlyCommitment]), ([text, { commitment }], node) => {
    const { compiled } = readMessage(decoded(text, 'base64'))
    const { header, instructions, staticAccounts, lifetimeToken } = compiled
    const priced = instructions.map(({ programAddressIndex, data }) => ({
      program: staticAccounts[programAddressIndex] ?? '',
      data: new Uint8Array(data ?? []),
    }))
    const known = node.blocks.isValid(lifetimeToken, commitment)
    return inContext(node, commitment, known ? feeOf(header.numSignerAccounts, priced) : null)
  }),
}
