// Steady traffic of settles, verifies and reads, with the process's memory, event-loop delay and answers by status, minute by minute.
// `node scripts/bench.mjs soak [minutes] [settles a second] [verifies a second] [reads a second]`; exits with 1 after a 5xx or a wrong balance.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { startCluster } from '../test/support/database/postgres'
import { v2Body } from '../test/support/payloads/payments'
import { startChild } from './child'
import { newPayers } from './payers'

const [minutes = 20, settles = 15, verifies = 50, reads = 20] = process.argv.slice(2).map(Number)
const BLOCK_SECONDS = 1
const PAYERS = 64
const READ_PATHS = ['supported', 'discovery/resources?limit=20', 'discovery/search?query=weather']
/** This share of the run is warm-up: code compiles and caches fill. */
const WARM_UP = 0.25

const cluster = await startCluster({ durable: true })
const chain = await startChain({ chainId: 84532, blockTimeSeconds: BLOCK_SECONDS })
const signer = generatePrivateKey()
await chain.fund(privateKeyToAccount(signer).address, 10n ** 21n)
const payers = await newPayers(chain, PAYERS)
const ours = await startChild({
  MEASURE_DELAYS: '1',
  FACILITATOR: 'ours',
  CHAIN_URL: chain.url,
  DATABASE_URL: cluster.url('postgres'),
  SIGNER_KEY: signer,
})
const [url = ''] = ours.urls

/** Settled amounts by recipient, in atomic units, from the success answers. */
const answered = new Map<`0x${string}`, bigint>()
const troubles = new Map<string, number>()

async function post(route: 'verify' | 'settle'): Promise<number> {
  const payment = await payers.sign()
  const response = await fetch(`${url}/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(v2Body(payment)),
  })
  const answer = await response.json()
  const { to, value } = payment.authorization
  if (route === 'settle' && answer.success === true) answered.set(to, (answered.get(to) ?? 0n) + BigInt(value))
  if (answer.success !== true && answer.isValid !== true) note(`${route} ${response.status} ${JSON.stringify(answer)}`)
  return response.status
}

let reading = 0

async function read(): Promise<number> {
  const response = await fetch(`${url}/${READ_PATHS[reading++ % READ_PATHS.length]}`)
  await response.text()
  if (!response.ok) note(`read ${response.status}`)
  return response.status
}

function note(trouble: string): void {
  troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1)
}

const kinds = { settle: newMinute(), verify: newMinute(), read: newMinute() }
const rows: Record<string, number>[] = []
const until = performance.now() + minutes * 60_000
const going = () => performance.now() < until
let failed = 0

async function closeMinute(): Promise<void> {
  const { memory, delay } = await ours.usage()
  const { settle, verify, read } = { ...kinds }
  Object.assign(kinds, { settle: newMinute(), verify: newMinute(), read: newMinute() })
  const statuses = [settle, verify, read].flatMap((kind) => [...kind.statuses])
  const of5xx = statuses.reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0)
  failed += of5xx
  rows.push({
    minute: rows.length + 1,
    settles: settle.waits.length,
    'settle p50 ms': percentile(settle, 0.5),
    'settle p99 ms': percentile(settle, 0.99),
    'verify p50 ms': percentile(verify, 0.5),
    'verify p99 ms': percentile(verify, 0.99),
    'read p99 ms': percentile(read, 0.99),
    '5xx': of5xx,
    'RSS MB': megabytes(memory.rss),
    'heap MB': megabytes(memory.heapUsed),
    'loop delay p99 ms': round(delay.p99),
    'longest ms': round(delay.max),
  })
}

const megabytes = (bytes: number) => round(bytes / 2 ** 20)
const round = (value: number) => Number(value.toFixed(1))

/** Growth a minute after the warm-up, by least squares. */
function slope(column: string): number {
  const points = rows.slice(Math.ceil(rows.length * WARM_UP)).map((row) => [row.minute ?? 0, row[column] ?? 0] as const)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread
}

await ours.usage()
const closing = setInterval(() => void closeMinute(), 60_000)
await Promise.all([
  pace(
    settles,
    () => kinds.settle,
    () => post('settle'),
    going,
  ),
  pace(
    verifies,
    () => kinds.verify,
    () => post('verify'),
    going,
  ),
  pace(reads, () => kinds.read, read, going),
])
clearInterval(closing)
await closeMinute()

let missing = 0
for (const [payTo, amount] of answered) {
  const balance = await chain.tokens(payTo)
  if (balance !== amount) missing++
}
console.log(
  `${settles} settles, ${verifies} verifies, ${reads} reads a second for ${minutes} min; a block every ${BLOCK_SECONDS} s; Node ${process.versions.node}`,
)
console.table(rows)
console.log(`after the warm-up: RSS ${round(slope('RSS MB'))} MB a minute, heap ${round(slope('heap MB'))} MB a minute`)
console.log(`answers of 5xx: ${failed}; recipients whose balance is not what was answered: ${missing}`)
for (const [trouble, count] of troubles) console.log(`${count} times ${trouble}`)
await ours.stop()
await chain.stop()
await cluster.remove()
process.exit(failed > 0 || missing > 0 ? 1 : 0)

/** One minute's answers of one kind: their waits in milliseconds and their count by status. */
type Minute = { waits: number[]; statuses: Map<number, number> }

function newMinute(): Minute {
  return { waits: [], statuses: new Map() }
}

/**
 * Calls at a fixed rate, however slow the answers are, while `going` is true. Resolves when every call has an answer. A wait counts from the
 * time when the call was due, so a queue on our side is visible.
 */
async function pace(perSecond: number, minute: () => Minute, call: () => Promise<number>, going: () => boolean) {
  const started = performance.now()
  const open = new Set<Promise<void>>()
  for (let turn = 0; going(); turn++) {
    const due = started + (turn * 1_000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const answering = call().then((status) => {
      const { waits, statuses } = minute()
      waits.push(performance.now() - due)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  }
  await Promise.all(open)
}

/** A percentile of a minute's waits, in whole milliseconds. */
function percentile({ waits }: Minute, share: number): number {
  const sorted = waits.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
}
