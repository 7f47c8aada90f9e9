import { bytesToHex, type Hex, hexToBytes, numberToHex } from 'viem'
import { isTooLong } from '../../base/upstream'
import { type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import type { EvmPayment } from '../../x402/payment'
import { revertNames } from '../../x402/schemes/evm-logs'
import type { Call, CallResult, SignedTransfer, State } from '../../x402/schemes/evm-method'
import { methodFor, methodOf } from '../../x402/schemes/evm-methods'
import type { Proven } from '../../x402/schemes/evm-signed'
import { rejectionOf } from '../json-rpc'
import { type Rpc, unreachable } from '../rpc'
import { aggregateCall, EIP1271_MAGIC, walletCall } from './calldata'
import { type CappedAnswer, cappedCall, gasOfBytes, readCapped } from './capped-calls'
import { tryDeployment } from './deployments'
import { gasOn } from './gas'
import { asHex, isExecutionFailure, readHead } from './rpc'
import { callInBatch } from './transactions'

/** What the newest block says of a payment: the payer's code, the state of the contracts, and whether the transfer would succeed. */
export type Facts = State & {
  hasCode: boolean
  /** Whether its factory put the payer's wallet on the chain in the simulation; null where no factory was called. */
  deployed: boolean | null
  walletAgrees: boolean
  baseFee: bigint
}

/** What reading the state takes beside the transfer, for each call. */
const GAS_OF_READ = 8_000n
const TRANSACTION_GAS = 21_000n
/** The response bytes of a simulation to read: a word for each read of state, and the error text of the transfer. */
const BYTES_OF_READ = 192
const BYTES_OF_TRANSFER = 384

/** Reads the facts of a payment in one round trip. Throws `upstream` when the node does not answer. */
export async function readFacts(rpc: Rpc, payment: EvmPayment, proven: Proven): Promise<Facts> {
  const method = methodOf(payment)
  const transfer = method.transfer(payment, proven)
  const { from } = transfer.authorization
  const how = proven.proof === 'key' ? undefined : 'alone'
  const attempt = method.deployment(transfer) ? simulateDeployment : method.sender(transfer) ? simulateAsSender : simulate
  try {
    const [head, code, { reads, made, walletAgrees, deployed }] = await Promise.all([
      readHead(rpc, payment.network),
      rpc('eth_getCode', [from, 'latest'], how).then((code) => asHex(code, 'eth_getCode')),
      attempt(rpc, payment, transfer),
    ])
    return {
      hasCode: code !== '0x',
      deployed,
      walletAgrees,
      block: head.number,
      blockTime: head.timestamp,
      // From the header: inside a call without a gas price, nodes report a base fee of 0.
      baseFee: head.baseFee,
      ...method.readState(reads, transfer),
      simulation: made?.success ? { ok: true } : { ok: false, message: revertMessage(made?.returnData ?? '0x') },
    }
  } catch (cause) {
    throw unreachable(networkRow(payment.network).title, cause)
  }
}

/** The state before a transfer, what came of it, and whether the wallet approves. */
type Simulated = {
  reads: readonly CallResult[]
  made: CallResult | undefined
  walletAgrees: boolean
  deployed: boolean | null
}

// State first and the transfer last: a wallet that burns all gas cannot hide the reads before it. Capped and alone where the payer's code
// decides, because the contracts call that code and may pass on its output.
async function simulate(rpc: Rpc, payment: EvmPayment, transfer: SignedTransfer): Promise<Simulated> {
  const method = methodOf(payment)
  const reads = method.stateCalls(transfer)
  const calls = [...reads, method.call(transfer)]
  // As much as a transaction of its own would have left, if the payer has code.
  const most = method.gas({ ...transfer, proof: 'code' }).alone + GAS_OF_READ * BigInt(reads.length)
  const keep = BYTES_OF_READ * reads.length + BYTES_OF_TRANSFER
  const byKey = transfer.proof === 'key'
  const [results, walletAgrees] = await Promise.all([
    aggregated(rpc, payment, calls, { most, keep, how: byKey ? undefined : 'alone' }),
    byKey ? false : callWallet(rpc, payment, transfer.signature),
  ])
  return { reads: results.slice(0, -1), made: results.at(-1), walletAgrees, deployed: null }
}

/** Simulates the transfer of a wallet that its factory deploys first: only then can it say whether it approves. */
async function simulateDeployment(rpc: Rpc, payment: EvmPayment, transfer: SignedTransfer): Promise<Simulated> {
  const method = methodOf(payment)
  const calls = method.stateCalls(transfer)
  const [factory, hash] = [method.deployment(transfer), method.digest(payment)]
  if (!factory || !hash) throw new Error('a deployment has a factory and a signed hash')
  const most = TRANSACTION_GAS + GAS_OF_READ * BigInt(calls.length) * 2n
  const deploying = { wallet: transfer.authorization.from, factory, transfer: callInBatch(payment.network, transfer) }
  const [reads, tried] = await Promise.all([
    aggregated(rpc, payment, calls, { most, keep: BYTES_OF_READ * calls.length, how: undefined }),
    tryDeployment(rpc, deploying, { hash, signature: transfer.signature }),
  ])
  return { reads, made: tried.transfer, walletAgrees: tried.walletAgrees, deployed: tried.hasCode }
}

/** Simulates a transfer that one account alone may make: the state by one call, and the transfer as that account. */
async function simulateAsSender(rpc: Rpc, payment: EvmPayment, transfer: SignedTransfer): Promise<Simulated> {
  const method = methodOf(payment)
  const calls = method.stateCalls(transfer)
  const most = TRANSACTION_GAS + GAS_OF_READ * BigInt(calls.length) * 2n
  const byKey = transfer.proof === 'key'
  const [reads, made, walletAgrees] = await Promise.all([
    aggregated(rpc, payment, calls, { most, keep: BYTES_OF_READ * calls.length, how: undefined }),
    callAsSender(rpc, payment.network, transfer),
    byKey ? false : callWallet(rpc, payment, transfer.signature),
  ])
  return { reads, made, walletAgrees, deployed: null }
}

/**
 * The result of a transfer that its sender would make on the newest block. It is asked alone, because the payer's code may write what comes
 * back: more than is read counts as a failure. Throws when the node does not answer.
 */
export async function callAsSender(rpc: Rpc, network: EvmNetworkId, transfer: SignedTransfer): Promise<CallResult> {
  const method = methodFor(transfer)
  // As much as a transaction of its own would have left, if the payer has code.
  const gas = gasOn(network, method.gas({ ...transfer, proof: 'code' }).alone)
  const call = { ...method.call(transfer), from: method.sender(transfer), gas: numberToHex(gas) }
  try {
    await rpc('eth_call', [call, 'latest'], 'alone')
    return { success: true, returnData: '0x' }
  } catch (error) {
    if (isTooLong(error)) return UNREAD
    if (!isExecutionFailure(error)) throw error
    return { success: false, returnData: revertDataOf(error) }
  }
}

/** What a node says that a call reverted with, as far as it is read; empty where it does not say. */
function revertDataOf(error: unknown): Hex {
  const { data } = rejectionOf(error) ?? {}
  return typeof data === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(data) ? `0x${data.slice(2, 2 + 2 * BYTES_OF_TRANSFER)}` : '0x'
}

type Limits = { most: bigint; keep: number; how: 'alone' | undefined }

/** The results of calls by Multicall3. `most`: the gas of a transaction that makes them; `keep`: the bytes of them to read. */
async function aggregated(
  rpc: Rpc,
  { network }: EvmPayment,
  calls: readonly Call[],
  { most, keep, how }: Limits,
): Promise<CallResult[]> {
  const data = aggregateCall(calls)
  const call = { to: networkRow(network).multicall, data, gas: gasOn(network, most) - TRANSACTION_GAS - gasOfBytes(data), keep }
  const answer = readCapped(await rpc('eth_call', [cappedCall(call), 'latest'], how), call)
  if (!answer.success) throw new Error('the simulation failed as a whole')
  return resultsIn(answer)
}

const UNREAD: CallResult = { success: false, returnData: '0x' }

/** The results in a Multicall3 response. A result beyond the kept bytes counts as failed; throws on another form. */
function resultsIn({ head, length }: CappedAnswer): CallResult[] {
  const bytes = Buffer.from(hexToBytes(head))
  const [listAt, word] = [64, 32]
  const numberAt = (at: number) => bytes.readUInt32BE(at + word - 4)
  return Array.from({ length: numberAt(word) }, (_, index) => {
    const resultAt = listAt + numberAt(listAt + index * word)
    if (length > bytes.length && resultAt + 3 * word > bytes.length) return UNREAD
    const dataAt = resultAt + 3 * word
    const returnData = bytesToHex(bytes.subarray(dataAt, dataAt + numberAt(dataAt - word)))
    return { success: numberAt(resultAt) === 1, returnData }
  })
}

async function callWallet(rpc: Rpc, payment: EvmPayment, signature: Hex): Promise<boolean> {
  const hash = methodOf(payment).digest(payment)
  return hash !== null && codeApproves(rpc, { wallet: payment.transfer.authorization.from, hash, signature })
}

const ERROR_STRING = '08c379a0'
const TEXT_AT = 4 + 64

// A contract's error text, printable and bounded, because it ends up in a response; or the name of its error. Only its beginning was read.
function revertMessage(data: Hex): string {
  const bytes = Buffer.from(hexToBytes(data))
  const name = revertNames.get(data.slice(0, 10))
  if (name !== undefined) return name
  if (bytes.length < TEXT_AT || bytes.toString('hex', 0, 4) !== ERROR_STRING) return ''
  const length = bytes.readUInt32BE(TEXT_AT - 4)
  const message = bytes.toString('utf8', TEXT_AT, Math.min(TEXT_AT + length, bytes.length))
  return message.replace(/[^\x20-\x7e]/g, '').slice(0, 120)
}

/** The gas limit of a wallet's code; the payer's code decides nothing else. */
const WALLET_GAS = 250_000n
const WORD = 32

/** What the code at an address must approve: a 32-byte hash and a signature of any form. */
type WalletQuestion = { wallet: Hex; hash: Hex; signature: Hex }

/**
 * Whether the code at an address approves a signature (EIP-1271), under a gas cap. A revert, a spent cap, no code or a wrong word is a
 * no; throws only when the node is silent. Only one word of the response is read.
 */
export async function codeApproves(rpc: Rpc, { wallet, hash, signature }: WalletQuestion): Promise<boolean> {
  const call = { to: wallet, data: walletCall(hash, signature), gas: WALLET_GAS, keep: WORD }
  const answer = readCapped(await rpc('eth_call', [cappedCall(call), 'latest'], 'alone'), call)
  return answer.success && answer.length === BigInt(WORD) && answer.head === EIP1271_MAGIC.padEnd(2 + 2 * WORD, '0')
}
