import { base58, base64 } from '@scure/base'
import { TOKEN_PROGRAM } from '@/server/x402/schemes/exact/svm/programs'
import { createSvmRpc } from '../../../server/chains/svm/rpc'
import { testLog } from '../logs'
import { type Answering, say } from '../nodes/scripted-node'

export const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const DEVNET_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/** A Solana devnet client over these endpoints. */
export const svmRpcTo = (...urls: string[]) => svmNodesTo(...urls).rpc

/** A Solana devnet client with access to each endpoint. */
export const svmNodesTo = (...urls: string[]) => createSvmRpc(urls, DEVNET, testLog())

/** A JSON-RPC error. */
export const refusal = (code: number, message: string) => ({ error: { code, message } })

/** A Solana devnet node with one answer per method: a value, or a function of the parameters. */
export function cluster(answers: Record<string, unknown>, genesis: unknown = DEVNET_GENESIS): Answering {
  const known: Record<string, unknown> = { getGenesisHash: genesis, ...answers }
  return ([question], response) => {
    if (!question) throw new Error('an empty request')
    const { id, method, params } = question
    const entry = Object.hasOwn(known, method) ? known[method] : refusal(-32_601, 'Method not found')
    const answer: unknown = typeof entry === 'function' ? entry(params) : entry
    const isRefusal = typeof answer === 'object' && answer !== null && 'error' in answer
    say(response, { jsonrpc: '2.0', id, ...(isRefusal ? answer : { result: answer }) })
  }
}

/** A value in the context object that most methods return. */
export const inSlot = (value: unknown) => ({ context: { slot: 400, apiVersion: '3.0.0' }, value })

/** The address of 32 equal bytes. */
export const addressOf = (byte: number) => base58.encode(new Uint8Array(32).fill(byte))

/** A token account in a node's JSON. */
export function tokenAccount(fields: { mint: string; owner: string; amount: bigint; state?: number }) {
  const data = new Uint8Array(165)
  data.set(base58.decode(fields.mint), 0)
  data.set(base58.decode(fields.owner), 32)
  new DataView(data.buffer).setBigUint64(64, fields.amount, true)
  data[108] = fields.state ?? 1
  return wireAccount(TOKEN_PROGRAM, data)
}

/** An account of any program in a node's JSON. */
export function wireAccount(owner: string, data: Uint8Array) {
  const rentEpoch = 2 ** 64
  return { lamports: 2_039_280, owner, data: [base64.encode(data), 'base64'], executable: false, rentEpoch, space: data.length }
}
