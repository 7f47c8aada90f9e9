import { base58 } from '@scure/base'
import { z } from 'zod'
import { accountJson } from './account-methods'
import { latestBlockhash } from './block-methods'
import type { Commitment } from './blocks'
import { airdropTransaction } from './faucet'
import { address, commitment, decoded, type Method, method, onlyCommitment, whole } from './method'
import { inContext, type Node } from './node'
import { invalidParams, RpcError } from './rpc-error'
import type { Simulation } from './runtime'
import { parsedTransfer } from './tokens'
import { describeError } from './transaction-errors'
import { isFullySigned, readTransaction, type WireTransaction } from './wire'

const encoding = z.enum(['base58', 'base64']).default('base58')
const simulateConfig = z.object({
  commitment,
  encoding,
  sigVerify: z.boolean().default(false),
  replaceRecentBlockhash: z.boolean().default(false),
  innerInstructions: z.boolean().optional(),
  accounts: z.object({ addresses: z.array(address), encoding: z.enum(['base64', 'jsonParsed']).default('base64') }).nullish(),
})
const sendConfig = z
  .object({
    encoding,
    skipPreflight: z.boolean().default(false),
    preflightCommitment: commitment,
    maxRetries: whole.nullish(),
  })
  .prefault({})

function simulationJson({ err, logs, unitsConsumed, returnData }: Simulation) {
  return { err, logs, unitsConsumed, returnData, innerInstructions: null as unknown }
}

/** Inner instructions as a node writes them in simulations: a token transfer by its fields, others by addresses. */
function innerJson({ innerInstructions }: Simulation, { accounts }: WireTransaction, node: Node): object[] {
  const at = (place: number) => accounts[place] ?? ''
  return innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ programIdIndex, accounts: used, data, stackHeight }) => {
      const [programId, named] = [at(programIdIndex), used.map(at)]
      const parsed = parsedTransfer(node.runtime, programId, named, base58.decode(data))
      return parsed ? { program: 'spl-token', programId, parsed, stackHeight } : { programId, accounts: named, data, stackHeight }
    }),
  }))
}

function requireSigned(transaction: WireTransaction): void {
  if (!isFullySigned(transaction)) throw new RpcError(-32003, 'Transaction signature verification failure')
}

function preflight(transaction: WireTransaction, commitment: Commitment, { ledger }: Node): void {
  requireSigned(transaction)
  const simulation = ledger.simulate(transaction, { commitment, anyBlockhash: false })
  if (simulation.err === null) return
  throw new RpcError(-32002, `Transaction simulation failed: ${describeError(simulation.err)}`, {
    ...simulationJson(simulation),
    accounts: null,
  })
}

/** The methods that simulate or send transactions. */
export const sendMethods: Record<string, Method> = {
  simulateTransaction: method(z.tuple([z.string(), simulateConfig]), ([text, config], node) => {
    const { commitment, sigVerify, replaceRecentBlockhash, accounts: wanted } = config
    const transaction = readTransaction(decoded(text, config.encoding))
    if (sigVerify && replaceRecentBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    if (sigVerify) requireSigned(transaction)
    if (wanted && wanted.addresses.length > transaction.accounts.length) {
      throw invalidParams(`Too many accounts provided; max ${transaction.accounts.length}`)
    }
    const simulation = node.ledger.simulate(transaction, { commitment, anyBlockhash: replaceRecentBlockhash })
    const accounts = wanted?.addresses.map((one) =>
      simulation.err === null ? accountJson(simulation.after(one), { encoding: wanted.encoding }) : null,
    )
    return inContext(node, commitment, {
      ...simulationJson(simulation),
      ...(config.innerInstructions ? { innerInstructions: innerJson(simulation, transaction, node) } : {}),
      accounts: accounts ?? null,
      ...(replaceRecentBlockhash ? { replacementBlockhash: latestBlockhash(node, commitment) } : {}),
    })
  }),
  sendTransaction: method(z.tuple([z.string(), sendConfig]), ([text, config], node) => {
    const transaction = readTransaction(decoded(text, config.encoding))
    if (!config.skipPreflight) preflight(transaction, config.preflightCommitment, node)
    node.ledger.submit(transaction)
    return transaction.signature
  }),
  requestAirdrop: method(z.tuple([address, whole, onlyCommitment]), async ([to, lamports], node) => {
    const { blockhash } = latestBlockhash(node, 'processed')
    const transaction = await airdropTransaction(node.faucet, to, BigInt(lamports), blockhash)
    node.ledger.submit(transaction)
    return transaction.signature
  }),
}
