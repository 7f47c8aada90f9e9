import { Agent, request as httpRequest } from 'node:http'
import type { Hex } from 'viem'
import type { Chain } from '../devnet/chain'
import type { Child } from './child'

export type Route = 'verify' | 'settle'

/** The result of one route at one concurrency. Times are in milliseconds. */
export type Run = {
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
export async function run(child: Child, route: Route, bodies: string[], parallel: number): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel })
  const waits: number[] = []
  const transactions: string[] = []
  const failures = new Map<string, number>()
  const left = [...bodies]
  const before = await child.usage()
  const started = performance.now()
  const client = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) {
      const sent = performance.now()
      const answer = await post(`${child.urls[left.length % child.urls.length]}/${route}`, body, agent)
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
  const after = await child.usage()
  agent.destroy()
  waits.sort((a, b) => a - b)
  const percentile = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? 0
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  const waiting = after.waiting - before.waiting
  return {
    ...{ good: transactions.length, failures, transactions, perSecond: transactions.length / seconds },
    ...{ p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99), cpuEach: cpu / 1_000 / bodies.length },
    rpcEach: (after.requests - before.requests - waiting) / bodies.length,
    waitingEach: waiting / bodies.length,
    callsEach: (after.calls - before.calls) / bodies.length,
  }
}

/** Gas per payment of a run's transactions. */
export async function gasEach(chain: Chain, { transactions }: Run): Promise<{ gas: number; perTransaction: number }> {
  const hashes = [...new Set(transactions)] as Hex[]
  const receipts = await Promise.all(hashes.map((hash) => chain.client.getTransactionReceipt({ hash })))
  const gas = receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
  return { gas: Math.round(gas / transactions.length), perTransaction: transactions.length / hashes.length }
}

function post(url: string, body: string, agent: Agent): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const request = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      const pieces: Uint8Array[] = []
      response.on('data', (piece: Uint8Array) => pieces.push(piece))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString())))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}
