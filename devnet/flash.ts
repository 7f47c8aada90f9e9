import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, keccak256, numberToHex } from 'viem'
import type { Chain } from './chain'

/** A view of a chain that promises: what waits in its pool has a receipt at the next sub-block, before any block takes it. */
export type FlashView = {
  url: string
  port: number
  /** From now on nothing that is not promised yet gets a promise; false ends it. */
  hold: (held: boolean) => void
  stop: () => Promise<void>
}

type Said = { id: unknown; result?: unknown }
type Call = { jsonrpc: string; id: unknown; method: string; params: unknown[] }
type PoolTransaction = { hash: Hex; from: Hex; to: Hex; input: Hex; nonce: Hex; gas: Hex; maxFeePerGas?: Hex; gasPrice?: Hex }
type SimulatedCall = { status: Hex; gasUsed: Hex; logs: { address: Hex; topics: Hex[]; data: Hex }[] }

const SUB_BLOCK_MS = 200

/** Starts the view. It executes the pool on top of the newest block once per sub-block, as a sequencer that preconfirms would. */
export async function startFlashView(chain: Chain, port = 0): Promise<FlashView> {
  const promised = new Map<Hex, object>()
  let held = false

  async function ask(method: string, params: unknown[]): Promise<unknown> {
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
    const pending = await poolOf(ask)
    const waiting = new Set(pending.map(({ hash }) => hash))
    for (const hash of promised.keys()) if (!waiting.has(hash)) promised.delete(hash)
    if (held || pending.every(({ hash }) => promised.has(hash))) return
    const calls = pending.map(({ from, to, input, gas }) => ({ from, to, data: input, gas }))
    const [simulated, newest] = await Promise.all([
      ask('eth_simulateV1', [{ blockStateCalls: [{ calls }], validation: false }, 'latest']),
      ask('eth_blockNumber', []),
    ])
    const [block] = simulated as { calls: SimulatedCall[] }[]
    const number = numberToHex(BigInt(newest as Hex) + 1n)
    for (const [at, transaction] of pending.entries()) {
      const call = block?.calls[at]
      if (call && !promised.has(transaction.hash)) promised.set(transaction.hash, promiseOf(transaction, call, number))
    }
  }

  function answerOf(call: Call, said: Said | undefined): object {
    const promise =
      call.method === 'eth_getTransactionReceipt' && said?.result === null ? promised.get(call.params[0] as Hex) : undefined
    return { ...said, ...(promise ? { result: promise } : {}) }
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const pieces: Uint8Array[] = []
    for await (const piece of req) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const asked: Call | Call[] = JSON.parse(body.toString())
    const response = await fetch(chain.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const said: Said | Said[] = await response.json()
    const byId = new Map([said].flat().map((one) => [one.id, one]))
    const answers = [asked].flat().map((call) => answerOf(call, byId.get(call.id)))
    res.setHeader('content-type', 'application/json').end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => req.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let working = false
  const ticking = setInterval(() => {
    if (working) return
    working = true
    // The chain is stopping, or a transaction left the pool meanwhile: the next sub-block tells.
    subBlock()
      .catch(() => {})
      .finally(() => {
        working = false
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

/** What waits to be mined, each sender's in the order of its nonces. */
async function poolOf(ask: (method: string, params: unknown[]) => Promise<unknown>): Promise<PoolTransaction[]> {
  const { pending } = (await ask('txpool_content', [])) as { pending: Record<string, Record<string, PoolTransaction>> }
  return Object.values(pending).flatMap((byNonce) =>
    Object.values(byNonce).sort((a, b) => (BigInt(a.nonce) < BigInt(b.nonce) ? -1 : 1)),
  )
}

function promiseOf({ hash, from, to, maxFeePerGas, gasPrice }: PoolTransaction, call: SimulatedCall, block: Hex): object {
  // No block has this hash: a promise names one that may never be.
  const place = { transactionHash: hash, transactionIndex: '0x0', blockNumber: block, blockHash: keccak256(hash) }
  return {
    ...{
      ...place,
      from,
      to,
      contractAddress: null,
      type: '0x2',
      status: call.status,
      gasUsed: call.gasUsed,
      cumulativeGasUsed: call.gasUsed,
    },
    effectiveGasPrice: gasPrice ?? maxFeePerGas ?? '0x0',
    logs: call.logs.map(({ address, topics, data }, at) => ({
      address,
      topics,
      data,
      ...place,
      logIndex: numberToHex(at),
      removed: false,
    })),
  }
}
