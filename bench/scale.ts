// 1, 2 and 4 instances of our service on one PostgreSQL and one Redis, behind a balancer; then the one of four that signs is killed.
// `npm run bench:scale -- [settles a row] [verifies a row] [in parallel]`; exits with 1 when an outcome is unknown or contradicts the chain.
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { startCluster } from '../test/support/database/postgres'
import { startRedis } from '../test/support/database/redis'
import { PAY_TO } from '../test/support/payloads/payments'
import { type Fleet, startFleet } from './fleet'
import { type Route, run } from './load'
import { newPayers } from './payers'

const [settles = 1_500, verifies = 3_000, parallel = 256] = process.argv.slice(2).map(Number)
const BLOCK_SECONDS = 1
const PAYERS = 256
const FLEETS = [1, 2, 4]
/** All instances have the same signers, as replicas do; each lane is leased to one instance. */
const SIGNERS = 4
/** From the first payment to the death of an instance. */
const KILL_AFTER_MS = 3_000
/** So many payments each before the first row: until then an instance compiles its code. */
const WARM = 600
const RETRY_MS = 500
/** After an instance died, a retry gets the outcome once the first request's deadline has passed. */
const GIVE_UP_MS = 90_000

const [cluster, redis] = await Promise.all([startCluster({ durable: true }), startRedis()])
const chain = await startChain({ chainId: 84532, blockTimeSeconds: BLOCK_SECONDS })
const keys = Array.from({ length: SIGNERS }, generatePrivateKey)
for (const key of keys) await chain.fund(privateKeyToAccount(key).address, 10n ** 21n)
const { newBodies } = await newPayers(chain, PAYERS)
const env = { CHAIN_URL: chain.url, DATABASE_URL: cluster.url('postgres'), REDIS_URL: redis.url, SIGNER_KEY: keys.join(',') }

const paid = () => chain.tokens(PAY_TO)

const EACH = 1_000n
let expected = await paid()
let wrong = 0

/** Compares the recipient's balance with the number of answered successes. */
async function check(successes: number, what: string): Promise<void> {
  expected += BigInt(successes) * EACH
  const balance = await paid()
  if (balance === expected) return
  wrong++
  console.log(`${what}: ${balance - expected} atomic units more than the answers say`)
  expected = balance
}

const round = (value: number, digits = 0) => Number(value.toFixed(digits))

async function measure(instances: number, fleet: Fleet, route: Route) {
  const bodies = await newBodies(route === 'settle' ? settles : verifies)
  const { good, failures, perSecond, p50, p95, p99, cpuEach } = await run(fleet, route, bodies, parallel)
  if (failures.size > 0) console.log(instances, route, Object.fromEntries(failures))
  if (route === 'settle') await check(good, `${instances} instances`)
  const { memory } = await fleet.usage()
  return {
    instances,
    route,
    parallel,
    good: `${good}/${bodies.length}`,
    'per s': round(perSecond, 1),
    'p50 ms': round(p50),
    'p95 ms': round(p95),
    'p99 ms': round(p99),
    'CPU ms each': round(cpuEach, 2),
    'RSS MB': round(memory.rss / 2 ** 20),
  }
}

const rows = []
for (const instances of FLEETS) {
  const fleet = await startFleet(instances, env)
  for (const route of ['verify', 'settle'] as const) await run(fleet, route, await newBodies(WARM * instances), parallel)
  expected = await paid()
  for (const route of ['verify', 'settle'] as const) rows.push(await measure(instances, fleet, route))
  await fleet.stop()
}
console.log(`a block every ${BLOCK_SECONDS} s, ${SIGNERS} signers, one PostgreSQL, one Redis; Node ${process.versions.node}`)
console.table(rows)

const fleet = await startFleet(4, env)
const bodies = await newBodies(settles)
const running = payAllUntilKnown(fleet.urls[0] ?? '', bodies, parallel)
await delay(KILL_AFTER_MS)
// The first instance has the leases.
await fleet.killOne(0)
const { known, unknown, requests, statuses, longestMs } = await running
await check(known, 'after the kill')
console.log(
  `the one of four that signs was killed ${KILL_AFTER_MS / 1_000} s into ${bodies.length} settles, ${parallel} at a time:`,
)
console.log(`${known} known, ${unknown} unknown, ${requests} requests, the slowest known after ${round(longestMs / 1_000, 1)} s`)
console.table(Object.fromEntries(statuses))
await fleet.stop()
await Promise.all([chain.stop(), redis.kill()])
await cluster.remove()
process.exit(unknown > 0 || wrong > 0 ? 1 : 0)

/** The outcome of payments whose merchants retry until they know it. */
type Retried = { known: number; unknown: number; requests: number; statuses: Map<string, number>; longestMs: number }

async function isSettled(url: string, id: string | null): Promise<boolean> {
  const response = await fetch(`${url}/settlements/${id}`, { headers: { connection: 'close' } })
  const { settlements = [] }: { settlements?: { state: string }[] } = await response.json()
  return settlements.some(({ state }) => state === 'succeeded')
}

/** Settles these bodies, `parallel` at a time, and repeats each until its outcome is known. */
async function payAllUntilKnown(url: string, bodies: readonly string[], parallel: number): Promise<Retried> {
  const result: Retried = { known: 0, unknown: 0, requests: 0, statuses: new Map(), longestMs: 0 }
  const left = [...bodies]
  const note = (status: string) => result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1)

  async function attempt(body: string): Promise<boolean> {
    result.requests++
    try {
      const headers = { 'content-type': 'application/json', connection: 'close' }
      const response = await fetch(`${url}/settle`, { method: 'POST', headers, body })
      const answer = await response.json()
      note(String(response.status))
      // The answer went to a connection that died: look the settlement up.
      const isAnswered = response.status === 409 && !response.headers.has('retry-after')
      return answer.success === true || (isAnswered && (await isSettled(url, response.headers.get('x-settlement-id'))))
    } catch {
      // The instance or the connection died, which is the subject of this benchmark.
      note('no answer')
      return false
    }
  }

  async function payOne(body: string): Promise<void> {
    const began = performance.now()
    while (!(await attempt(body))) {
      if (performance.now() - began > GIVE_UP_MS) {
        result.unknown++
        return
      }
      await delay(RETRY_MS)
    }
    result.known++
    result.longestMs = Math.max(result.longestMs, performance.now() - began)
  }

  const client = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) await payOne(body)
  }
  await Promise.all(Array.from({ length: parallel }, client))
  return result
}
