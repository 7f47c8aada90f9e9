import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, keccak256, numberToHex } from 'viem'
import type { Chain } from './chain'

/** A node with preconfirmations: a pending transaction has a receipt at the next sub-block, before its block. */
export type FlashView = {
  url: string
  port: number
  /** While true, no transaction gets a new preconfirmation. */
  hold: (held: boolean) => void
  stop: () => Promise<void>
}

type Answer = { id: unknown; result?: unknown }
type Call = { jsonrpc: string; id: unknown; method: string; params: unknown[] }
type PoolTransaction = { hash: Hex; from: Hex; to: Hex; input: Hex; nonce: Hex; gas: Hex; maxFeePerGas?: Hex; gasPrice?: Hex }
type SimulatedCall = { status: Hex; gasUsed: Hex; logs: { address: Hex; topics: Hex[]; data: Hex }[] }

const SUB_BLOCK_MS = 200

/** Starts the node. Once per sub-block it simulates the pool on top of the newest block, as a sequencer does. */
export async function startFlashView(chain: Chain, port = 0): Promise<FlashView> {
  const preconfirmed = new Map<Hex, object>()
  let held = false

  async function rpc(method: string, params: unknown[]): Promise<unknown> {
    const response = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error }: { result?: unknown; error?: { message: string } } = await response.json()
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  async function subBlock(): Promise<void> {
    const pending = await poolOf(rpc)
    const pooled = new Set(pending.map(({ hash }) => hash))
    for (const hash of preconfirmed.keys()) if (!pooled.has(hash)) preconfirmed.delete(hash)
    if (held || pending.every(({ hash }) => preconfirmed.has(hash))) return
    const calls = pending.map(({ from, to, input, gas }) => ({ from, to, data: input, gas }))
    const [simulated, newest] = await Promise.all([
      rpc('eth_simulateV1', [{ blockStateCalls: [{ calls }], validation: false }, 'latest']),
      rpc('eth_blockNumber', []),
    ])
    const [block] = simulated as { calls: SimulatedCall[] }[]
    const number = numberToHex(BigInt(newest as Hex) + 1n)
    for (const [at, transaction] of pending.entries()) {
      const call = block?.calls[at]
      if (call && !preconfirmed.has(transaction.hash)) preconfirmed.set(transaction.hash, receiptOf(transaction, call, number))
    }
  }

  function answerOf(call: Call, answer: Answer | undefined): object {
    const preconfirmation =
      call.method === 'eth_getTransactionReceipt' && answer?.result === null ? preconfirmed.get(call.params[0] as Hex) : undefined
    return { ...answer, ...(preconfirmation ? { result: preconfirmation } : {}) }
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of req) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const calls: Call | Call[] = JSON.parse(body.toString())
    const response = await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answer: Answer | Answer[] = await response.json()
    const byId = new Map([answer].flat().map((one) => [one.id, one]))
    const answers = [calls].flat().map((call) => answerOf(call, byId.get(call.id)))
    res.setHeader('content-type', 'application/json').end(JSON.stringify(Array.isArray(calls) ? answers : answers[0]))
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => req.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let busy = false
  const ticking = setInterval(() => {
    if (busy) return
    busy = true
    // The chain stops, or a transaction left the pool meanwhile: the next sub-block tries again.
    subBlock()
      .catch(() => {})
      .finally(() => {
        busy = false
      })
  }, SUB_BLOCK_MS)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    hold(now) {
      held = now
    },
    stop: () =>
      new Promise((resolve) => {
        clearInterval(ticking)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The pending transactions, each sender's in the order of its nonces. */
async function poolOf(rpc: (method: string, params: unknown[]) => Promise<unknown>): Promise<PoolTransaction[]> {
  const { pending } = (await rpc('txpool_content', [])) as { pending: Record<string, Record<string, PoolTransaction>> }
  return Object.values(pending).flatMap((byNonce) =>
    Object.values(byNonce).sort((a, b) => (BigInt(a.nonce) < BigInt(b.nonce) ? -1 : 1)),
  )
}

function receiptOf({ hash, from, to, maxFeePerGas, gasPrice }: PoolTransaction, call: SimulatedCall, block: Hex): object {
  // No block has this hash yet.
  const position = { transactionHash: hash, transactionIndex: '0x0', blockNumber: block, blockHash: keccak256(hash) }
  return {
    ...position,
    from,
    to,
    contractAddress: null,
    type: '0x2',
    status: call.status,
    gasUsed: call.gasUsed,
    cumulativeGasUsed: call.gasUsed,
    effectiveGasPrice: gasPrice ?? maxFeePerGas ?? '0x0',
    logs: call.logs.map(({ address, topics, data }, at) => ({
      address,
      topics,
      data,
      ...position,
      logIndex: numberToHex(at),
      removed: false,
    })),
  }
}
