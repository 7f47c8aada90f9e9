import { base58 } from '@scure/base'
import { z } from 'zod'
import { type Commitment, commitments } from './blocks'
import type { Landed } from './history'
import { address, commitment, decoded, type Method, method, signature } from './method'
import { inContext, type Node } from './node'
import { readTransaction } from './wire'

// A node finds older ones only with searchTransactionHistory.
const recentSlots = 300

const statusConfig = z.object({ searchTransactionHistory: z.boolean().default(false) }).prefault({})
const transactionConfig = z
  .object({
    commitment,
    encoding: z.enum(['base58', 'base64', 'json', 'jsonParsed']).default('json'),
    maxSupportedTransactionVersion: z.int().optional(),
  })
  .prefault({})
const signaturesConfig = z
  .object({
    commitment,
    limit: z.int().min(1).max(1_000).default(1_000),
    before: signature.nullish(),
    until: signature.nullish(),
  })
  .prefault({})

function statusJson({ slot, err }: Landed, { blocks }: Node) {
  const confirmationStatus = blocks.commitmentOf(slot)
  const confirmations = confirmationStatus === 'finalized' ? null : blocks.slot('processed') - slot
  return { slot, confirmations, err, status: err === null ? { Ok: null } : { Err: err }, confirmationStatus }
}

function reached({ slot }: Landed, commitment: Commitment, { blocks }: Node): boolean {
  return commitments.indexOf(blocks.commitmentOf(slot)) >= commitments.indexOf(commitment)
}

function transactionJson(landed: Landed, encoding: 'base58' | 'base64' | 'json' | 'jsonParsed') {
  const { slot, blockTime, err, fee, logs, unitsConsumed, raw } = landed
  const bytes = decoded(raw, 'base64')
  const { version } = readTransaction(bytes)
  const meta = {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: BigInt(fee),
    preBalances: landed.preBalances.map(BigInt),
    postBalances: landed.postBalances.map(BigInt),
    preTokenBalances: landed.preTokenBalances,
    postTokenBalances: landed.postTokenBalances,
    logMessages: logs,
    innerInstructions: landed.innerInstructions,
    rewards: [],
    computeUnitsConsumed: unitsConsumed,
    ...(version === 0 ? { loadedAddresses: { writable: [], readonly: [] } } : {}),
  }
  const texts = { base58: () => [base58.encode(bytes), encoding], base64: () => [raw, encoding] }
  const transaction = encoding === 'base58' || encoding === 'base64' ? texts[encoding]() : wireJson(bytes)
  return { slot, blockTime, meta, transaction, version }
}

function wireJson(bytes: Uint8Array) {
  const { signatures, accounts, header, blockhash, instructions, version } = readTransaction(bytes)
  const [numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts] = header
  return {
    signatures: signatures.map((one) => base58.encode(one)),
    message: {
      accountKeys: accounts,
      header: { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
      recentBlockhash: blockhash,
      instructions: instructions.map(({ program, accounts: used, data }) => ({
        programIdIndex: accounts.indexOf(program),
        accounts: used,
        data: base58.encode(data),
        stackHeight: 1,
      })),
      ...(version === 0 ? { addressTableLookups: [] } : {}),
    },
  }
}

/** The methods that read transactions of the past. */
export const historyMethods: Record<string, Method> = {
  getSignatureStatuses: method(z.tuple([z.array(signature).max(256), statusConfig]), ([signatures, config], node) => {
    const oldest = node.blocks.slot('processed') - recentSlots
    const statuses = signatures.map((one) => {
      const landed = node.history.find(one)
      const isSeen = landed !== undefined && (config.searchTransactionHistory || landed.slot >= oldest)
      return isSeen ? statusJson(landed, node) : null
    })
    return inContext(node, 'processed', statuses)
  }),
  getTransaction: method(z.tuple([signature, transactionConfig]), ([one, config], node) => {
    const landed = node.history.find(one)
    if (landed === undefined || !reached(landed, config.commitment, node)) return null
    return transactionJson(landed, config.encoding)
  }),
  getSignaturesForAddress: method(z.tuple([address, signaturesConfig]), ([of, config], node) => {
    const seen = node.history.of(of).filter((landed) => reached(landed, config.commitment, node))
    const from = config.before ? seen.findIndex((landed) => landed.signature === config.before) + 1 : 0
    const until = config.until ? seen.findIndex((landed) => landed.signature === config.until) : -1
    return seen
      .slice(from, until < 0 ? undefined : until)
      .slice(0, config.limit)
      .map((landed) => ({
        signature: landed.signature,
        slot: landed.slot,
        err: landed.err,
        memo: null,
        blockTime: landed.blockTime,
        confirmationStatus: node.blocks.commitmentOf(landed.slot),
      }))
  }),
}
