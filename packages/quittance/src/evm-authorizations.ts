import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { fieldOf } from './payment-key'
import { amountOf } from './terms'

/**
 * What the chain says of a signed payment: nothing used its authorization yet; it paid these terms in that transaction; it can never pay
 * them any more (signed for others, used for something else, cancelled, or expired); or it is used, and the node does not show yet for what.
 */
export type AuthorizationState =
  | { state: 'unused' }
  | { state: 'paid'; transaction: string; payer: string }
  | { state: 'dead' }
  | { state: 'used' }

/** Reads the chain. Null for a payment of a form or network that it cannot read. Throws if the node does not answer. */
export type AuthorizationReader = (
  payload: PaymentPayload,
  requirements: PaymentRequirements,
) => Promise<AuthorizationState | null>

const AUTHORIZATION_STATE = '0xe94a0102'
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const AUTHORIZATION_CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TIMEOUT_MS = 10_000
/** How many blocks one request for logs covers: nodes limit it. */
const LOG_BLOCKS = 2_000n
/** How far back the transaction is looked for at most, in seconds: an authorization lives for minutes. */
const LOOK_BACK = 3_600n

type Read = (method: string, params: unknown[]) => Promise<unknown>
type Block = { number: bigint; time: bigint }

/** Reads authorizations of EIP-3009 from EVM nodes, by CAIP-2 id: `{ 'eip155:8453': 'https://…' }`. */
export function evmAuthorizations(nodes: Record<string, string>): AuthorizationReader {
  return async (payload, requirements) => {
    const node = nodes[requirements.network]
    const signed = authorizationIn(payload)
    if (node === undefined || signed === null) return null
    if (!isFor(signed, requirements)) return { state: 'dead' }
    const read: Read = (method, params) => call(node, method, params)
    const newest = await blockAt(read, 'latest')
    const data = `${AUTHORIZATION_STATE}${word(signed.from)}${word(signed.nonce)}`
    const used = await read('eth_call', [{ to: requirements.asset, data }, hex(newest.number)])
    if (typeof used !== 'string' || !/^0x[0-9a-f]{64}$/.test(used)) throw new Error('the token has no authorizationState')
    if (BigInt(used) === 0n) return signed.validBefore > newest.time ? { state: 'unused' } : { state: 'dead' }
    // The next request may reach a node that lacks the block: that it is used remains true.
    return useOf(read, signed, requirements, newest).catch((): AuthorizationState => ({ state: 'used' }))
  }
}

/** What used an authorization. Throws if the node lacks the transaction. */
async function useOf(read: Read, signed: Signed, requirements: PaymentRequirements, newest: Block): Promise<AuthorizationState> {
  const log = await logOfUse(read, signed, requirements.asset, newest)
  if (log === null) return { state: 'used' }
  if (topicsOf(log)[0] === AUTHORIZATION_CANCELED) return { state: 'dead' }
  const transaction = fieldOf(log, 'transactionHash')
  if (typeof transaction !== 'string') throw new Error('the node answered a log without its transaction')
  const logs = fieldOf(await read('eth_getTransactionReceipt', [transaction]), 'logs')
  if (!Array.isArray(logs)) throw new Error('the node has no receipt of that transaction')
  return pays(logs, signed, requirements) ? { state: 'paid', transaction, payer: signed.from } : { state: 'dead' }
}

/** The log of what used or cancelled an authorization, from the newest blocks back to when it became valid. Null if no block has it. */
async function logOfUse(read: Read, { from, nonce, validAfter }: Signed, address: string, newest: Block): Promise<unknown> {
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], `0x${word(from)}`, `0x${word(nonce)}`]
  const earliest = newest.time - LOOK_BACK > validAfter ? newest.time - LOOK_BACK : validAfter
  let last = newest.number
  for (;;) {
    const first = last >= LOG_BLOCKS ? last - LOG_BLOCKS + 1n : 0n
    const logs = await read('eth_getLogs', [{ address, topics, fromBlock: hex(first), toBlock: hex(last) }])
    if (!Array.isArray(logs)) throw new Error('the node answered no logs')
    if (logs.length > 0) return logs[0]
    if (first === 0n || (await blockAt(read, hex(first))).time <= earliest) return null
    last = first - 1n
  }
}

type Signed = { from: string; to: string; nonce: string; validAfter: bigint; validBefore: bigint; value: bigint }

function authorizationIn(payload: PaymentPayload): Signed | null {
  const authorization = fieldOf(payload.payload, 'authorization')
  const [from, to, nonce] = ['from', 'to', 'nonce'].map((name) => fieldOf(authorization, name))
  const numbers = ['validAfter', 'validBefore', 'value'].map((name) => String(fieldOf(authorization, name)))
  if (!isAddress(from) || !isAddress(to)) return null
  if (typeof nonce !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(nonce)) return null
  if (!numbers.every((written) => /^\d{1,78}$/.test(written))) return null
  const [validAfter = 0n, validBefore = 0n, value = 0n] = numbers.map(BigInt)
  return { from, to, nonce, validAfter, validBefore, value }
}

const isAddress = (written: unknown): written is string => typeof written === 'string' && /^0x[0-9a-fA-F]{40}$/.test(written)

/** Whether a payer signed for these terms: what a payment says that it accepted is not signed. */
function isFor({ to, value }: Signed, requirements: PaymentRequirements): boolean {
  return to.toLowerCase() === requirements.payTo.toLowerCase() && String(amountOf(requirements)) === String(value)
}

/**
 * Whether this very authorization moved the signed amount from the payer to the payee that the terms name: the token logs its use, and then
 * its Transfer. A transaction may have others.
 */
function pays(logs: readonly unknown[], { from, nonce, value }: Signed, { asset, payTo }: PaymentRequirements): boolean {
  const ofToken = logs.filter((log) => String(fieldOf(log, 'address')).toLowerCase() === asset.toLowerCase())
  const has = (log: unknown, wanted: string[]) => wanted.every((topic, at) => topicsOf(log)[at] === topic)
  const at = ofToken.findIndex((log) => has(log, [AUTHORIZATION_USED, `0x${word(from)}`, `0x${word(nonce)}`]))
  // Tokens may log other things in between, but not the next use.
  const next = ofToken.slice(at + 1).find((log) => has(log, [TRANSFER]) || has(log, [AUTHORIZATION_USED]))
  const data = fieldOf(next, 'data')
  return at >= 0 && has(next, [TRANSFER, `0x${word(from)}`, `0x${word(payTo)}`]) && isHex(data) && BigInt(data) === value
}

function topicsOf(log: unknown): string[] {
  const topics = fieldOf(log, 'topics')
  return Array.isArray(topics) ? topics.map((topic) => String(topic).toLowerCase()) : []
}

/** 32 bytes in hex, without 0x. */
const word = (hex: string) => hex.slice(2).toLowerCase().padStart(64, '0')

const hex = (number: bigint) => `0x${number.toString(16)}`

async function blockAt(read: Read, at: string): Promise<Block> {
  const block = await read('eth_getBlockByNumber', [at, false])
  const [number, time] = ['number', 'timestamp'].map((name) => fieldOf(block, name))
  if (!isHex(number) || !isHex(time)) throw new Error(`the node has no block ${at}`)
  return { number: BigInt(number), time: BigInt(time) }
}

const isHex = (written: unknown): written is string => typeof written === 'string' && /^0x[0-9a-f]+$/.test(written)

async function call(node: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const answer: unknown = await response.json()
  const error = fieldOf(answer, 'error')
  if (error !== undefined) throw new Error(`${method} failed: ${String(fieldOf(error, 'message'))}`)
  return fieldOf(answer, 'result')
}
