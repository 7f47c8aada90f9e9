import { Agent, request as httpRequest } from 'node:http'
import type { Hex } from 'viem'
import type { Chain } from '../devnet/chain'
import type { RpcCount } from './rpc-count'

export type Route = 'verify' | 'settle'

/** What takes the requests: its URLs in turn, and what it has used since its start. */
export type Target = { urls: readonly string[]; usage: () => Promise<{ cpuMs: number } & RpcCount> }

/** The result of one route at one concurrency. Times are in milliseconds; `each` is per sent payment. */
export type Run = {
  sent: number
  good: number
  failures: Map<string, number>
  perSecond: number
  p50: number
  p95: number
  p99: number
  cpuEach: number
  rpcEach: number
  waitingEach: number
  /** JSON-RPC calls per payment, those that wait for a block among them. */
  callsEach: number
  transactions: string[]
}

/** Sends bodies to a facilitator, `parallel` at a time, over kept connections as merchants do. */
export async function run(target: Target, route: Route, bodies: string[], parallel: number): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  const waits: number[] = []
  const transactions: string[] = []
  const failures = new Map<string, number>()
  const left = [...bodies]
  const before = await target.usage()
  const started = performance.now()
  const client = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      const sent = performance.now()
      const answer = await post(`${target.urls[left.length % target.urls.length]}/${route}`, body, agent)
      waits.push(performance.now() - sent)
      if (answer.isValid === true || answer.success === true) transactions.push(String(answer.transaction ?? ''))
      else {
        const why = String(answer.errorReason ?? answer.invalidReason ?? answer.error)
        failures.set(why, (failures.get(why) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, client))
  const seconds = (performance.now() - started) / 1_000
  const after = await target.usage()
  agent.destroy()
  waits.sort((a, b) => a - b)
  const percentile = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? 0
  const waiting = after.waiting - before.waiting
  return {
    sent: bodies.length,
    good: transactions.length,
    failures,
    transactions,
    perSecond: transactions.length / seconds,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    cpuEach: (after.cpuMs - before.cpuMs) / bodies.length,
    rpcEach: (after.requests - before.requests - waiting) / bodies.length,
    waitingEach: waiting / bodies.length,
    callsEach: (after.calls - before.calls) / bodies.length,
  }
}

const READS_AT_ONCE = 64

/** Gas per payment of a run's transactions. */
export async function gasEach(chain: Chain, { transactions }: Run): Promise<{ gas: number; perTransaction: number }> {
  const hashes = [...new Set(transactions)].filter(isHash)
  let gas = 0
  // A busy chain does not answer a thousand reads at once in time.
  for (let at = 0; at < hashes.length; at += READS_AT_ONCE) {
    const some = hashes.slice(at, at + READS_AT_ONCE)
    const receipts = await Promise.all(some.map((hash) => chain.client.getTransactionReceipt({ hash })))
    gas += receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  }
  return { gas: Math.round(gas / transactions.length), perTransaction: transactions.length / hashes.length }
}

const isHash = (text: string): text is Hex => text.startsWith('0x')

/** The JSON answer to a request, or what broke it as its `error`. */
function post(url: string, body: string, agent: Agent): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const broken = ({ message }: Error) => resolve({ error: message })
    const request = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      const pieces: Uint8Array[] = []
      response.on('data', (piece: Uint8Array) => pieces.push(piece))
      response.on('end', () => resolve(answerOf(Buffer.concat(pieces).toString(), response.statusCode)))
      response.on('error', broken)
    })
    request.on('error', broken)
    request.end(body)
  })
}

function answerOf(text: string, status: number | undefined): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return { error: `${status} without JSON` }
  }
}
