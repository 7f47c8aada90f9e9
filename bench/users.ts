// The shape that users have: 64 payers, 16 API keys, several lanes, short rounds soon after the start, beside the official facilitator:
// `npm run bench:users -- [block time in seconds, 0 for a block per transaction] [rounds] [lanes]`
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { startCluster } from '../test/postgres'
import { type Child, startChild } from './child'
import { gasEach, type Route, type Run, run } from './load'
import { newPayers } from './payers'

const blockTimeSeconds = Number(process.argv[2] ?? 0.2)
const rounds = Number(process.argv[3] ?? 3)
const lanes = Number(process.argv[4] ?? 4)
const PAYERS = 64
const API_KEYS = 16
const CONCURRENCIES: Record<Route, number[]> = { verify: [32, 128], settle: [1, 32, 128, 256] }

const cluster = await startCluster({ durable: true })
const chain = await startChain({ chainId: 84532, ...(blockTimeSeconds > 0 ? { blockTimeSeconds } : {}) })
const { newBodies } = await newPayers(chain, PAYERS)
const shared = { CHAIN_URL: chain.url, DATABASE_URL: cluster.url('postgres'), API_KEYS: String(API_KEYS) }
const facilitators: [name: string, child: Child][] = [
  ['ours', await startChild({ ...shared, FACILITATOR: 'ours', SIGNER_KEY: (await newSigners(lanes)).join(',') })],
  ['official', await startChild({ ...shared, FACILITATOR: 'official', SIGNER_KEY: (await newSigners(1)).join() })],
]

type Row = { route: Route; parallel: number; name: string; round: number; run: Run; gas: number; perTransaction: number }

const rows: Row[] = []
for (let round = 0; round <= rounds; round++)
  for (const route of ['settle', 'verify'] as const)
    for (const parallel of CONCURRENCIES[route]) {
      // The order alternates, so that neither always runs after the other.
      const inTurn = round % 2 === 0 ? facilitators : facilitators.toReversed()
      for (const [name, child] of inTurn) rows.push(await measure({ route, parallel, name, round }, child))
    }

console.log(
  `${PAYERS} payers, ${API_KEYS} keys, ${lanes} lanes, ${blockTimeSeconds} s blocks (0: one per transaction), Node ${process.versions.node}`,
)
console.log('the first round, soon after the start')
console.table(tableOf(rows.filter(({ round }) => round === 0)))
console.log(`medians of ${rounds} later rounds`)
console.table(tableOf(rows.filter(({ round }) => round > 0)))
const memory = await Promise.all(facilitators.map(async ([name, child]) => [name, round((await child.usage()).memory.rss / 1e6)]))
console.log('RSS MB after the runs', Object.fromEntries(memory))
const idle = await Promise.all(facilitators.map(async ([name, child]) => [name, await idleCpu(child)]))
console.log('idle CPU, ms per second', Object.fromEntries(idle))
for (const [, child] of facilitators) await child.stop()
await chain.stop()
await cluster.remove()
process.exit()

/** Funded signer keys. */
async function newSigners(count: number) {
  const keys = Array.from({ length: count }, generatePrivateKey)
  for (const key of keys) await chain.fund(privateKeyToAccount(key).address, 10n ** 21n)
  return keys
}

async function measure(of: Pick<Row, 'route' | 'parallel' | 'name' | 'round'>, child: Child): Promise<Row> {
  const bodies = await newBodies(of.parallel === 1 ? 12 : of.parallel * 3)
  const result = await run(child, of.route, bodies, of.parallel)
  if (result.failures.size > 0) console.log(of.name, of.route, of.parallel, Object.fromEntries(result.failures))
  const { gas, perTransaction } =
    of.route === 'settle' && result.good > 0 ? await gasEach(chain, result) : { gas: 0, perTransaction: 0 }
  return { ...of, run: result, gas, perTransaction }
}

/** A row per route, concurrency and facilitator, and what the official one's median is to ours. */
function tableOf(some: Row[]) {
  const groups = new Map<string, Row[]>()
  for (const row of some) {
    const key = `${row.route} ${row.parallel} ${row.name}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups].map(([key, group]) => {
    const [route, parallel, name] = key.split(' ')
    const of = (figure: (row: Row) => number) => median(group.map(figure))
    const perSecond = of(({ run }) => run.perSecond)
    const beside = groups.get(`${route} ${parallel} official`) ?? []
    const ratios = group.flatMap((row) => {
      const other = beside.find(({ round }) => round === row.round)
      return other && other !== row ? [row.run.perSecond / other.run.perSecond] : []
    })
    return {
      ...{ route, parallel, facilitator: name, 'per s': round(perSecond, 1) },
      ...{ 'times official': ratios.length > 0 ? round(median(ratios), 2) : undefined },
      ...{ 'p50 ms': round(of(({ run }) => run.p50)), 'p95 ms': round(of(({ run }) => run.p95)) },
      ...{
        'p99 ms': round(of(({ run }) => run.p99)),
        'CPU ms each': round(
          of(({ run }) => run.cpuEach),
          2,
        ),
      },
      ...{
        'RPC calls each': round(
          of(({ run }) => run.callsEach),
          2,
        ),
      },
      ...{
        'gas each': of(({ gas }) => gas) || undefined,
        'payments per tx':
          round(
            of((row) => row.perTransaction),
            1,
          ) || undefined,
      },
    }
  })
}

/** CPU milliseconds per second while nothing happens. */
async function idleCpu(child: Child): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const before = await child.usage()
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const { cpu } = await child.usage()
  return round((cpu.user + cpu.system - before.cpu.user - before.cpu.system) / 1_000 / 10, 1)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}
