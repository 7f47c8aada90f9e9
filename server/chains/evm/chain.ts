import DataLoader from 'dataloader'
import { getAddress, type Hex, numberToHex, size } from 'viem'
import { scrub } from '../../base/log'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import type { EvmPayment } from '../../x402/payment'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import { isForeign } from '../endpoint'
import { rejectionOf } from '../json-rpc'
import type { Rpc } from '../rpc'
import { type ApprovalState, readApprovalState } from './approvals'
import { type Channels, createChannels } from './channels'
import { costOn, createL1Fee, type Fees, isTooDear, transfersLong } from './gas'
import { type Examination, examineOnChain, type Factories, type Judgement } from './judgement'
import { type JudgingRequest, judgeTogether } from './judging-together'
import { type AuthorizationState, balanceData, checkBatch, type Preflight, readAuthorizationStates, readCodes } from './preflight'
import type { Receipt } from './receipts'
import { readPreconfirmation, readReceiptsInChain } from './receipts'
import { asHex, type Head, readBlock, readFinalizedBlock, readHead } from './rpc'
import type { Signer } from './signer'
import { fundingCall, mostOf, noopCall, type SignedTransaction, signCall, transfersCall } from './transactions'
import { type FoundUse, findUse, findUses, type Use, usesInBlock } from './uses'

/**
 * A node's response to a send. Only `accepted` and `known` mean that it has the bytes; after `refused` or `silent` it may have them
 * too, so never conclude a failure.
 */
export type SendAnswer = { answer: 'accepted' | 'known' | 'refused' | 'silent'; detail: string }

/** One EVM network for the engine and the judges. Read methods throw when the node does not answer. */
export type EvmChain = {
  network: EvmNetworkId
  title: string
  /** The same network through each endpoint alone, if there are several: what ends a payment is asked of two. */
  witnesses: readonly EvmChain[]
  judge(payment: EvmPayment, now: bigint): Promise<Judgement>
  channels: Channels
  /** Judges a payment alone, and returns what the chain said too. */
  examine(payment: EvmPayment, now: bigint): Promise<Examination>
  /** Whether the node is on the expected chain. */
  isExpected(): Promise<boolean>
  head(): Promise<Head>
  /** The lowest base fee that an endpoint names; null when none responds. */
  lowestBaseFee(): Promise<bigint | null>
  /**
   * The newest block that the network finalized, at most the newest that the node has. With several endpoints two must name it or a later
   * one. Throws when they do not.
   */
  finalizedBlock(): Promise<bigint>
  /** The hashes of these blocks of the chain, in their order; null for one that the node does not have. */
  blockHashes(numbers: readonly bigint[]): Promise<(Hex | null)[]>
  /** The transaction count of an address: in the newest block, or in the named one. */
  transactionCount(address: Hex, at?: Head): Promise<bigint>
  /** The transaction count of an address including pending ones without a gap. */
  pendingCount(address: Hex): Promise<bigint>
  /** Both counts from each endpoint that responds. */
  countsOfNodes(address: Hex): Promise<{ mined: bigint; pending: bigint }[]>
  balance(address: Hex): Promise<bigint>
  /** The balance of an address in a token, in atomic units. */
  tokenBalance(asset: string, address: string): Promise<bigint>
  /** In the named block: a replica without it answers with an error, not with old data. */
  authorizationUsed(transfer: SignedTransfer, at: Head): Promise<boolean>
  /** Whether authorizations are used, and their payers' balances: in the newest block, or in the named one. */
  authorizationStates(transfers: readonly SignedTransfer[], block?: { blockHash: Hex }): Promise<AuthorizationState[]>
  /** The transaction that used an authorization in the newest 2,000 blocks. */
  findUse(transfer: SignedTransfer): Promise<FoundUse | null>
  /** The transactions that used these authorizations in these blocks. */
  uses(transfers: readonly SignedTransfer[], blocks: { from: bigint; to: bigint }): Promise<Use[]>
  /**
   * Receipts of mined transactions, in the order of the hashes. An Error replaces a missing or invalid one, so that the others are
   * still returned. A receipt is invalid when the chain lacks its block; `newest` is a known newest block.
   */
  receipts(hashes: Hex[], newest?: Head): Promise<(Receipt | Error | null)[]>
  /** Receipts from an endpoint that preconfirms: no block has to hold them yet. */
  preconfirmations(hashes: Hex[]): Promise<(Receipt | Error | null)[]>
  /** The code of these accounts in a block of the chain; `0x` without code. */
  codesAt(accounts: readonly Hex[], blockHash: Hex): Promise<Hex[]>
  /** The transactions of a block that used an authorization. */
  usesIn(transfer: SignedTransfer, blockHash: Hex): Promise<Hex[]>
  /** The maximum cost of a transaction, in wei. */
  costOf(baseFee: bigint, gas: bigint): bigint
  /** The most that a signed transaction takes from its signer, in wei. */
  mostOf(signed: Pick<SignedTransaction, 'raw' | 'gas' | 'maxFeePerGas'>): bigint
  /** The preflight of transfers right before signing, behind others in flight. */
  checkBatch(signer: Signer, transfers: readonly SignedTransfer[], inFlight: readonly SignedTransfer[]): Promise<Preflight[]>
  /** The transaction for these transfers; `guarded` caps the gas of each in a batch of any size. */
  sign(signer: Signer, nonce: bigint, transfers: readonly SignedTransfer[], fees: Fees, guarded: boolean): SignedTransaction
  /** The most that a payer's own approval may cost us, with its price on an L1, in wei; 0: none is sent. */
  approvalMax: bigint
  /** How far the approval of a transfer is. */
  approvalState(transfer: SignedTransfer): Promise<ApprovalState>
  /** A transaction that sends ether to a payer. */
  signFunding(signer: Signer, nonce: bigint, to: Hex, value: bigint, fees: Fees): SignedTransaction
  /** A transaction that only uses the nonce. */
  signNoop(signer: Signer, nonce: bigint, fees: Fees): SignedTransaction
  send(raw: Hex): Promise<SendAnswer>
}

async function lowestBaseFee(nodes: readonly Rpc[], network: EvmNetworkId): Promise<bigint | null> {
  const heads = await Promise.allSettled(nodes.map((node) => readHead(node, network)))
  const fees = heads.flatMap((head) => (head.status === 'fulfilled' ? [head.value.baseFee] : []))
  return fees.reduce<bigint | null>((least, fee) => (least === null || fee < least ? fee : least), null)
}

/**
 * What a chain allows beside payments: wallets of such factories that are not deployed yet, and payers' approvals of such a price.
 * Transactions go to `sends` alone, which may be other endpoints.
 */
export type Allowed = { factories: Factories; approvalMax: bigint; sends: Rpc }

/** The chain of a network over a JSON-RPC client with the endpoints `nodes`. Unless `allowed` says so, it allows nothing beside payments. */
export function createEvmChain(
  network: EvmNetworkId,
  rpc: Rpc,
  nodes: readonly Rpc[] = [rpc],
  { factories = new Set(), approvalMax = 0n, sends = rpc }: Partial<Allowed> = {},
): EvmChain {
  const { chainId, title } = networkRow(network)
  const quantityOf = async (node: Rpc, method: string, params: unknown[]) => BigInt(asHex(await node(method, params), method))
  const quantity = (method: string, params: unknown[]) => quantityOf(rpc, method, params)
  const l1Fee = createL1Fee(network, rpc)
  /** A base fee above the row's ceiling may be false: then the lowest of all endpoints counts. */
  async function priced(judgement: Judgement): Promise<Judgement> {
    if (!judgement.valid || !isTooDear(network, judgement.baseFee)) return judgement
    return { ...judgement, baseFee: (await lowestBaseFee(nodes, network)) ?? judgement.baseFee }
  }
  // The payments of one turn of the event loop are judged together.
  const judges = new DataLoader(
    async (requests: readonly JudgingRequest[]) => judgeTogether(rpc, requests, factories).map((judging) => ({ judging })),
    { cache: false, batchScheduleFn: (run) => void setImmediate(run) },
  )
  return {
    network,
    title,
    approvalMax,
    witnesses:
      nodes.length > 1 ? nodes.map((node) => createEvmChain(network, node, [node], { factories, approvalMax, sends })) : [],
    channels: createChannels(rpc, network),
    judge: async (payment, now) => priced(await (await judges.load({ payment, now })).judging),
    examine: (payment, now) => examineOnChain(rpc, payment, now, factories),
    isExpected: () =>
      quantity('eth_chainId', []).then(
        (id) => id === BigInt(chainId),
        (error: unknown) => {
          if (isForeign(error)) return false
          throw error
        },
      ),
    transactionCount: (address, at) => quantity('eth_getTransactionCount', [address, at ? { blockHash: at.hash } : 'latest']),
    pendingCount: (address) => quantity('eth_getTransactionCount', [address, 'pending']),
    async countsOfNodes(address) {
      const count = (node: Rpc, block: string) => quantityOf(node, 'eth_getTransactionCount', [address, block])
      const counts = nodes.map((node) => Promise.all([count(node, 'latest'), count(node, 'pending')]))
      const results = await Promise.allSettled(counts)
      return results.flatMap((one) => (one.status === 'fulfilled' ? [{ mined: one.value[0], pending: one.value[1] }] : []))
    },
    balance: (address) => quantity('eth_getBalance', [address, 'latest']),
    tokenBalance: (asset, address) => quantity('eth_call', [{ to: asset, data: balanceData(getAddress(address)) }, 'latest']),
    head: async () => (await Promise.all([readHead(rpc, network), l1Fee.refresh()]))[0],
    async finalizedBlock() {
      const results = await Promise.allSettled(nodes.map(readFinalizedBlock))
      const numbers = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const confirmed = numbers.sort((one, other) => (one < other ? 1 : -1))[nodes.length > 1 ? 1 : 0]
      if (confirmed !== undefined) return confirmed
      const cause = results.find((one) => one.status === 'rejected')?.reason
      throw new Error('no two endpoints named a finalized block', { cause })
    },
    lowestBaseFee: () => lowestBaseFee(nodes, network),
    blockHashes: (numbers) =>
      Promise.all(
        numbers.map(async (number) => {
          const block = await readBlock(rpc, numberToHex(number))
          return block && asHex(block.hash, 'hash')
        }),
      ),
    async authorizationUsed(transfer, at) {
      const method = methodFor(transfer)
      const answer = await rpc('eth_call', [method.usedCall(transfer), { blockHash: at.hash }])
      return method.isUsed(transfer, asHex(answer, 'eth_call'))
    },
    authorizationStates: (transfers, block) => readAuthorizationStates(rpc, network, transfers, block),
    findUse: async (transfer) => findUse(rpc, transfer, (await readHead(rpc, network)).number),
    uses: (transfers, blocks) => findUses(rpc, transfers, blocks),
    receipts: (hashes, newest) => readReceiptsInChain(rpc, hashes, newest),
    preconfirmations: (hashes) => Promise.all(hashes.map((hash) => readPreconfirmation(rpc, hash))),
    codesAt: (accounts, blockHash) => readCodes(rpc, accounts, { blockHash }),
    usesIn: (transfer, blockHash) => usesInBlock(rpc, transfer, blockHash),
    costOf: (baseFee, gas) => costOn(network, baseFee, gas) + l1Fee.known(),
    mostOf: (signed) => mostOf(signed) + l1Fee.known() * transfersLong(size(signed.raw)),
    checkBatch: (signer, transfers, inFlight) => checkBatch(rpc, network, signer.address, transfers, inFlight),
    sign: (signer, nonce, transfers, fees, guarded) =>
      signCall(network, signer, nonce, transfersCall(network, transfers, guarded), fees),
    approvalState: (transfer) => readApprovalState(rpc, network, transfer),
    signFunding: (signer, nonce, to, value, fees) => signCall(network, signer, nonce, fundingCall(network, to, value), fees),
    signNoop: (signer, nonce, fees) => signCall(network, signer, nonce, noopCall(network, signer), fees),
    async send(raw) {
      try {
        await sends('eth_sendRawTransaction', [raw])
        return { answer: 'accepted', detail: '' }
      } catch (error) {
        const rejection = rejectionOf(error)
        if (!rejection) return { answer: 'silent', detail: 'the node did not answer' }
        const known = /already known|already imported|known transaction/i.test(rejection.message)
        return { answer: known ? 'known' : 'refused', detail: scrub(rejection.message) }
      }
    },
  }
}
