import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { fieldOf } from './payment-key'

/**
 * What the chain says of a signed payment: nothing used its authorization yet; it paid these terms in that transaction; it can never pay
 * them any more (used for something else, cancelled, or expired).
 */
export type AuthorizationState = { state: 'unused' } | { state: 'paid'; transaction: string; payer: string } | { state: 'dead' }

/** Reads the chain. Null for a payment of a form or network that it cannot read. Throws if the node does not answer. */
export type AuthorizationReader = (
  payload: PaymentPayload,
  requirements: PaymentRequirements,
) => Promise<AuthorizationState | null>

const AUTHORIZATION_STATE = '0xe94a0102'
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TIMEOUT_MS = 10_000
/** How far back the transaction is looked for: an authorization lives for minutes. */
const LOG_BLOCKS = 2_000n

/** Reads authorizations of EIP-3009 from EVM nodes, by CAIP-2 id: `{ 'eip155:8453': 'https://…' }`. */
export function evmAuthorizations(nodes: Record<string, string>): AuthorizationReader {
  return async (payload, requirements) => {
    const node = nodes[requirements.network]
    const signed = authorizationIn(payload)
    if (node === undefined || signed === null) return null
    const read = (method: string, params: unknown[]) => call(node, method, params)
    const block = await read('eth_getBlockByNumber', ['latest', false])
    const [number, time] = [hexIn(block, 'number'), hexIn(block, 'timestamp')]
    const data = `${AUTHORIZATION_STATE}${word(signed.from)}${word(signed.nonce)}`
    const used = await read('eth_call', [{ to: requirements.asset, data }, `0x${number.toString(16)}`])
    if (typeof used !== 'string' || !/^0x[0-9a-f]{64}$/.test(used)) throw new Error('the token has no authorizationState')
    if (BigInt(used) === 0n) return signed.validBefore > time ? { state: 'unused' } : { state: 'dead' }
    const from = number > LOG_BLOCKS ? number - LOG_BLOCKS : 0n
    const topics = [AUTHORIZATION_USED, `0x${word(signed.from)}`, `0x${word(signed.nonce)}`]
    const logs = await read('eth_getLogs', [{ address: requirements.asset, topics, fromBlock: `0x${from.toString(16)}` }])
    const [log] = Array.isArray(logs) ? logs : []
    const transaction = fieldOf(log, 'transactionHash')
    if (typeof transaction !== 'string') return { state: 'dead' }
    const receipt = await read('eth_getTransactionReceipt', [transaction])
    return paysIn(receipt, signed, requirements) ? { state: 'paid', transaction, payer: signed.from } : { state: 'dead' }
  }
}

type Signed = { from: string; nonce: string; validBefore: bigint; value: bigint }

function authorizationIn(payload: PaymentPayload): Signed | null {
  const authorization = fieldOf(payload.payload, 'authorization')
  const [from, nonce, validBefore, value] = ['from', 'nonce', 'validBefore', 'value'].map((name) => fieldOf(authorization, name))
  if (typeof from !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(from)) return null
  if (typeof nonce !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(nonce)) return null
  if (!/^\d{1,78}$/.test(String(validBefore)) || !/^\d{1,78}$/.test(String(value))) return null
  return { from, nonce, validBefore: BigInt(String(validBefore)), value: BigInt(String(value)) }
}

/** Whether a transaction moved the signed amount of the token from the payer to the payee that the terms name. */
function paysIn(receipt: unknown, { from, value }: Signed, { asset, payTo }: PaymentRequirements): boolean {
  const logs = fieldOf(receipt, 'logs')
  return (
    fieldOf(receipt, 'status') === '0x1' &&
    Array.isArray(logs) &&
    logs.some((log) => {
      const [topics, data] = [fieldOf(log, 'topics'), fieldOf(log, 'data')]
      const wanted = [TRANSFER, `0x${word(from)}`, `0x${word(payTo)}`]
      return (
        String(fieldOf(log, 'address')).toLowerCase() === asset.toLowerCase() &&
        Array.isArray(topics) &&
        wanted.every((topic, at) => String(topics[at]).toLowerCase() === topic) &&
        typeof data === 'string' &&
        /^0x[0-9a-f]+$/.test(data) &&
        BigInt(data) === value
      )
    })
  )
}

/** 32 bytes in hex, without 0x. */
const word = (hex: string) => hex.slice(2).toLowerCase().padStart(64, '0')

function hexIn(value: unknown, name: string): bigint {
  const written = fieldOf(value, name)
  if (typeof written !== 'string' || !/^0x[0-9a-f]+$/.test(written)) throw new Error(`the node answered a block without ${name}`)
  return BigInt(written)
}

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
