import { z } from 'zod'
import { scrub } from '../../base/log'
import { bytes32 } from '../../x402/encodings'
import { networkRow, type SvmNetworkId } from '../../x402/networks/networks'
import type { SvmPayment } from '../../x402/payment'
import type { TransferChecked } from '../../x402/schemes/exact/svm/instructions'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import type { UptoChannel } from '../../x402/schemes/upto/svm/transfers'
import { isForeign } from '../endpoint'
import { rejectionOf } from '../json-rpc'
import type { Nodes, Rpc } from '../rpc'
import { createBlockhashes } from './blockhashes'
import { landedTransfers } from './effects'
import type { SvmJudgement } from './judged'
import { examinePayment, judgePayment, type SvmExamination } from './judgement'
import { type Account, account, count, isGenesisOf, readAnswer, readValue } from './rpc'
import { signatureIn } from './signer'
import { readTokenAccount, TOKEN_ACCOUNT_BYTES, type TokenAccount } from './simulation'
import { readSignatureReports, readStatuses, type SignatureReport, type SvmStatus, type TransactionRef } from './statuses'
import { type ChannelCharge, type ChannelEnd, judgeClaim, judgeClose, judgeReclaim, type UptoJudgement } from './upto'

/** A node's response to a send. After `refused` or `silent` it may have the bytes too. */
type SvmSendAnswer = { answer: 'accepted' | 'refused' | 'silent'; detail: string }

/** One Solana cluster for the engine and the judges. Read methods throw when the node does not answer. */
export type SvmChain = {
  network: SvmNetworkId
  title: string
  /** Whether the node is on the expected cluster. */
  isExpected(): Promise<boolean>
  /** The judgement of a payment whose static rules hold, on the newest confirmed block. Throws `upstream` when no node answers. */
  judge(payment: SvmPayment): Promise<SvmJudgement>
  /** The judgement of a payment, with what the cluster said. */
  examine(payment: SvmPayment): Promise<SvmExamination>
  /** What gives the money of a channel back to its payer now. Throws when no node answers. */
  closeChannel(channel: UptoChannel): Promise<ChannelEnd>
  /** What takes a charge out of a channel, signed as its voucher says. Throws when no node answers. */
  chargeChannel(channel: UptoChannel, charge: ChannelCharge): Promise<{ judgement: UptoJudgement }>
  /** What gives the rent of a paid out channel back. Throws when no node answers. */
  reclaimChannel(channel: UptoChannel): Promise<ChannelEnd>
  /** The token account at an address; null for no account, or for another kind. Throws when no node answers. */
  tokenAccount(address: string): Promise<TokenAccount | null>
  /** The accounts at these addresses in the newest finalized block, in their order. Throws when no node answers. */
  mints(addresses: readonly string[]): Promise<(Account | null)[]>
  /** Lamports of an address. */
  balance(address: string): Promise<bigint>
  /** Lamports of these addresses, in their order: one call for a hundred. */
  balances(addresses: readonly string[]): Promise<bigint[]>
  /** The lamports of an address as `balances` last read them, and when; null before the first read. */
  lastBalance(address: string): { lamports: bigint; readAt: Date } | null
  /** The statuses of transactions, in the order of the signatures, in as few requests as possible; `deep` searches the whole history. */
  statuses(signatures: readonly string[], deep: boolean): Promise<(SvmStatus | null)[]>
  /** A blockhash to build a transaction on, at most a second old. Throws `upstream` when no node answers. */
  blockhash(): Promise<string>
  /** The newest slot that a response of a node named, and when; null before the first. */
  newestSlot(): { slot: bigint; readAt: Date } | null
  /** The height of the newest finalized block, from the most advanced node. */
  finalizedHeight(): Promise<bigint>
  /** What each node knows of missing transactions; no report from a node that fails any part. */
  signatureReports(asked: readonly TransactionRef[]): Promise<SignatureReport[]>
  /** The transfers of a transaction that is in the chain; null while it is not, or when it failed. Throws when no node answers. */
  transfers(signature: string, transaction: SvmTransaction): Promise<{ slot: bigint; transfers: TransferChecked[] } | null>
  /** Sends signed bytes (base64) once, without a preflight. */
  send(raw: string): Promise<SvmSendAnswer>
}

const HEIGHT_FOR_MS = 1_000
const BLOCKHASH_FOR_MS = 1_000

// One byte more than a token account shows that an account is longer.
const TOKEN_ACCOUNT_READ = {
  commitment: 'confirmed',
  encoding: 'base64',
  dataSlice: { offset: 0, length: TOKEN_ACCOUNT_BYTES + 1 },
}

// A fork must not decide what is served.
const MINT_READ = { commitment: 'finalized', encoding: 'base64' }

const BALANCES_AT_ONCE = 100
// Only the lamports: none of the data.
const BALANCES_READ = { commitment: 'confirmed', encoding: 'base64', dataSlice: { offset: 0, length: 0 } }
const holdings = z.array(z.object({ lamports: count }).nullable())

const inContext = z.object({ context: z.object({ slot: count }) })
const latestBlockhash = z.object({ blockhash: z.string().refine((text) => bytes32(text) !== null) })

/** The cluster of a network over a JSON-RPC client. `now` is a clock in milliseconds; a payment waits `listTimeoutMs` for the blockhashes. */
export function createSvmChain(
  network: SvmNetworkId,
  { rpc, nodes }: Nodes,
  now = () => performance.now(),
  listTimeoutMs?: number,
): SvmChain {
  let seen: { slot: bigint; readAt: Date } | null = null
  const held = new Map<string, { lamports: bigint; readAt: Date }>()
  async function value<T>(shape: z.ZodType<T>, method: string, params: unknown[]): Promise<T> {
    const answer = await rpc(method, params)
    const slot = inContext.safeParse(answer).data?.context.slot
    if (slot !== undefined && (!seen || slot >= seen.slot)) seen = { slot, readAt: new Date() }
    return readValue(shape, answer, method)
  }
  async function readBalances(addresses: readonly string[]): Promise<bigint[]> {
    const shape = holdings.length(addresses.length)
    const found = await value(shape, 'getMultipleAccounts', [addresses, BALANCES_READ])
    const balances = found.map((one) => one?.lamports ?? 0n)
    const readAt = new Date()
    for (const [at, lamports] of balances.entries()) held.set(addresses[at] ?? '', { lamports, readAt })
    return balances
  }
  const newest = remembered(() => heightOf(rpc, 'confirmed'), HEIGHT_FOR_MS, now)
  const blockhashes = createBlockhashes(rpc, now, listTimeoutMs)
  const latest = remembered(
    () => value(latestBlockhash, 'getLatestBlockhash', [{ commitment: 'confirmed' }]),
    BLOCKHASH_FOR_MS,
    now,
  )
  return {
    network,
    title: networkRow(network).title,
    isExpected: () =>
      rpc('getGenesisHash', []).then(
        (answer) => isGenesisOf(network, answer),
        (error: unknown) => {
          if (isForeign(error)) return false
          throw error
        },
      ),
    judge: (payment) => judgePayment({ rpc, height: newest, blockhashes }, payment),
    examine: (payment) => examinePayment({ rpc, height: newest, blockhashes }, payment),
    closeChannel: (channel) => judgeClose({ rpc, height: newest, blockhashes }, network, channel),
    chargeChannel: async (channel, charge) => ({
      judgement: await judgeClaim({ rpc, height: newest, blockhashes }, network, channel, charge),
    }),
    reclaimChannel: (channel) => judgeReclaim({ rpc, height: newest, blockhashes }, network, channel),
    async tokenAccount(address) {
      const found = await value(account.nullable(), 'getAccountInfo', [address, TOKEN_ACCOUNT_READ])
      return found && readTokenAccount(found)
    },
    mints: (addresses) =>
      value(z.array(account.nullable()).length(addresses.length), 'getMultipleAccounts', [addresses, MINT_READ]),
    balance: (address) => value(count, 'getBalance', [address, { commitment: 'confirmed' }]),
    async balances(addresses) {
      const parts: Promise<bigint[]>[] = []
      for (let at = 0; at < addresses.length; at += BALANCES_AT_ONCE)
        parts.push(readBalances(addresses.slice(at, at + BALANCES_AT_ONCE)))
      return (await Promise.all(parts)).flat()
    },
    lastBalance: (address) => held.get(address) ?? null,
    statuses: (signatures, deep) => readStatuses(rpc, signatures, deep),
    blockhash: async () => (await latest()).blockhash,
    newestSlot: () => seen,
    async finalizedHeight() {
      const results = await Promise.allSettled(nodes.map((node) => heightOf(node, 'finalized')))
      const heights = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const failed = results.find((one) => one.status === 'rejected')
      const furthest = heights.sort((a, b) => Number(b - a))[0]
      if (furthest === undefined) throw failed?.reason
      return furthest
    },
    transfers: (signature, transaction) => landedTransfers(rpc, signature, transaction),
    signatureReports: (asked) => readSignatureReports(nodes, asked),
    async send(raw) {
      const signature = signatureIn(raw)
      try {
        const answer = await rpc('sendTransaction', [raw, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }])
        if (answer === signature) return { answer: 'accepted', detail: '' }
        return { answer: 'silent', detail: 'the node answered with something else than the signature' }
      } catch (error) {
        const rejection = rejectionOf(error)
        if (!rejection) return { answer: 'silent', detail: 'the node did not answer' }
        return { answer: 'refused', detail: scrub(rejection.message) }
      }
    },
  }
}

const heightOf = async (node: Rpc, commitment: string) =>
  readAnswer(count, await node('getBlockHeight', [{ commitment }]), 'getBlockHeight')

/** Remembers a response for some time; callers share it, but never a failure. */
function remembered<T>(read: () => Promise<T>, forMs: number, now: () => number): () => Promise<T> {
  let last: { answer: Promise<T>; at: number } | null = null
  return () => {
    if (last && now() - last.at < forMs) return last.answer
    const asked = { answer: read(), at: now() }
    last = asked
    asked.answer.catch(() => {
      if (last === asked) last = null
    })
    return asked.answer
  }
}
