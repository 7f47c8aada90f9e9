import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { concatHex, encodeAbiParameters, type Hex, numberToHex, pad, parseAbiParameters, size } from 'viem'
import { networkRow } from '../../x402/networks/networks'
import { MADE_UP_NETWORK } from './payments'

/** A node on this machine that answers as if each transfer could be made. It knows no chain. */
type MadeUpNode = { url: string; close(): void }

/** Starts a made-up node, which only this machine can reach. */
export async function startMadeUpNode(): Promise<MadeUpNode> {
  const server = createServer((req, res) => {
    answerOf(req).then(
      (text) => res.writeHead(200, { 'content-type': 'application/json' }).end(text),
      () => res.writeHead(400).end(),
    )
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(portOf(server.address())))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('a made-up node has a port')
  return address.port
}

type Call = { id: number; method: string; params: readonly unknown[] }

const BYTES_MAX = 1_000_000

async function answerOf(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req) {
    bytes += piece.length
    if (bytes > BYTES_MAX) throw new Error('too long')
    pieces.push(piece)
  }
  const asked: Call | Call[] = JSON.parse(Buffer.concat(pieces).toString())
  return JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked))
}

const HASH = `0x${'ab'.repeat(32)}`

function answerTo({ id, method, params }: Call): object {
  const [call] = params
  const result = method === 'eth_call' && isCall(call) ? resultOf(call.data) : RESULTS[method]?.()
  const error = { code: -32601, message: `a made-up node does not answer ${method}` }
  return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }
}

const RESULTS: Readonly<Record<string, () => unknown>> = {
  eth_chainId: () => numberToHex(networkRow(MADE_UP_NETWORK).chainId),
  eth_getCode: () => '0x',
  eth_getBlockByNumber: () => ({
    number: '0x1',
    hash: HASH,
    timestamp: numberToHex(Math.floor(Date.now() / 1_000)),
    baseFeePerGas: '0x1',
  }),
}

const isCall = (call: unknown): call is { data: Hex } => typeof call === 'object' && call !== null && 'data' in call

/** A trial (chains/evm/trials.ts) begins with PUSH0, a capped call (chains/evm/capped-calls.ts) with the length of its data. */
const resultOf = (data: Hex): Hex => (data.startsWith('0x5f') ? `0x${'01'.repeat(transfersIn(data))}` : ALONE)

/** The bytes of a transfer in a trial: a head of five, the selector and nine words. The program before them is shorter. */
const BYTES_OF_TRANSFER = 5 + 4 + 9 * 32

const transfersIn = (data: Hex) => Math.floor(size(data) / BYTES_OF_TRANSFER)

/** Of a payment that is judged alone: its authorization is unused, its payer has enough, and the transfer succeeds. */
const READS = encodeAbiParameters(parseAbiParameters('(bool success, bytes returnData)[]'), [
  [0n, 10n ** 12n]
    .map((word) => ({ success: true, returnData: numberToHex(word, { size: 32 }) }))
    .concat({ success: true, returnData: '0x' }),
])

/** How many bytes of it are asked for: two reads and the transfer (chains/evm/facts.ts). */
const KEPT = 2 * 192 + 384

const ALONE = concatHex([
  numberToHex(1n, { size: 32 }),
  numberToHex(size(READS), { size: 32 }),
  pad(READS, { size: KEPT, dir: 'right' }),
])
