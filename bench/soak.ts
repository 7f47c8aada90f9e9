// Steady traffic of settles, verifies, reads, charges by upto and channels, with the process's memory, event-loop delay and answers by status,
// minute by minute. `node scripts/bench.mjs soak [minutes] [settles a second] [verifies a second] [reads a second] [charges a second]
// [answers sold through channels a second] [restarts]`; exits with 1 after a 5xx, a wrong balance or a charge that is not claimed to the unit.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { startCluster } from '../test/support/database/postgres'
import { v2Body } from '../test/support/payloads/payments'
import { type Child, startChild } from './child'
import { newPayers } from './payers'
import { openShop, type Told } from './soak-metered'

const [minutes = 20, settles = 15, verifies = 50, reads = 20, charges = 2, answers = 10, restarts = 2] = process.argv
  .slice(2)
  .map(Number)
const BLOCK_SECONDS = 1
const PAYERS = 64
const READ_PATHS = ['supported', 'discovery/resources?limit=20', 'discovery/search?query=weather']
/** This share of the run is warm-up: code compiles and caches fill. */
const WARM_UP = 0.25
/** How long a request is asked again, half a second apart, and how long after a restart leases of the killed process may last. */
const TRIES_MAX = 240
const EXCUSED_MS = 60_000
const CLAIM_EVERY_MS = 15_000

const cluster = await startCluster({ durable: true })
const chain = await startChain({ chainId: 84532, blockTimeSeconds: BLOCK_SECONDS })
const signer = generatePrivateKey()
await chain.fund(privateKeyToAccount(signer).address, 10n ** 21n)
const payers = await newPayers(chain, PAYERS)
const start = (kept: Record<string, string> = {}) =>
  startChild({
    MEASURE_DELAYS: '1',
    FACILITATOR: 'ours',
    CHAIN_URL: chain.url,
    DATABASE_URL: cluster.url('postgres'),
    SIGNER_KEY: signer,
    ...kept,
  })
let ours: Child = await start()
let url = ours.urls[0] ?? ''
/** Until then a restart explains refusals. */
let excusedUntil = 0
const isExcused = () => performance.now() < excusedUntil

/** Settled amounts by recipient, in atomic units, from the success answers. */
const answered = new Map<`0x${string}`, bigint>()
const troubles = new Map<string, number>()

/** Asks until the outcome is known: a killed process answers nothing, and the next one is asked the same. */
async function ask(route: 'verify' | 'settle', body: object): Promise<Told> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  for (let left = TRIES_MAX; ; left--) {
    const response = await fetch(`${url}/${route}`, init).catch(() => null)
    const answer = await response?.json().catch(() => null)
    const isKnown = response && answer && answer.errorReason !== 'settlement_pending' && !(response.status >= 500 && isExcused())
    if (isKnown || left === 0) {
      const status = response?.status ?? 599
      // A success that a killed process delivered, or that nobody heard, is named by the refusal of the second one.
      const isNamed = status === 409 && typeof answer?.transaction === 'string' && answer.transaction !== ''
      return { status, answer: answer ?? {}, paid: answer?.success === true || isNamed }
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function post(route: 'verify' | 'settle'): Promise<number> {
  const payment = await payers.sign()
  const { status, answer, paid } = await ask(route, v2Body(payment))
  const { to, value } = payment.authorization
  if (route === 'settle' && paid) answered.set(to, (answered.get(to) ?? 0n) + BigInt(value))
  if (!paid && answer.isValid !== true) note(`${route} ${status} ${JSON.stringify(answer)}`)
  return status
}

/** Kills the service and starts it with the same key. */
async function restart(): Promise<void> {
  excusedUntil = Number.POSITIVE_INFINITY
  const key = url.split('/').at(-1) ?? ''
  await ours.stop()
  ours = await start({ KEPT_KEYS: key })
  url = ours.urls[0] ?? ''
  excusedUntil = performance.now() + EXCUSED_MS
}

let reading = 0

async function read(): Promise<number> {
  const response = await fetch(`${url}/${READ_PATHS[reading++ % READ_PATHS.length]}`).catch(() => null)
  await response?.text().catch(() => '')
  const status = response?.status ?? 599
  if (!response?.ok) note(`read ${status}`)
  return isExcused() ? 200 : status
}

function note(trouble: string): void {
  troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1)
}

const { kinds: offered } = await (await fetch(`${url}/supported`)).json()
const { facilitatorAddress } = offered.find((one: { scheme: string }) => one.scheme === 'upto').extra
const shop = await openShop({ chain, facilitatorAddress, ask, note })

const kinds = { settle: newMinute(), verify: newMinute(), read: newMinute(), charge: newMinute(), sell: newMinute() }
const rows: Record<string, number>[] = []
const until = performance.now() + minutes * 60_000
const going = () => performance.now() < until
let failed = 0

async function closeMinute(): Promise<void> {
  // A process that was just killed says nothing of its use.
  const usage = await ours.usage().catch(() => null)
  if (!usage) return
  const { memory, delay } = usage
  const { settle, verify, read, charge, sell } = { ...kinds }
  for (const name of Object.keys(kinds)) Object.assign(kinds, { [name]: newMinute() })
  const statuses = [settle, verify, read, charge, sell].flatMap((kind) => [...kind.statuses])
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
    'charge p99 ms': percentile(charge, 0.99),
    'voucher p99 ms': percentile(sell, 0.99),
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
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
async function keepClaiming(): Promise<void> {
  while (going()) {
    await wait(CLAIM_EVERY_MS)
    await shop.claim()
  }
}
async function keepRestarting(): Promise<void> {
  for (let left = restarts; left > 0; left--) {
    await wait((minutes * 60_000) / (restarts + 1))
    await restart()
  }
}
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
  pace(charges, () => kinds.charge, shop.charge, going),
  pace(answers, () => kinds.sell, shop.sell, going),
  keepClaiming(),
  keepRestarting(),
])
clearInterval(closing)
await closeMinute()

const wrong = await shop.close()
let missing = 0
for (const [payTo, amount] of answered) {
  const balance = await chain.tokens(payTo)
  if (balance !== amount) missing++
}
console.log(
  `${settles} settles, ${verifies} verifies, ${reads} reads, ${charges} charges, ${answers} vouchers a second, ${restarts} restarts in ${minutes} min; a block every ${BLOCK_SECONDS} s; Node ${process.versions.node}`,
)
console.table(rows)
console.log(`after the warm-up: RSS ${round(slope('RSS MB'))} MB a minute, heap ${round(slope('heap MB'))} MB a minute`)
console.log(`answers of 5xx: ${failed}; recipients whose balance is not what was answered: ${missing}`)
for (const one of wrong) console.log(one)
for (const [trouble, count] of troubles) console.log(`${count} times ${trouble}`)
await ours.stop()
await chain.stop()
await cluster.remove()
process.exit(failed > 0 || missing > 0 || wrong.length > 0 ? 1 : 0)

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
