// 1, 2 and 4 instances of ours on one PostgreSQL and one Redis, behind a balancer of connections; then the one of four that signs is killed at work.
// `npm run bench:scale -- [settles a row] [verifies a row] [in parallel]`; ends with 1 when a payment is lost or was paid otherwise than told.
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { PAY_TO } from '../test/harness'
import { startCluster } from '../test/postgres'
import { startRedis } from '../test/redis'
import { type Fleet, startFleet } from './fleet'
import { type Route, run } from './load'
import { newPayers } from './payers'
import { payAllUntilKnown } from './persistent'

const [settles = 1_500, verifies = 3_000, parallel = 256] = process.argv.slice(2).map(Number)
const BLOCK_SECONDS = 1
const PAYERS = 256
const FLEETS = [1, 2, 4]
/** All instances are given the same signers, as replicas are; each lane is leased to one of them. */
const SIGNERS = 4
/** How much of the last row's payments are under way when an instance dies. */
const KILL_AFTER_MS = 3_000

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

/** What was paid must be what was told. */
async function check(told: number, what: string): Promise<void> {
  expected += BigInt(told) * EACH
  const balance = await paid()
  if (balance === expected) return
  wrong++
  console.log(`${what}: ${balance - expected} atomic units more than was told`)
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
    ...{ instances, route, parallel, good: `${good}/${bodies.length}`, 'per s': round(perSecond, 1) },
    ...{ 'p50 ms': round(p50), 'p95 ms': round(p95), 'p99 ms': round(p99), 'CPU ms each': round(cpuEach, 2) },
    'RSS MB': round(memory.rss / 2 ** 20),
  }
}

const rows = []
for (const instances of FLEETS) {
  const fleet = await startFleet(instances, env)
  for (const route of ['verify', 'settle'] as const) await run(fleet, route, await newBodies(64), 32)
  expected = await paid()
  for (const route of ['verify', 'settle'] as const) rows.push(await measure(instances, fleet, route))
  await fleet.stop()
}
console.log(`a block every ${BLOCK_SECONDS} s, ${SIGNERS} signers, one PostgreSQL, one Redis; Node ${process.versions.node}`)
console.table(rows)

const fleet = await startFleet(4, env)
const bodies = await newBodies(settles)
const running = payAllUntilKnown(fleet.url, bodies, parallel)
await delay(KILL_AFTER_MS)
// The first one took the leases.
await fleet.killOne(0)
const { known, unknown, asked, statuses, longestMs } = await running
await check(known, 'after the kill')
console.log(
  `the one of four that signs was killed ${KILL_AFTER_MS / 1_000} s into ${bodies.length} settles, ${parallel} at a time:`,
)
console.log(`${known} known, ${unknown} unknown, asked ${asked} times, the slowest known after ${round(longestMs / 1_000, 1)} s`)
console.table(Object.fromEntries(statuses))
await fleet.stop()
await Promise.all([chain.stop(), redis.kill()])
await cluster.remove()
process.exit(unknown > 0 || wrong > 0 ? 1 : 0)
