import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { networkRow } from '../../x402/networks'
import type { Eip3009Payment } from '../../x402/payment'
import { authorizationHash } from '../../x402/schemes/exact-evm/rules'
import { type Rpc, unreachable } from '../rpc'
import {
  aggregateCall,
  authorizationStateCall,
  balanceCall,
  EIP1271_MAGIC,
  MULTICALL,
  type Proof,
  transferCall,
  walletCall,
} from './calldata'
import { type CappedAnswer, cappedCall, gasOfBytes, readCapped } from './capped-calls'
import { asHex, readHead } from './rpc'

/** What the newest block says of a payment: the payer's code, the token's state, and whether the transfer would succeed. */
export type Facts = {
  hasCode: boolean
  walletAgrees: boolean
  block: bigint
  blockTime: bigint
  baseFee: bigint
  /** Null when the asset has no such function. */
  used: boolean | null
  balance: bigint | null
  assetHasCode: boolean
  simulation: { ok: true } | { ok: false; message: string }
}

/** The gas limit of wallet code and token together in a simulation. */
const SIMULATION_GAS = 265_000n
const TRANSACTION_GAS = 21_000n
/** The response bytes of a simulation to read: two words of state, and the token's error text. */
const SIMULATION_BYTES = 768

/** Reads the facts of a payment in one round trip. Throws `upstream` when the node does not answer. */
export async function readFacts(rpc: Rpc, payment: Eip3009Payment, signature: Hex, byKey: boolean): Promise<Facts> {
  const { authorization } = payment.transfer
  const title = networkRow(payment.network).title
  const how = byKey ? undefined : 'alone'
  try {
    const [head, code, results, walletAgrees] = await Promise.all([
      readHead(rpc),
      rpc('eth_getCode', [authorization.from, 'latest'], how).then((code) => asHex(code, 'eth_getCode')),
      simulate(rpc, payment, signature, byKey ? 'key' : 'code'),
      byKey ? false : callWallet(rpc, payment, signature),
    ])
    const [used, balance, simulation] = results
    return {
      hasCode: code !== '0x',
      walletAgrees,
      block: head.number,
      blockTime: head.timestamp,
      // From the header: inside a call without a gas price, nodes report a base fee of 0.
      baseFee: head.baseFee,
      used: word(used) === null ? null : word(used) === 1n,
      balance: word(balance),
      assetHasCode: !(balance?.success && balance.returnData === '0x'),
      simulation: simulation?.success ? { ok: true } : { ok: false, message: revertMessage(simulation?.returnData ?? '0x') },
    }
  } catch (cause) {
    throw unreachable(title, cause)
  }
}

type CallResult = { success: boolean; returnData: Hex }

// State first and the transfer last: a wallet that burns all gas cannot hide the reads before it. Capped and alone where the payer's code
// decides, because the token calls that code and may pass on its output.
async function simulate(rpc: Rpc, payment: Eip3009Payment, signature: Hex, proof: Proof): Promise<readonly CallResult[]> {
  const { asset, transfer } = payment
  const { authorization } = transfer
  const calls = [
    authorizationStateCall(authorization),
    balanceCall(authorization.from),
    transferCall(authorization, signature, proof),
  ]
  const data = aggregateCall(calls.map((callData) => ({ target: asset, callData })))
  // As much as a transaction of its own would have left.
  const gas = SIMULATION_GAS - TRANSACTION_GAS - gasOfBytes(data)
  const call = { to: MULTICALL, data, gas, keep: SIMULATION_BYTES } as const
  const how = proof === 'key' ? undefined : 'alone'
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

async function callWallet(rpc: Rpc, payment: Eip3009Payment, signature: Hex): Promise<boolean> {
  const hash = authorizationHash(payment)
  return hash !== null && codeApproves(rpc, { wallet: payment.transfer.authorization.from, hash, signature })
}

function word(result: CallResult | undefined): bigint | null {
  return result?.success && result.returnData.length === 66 ? BigInt(result.returnData) : null
}

const ERROR_STRING = '08c379a0'
const TEXT_AT = 4 + 64

// The token's error text, printable and bounded, because it ends up in a response. Only its beginning was read.
function revertMessage(data: Hex): string {
  const bytes = Buffer.from(hexToBytes(data))
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
