// Verify and settle beside the official TypeScript facilitator, on one local chain, in one run; ours on PostgreSQL with durable commits:
// `npm run bench -- [block time in seconds, 0 for a block per transaction] [payments per row of verify]`
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, startChain } from '../devnet/chain'
import { startCluster } from '../test/postgres'
import { type Child, startChild } from './child'
import { gasEach, type Route, type Run, run } from './load'
import { newPayers } from './payers'

const blockTimeSeconds = Number(process.argv[2] ?? 0.2)
const atLeast = Number(process.argv[3] ?? 256)
const CONCURRENCIES = [1, 8, 32, 128, 256]
const PAYERS = 32

const cluster = await startCluster({ durable: true })
const chain = await startChain({ chainId: 84532, ...(blockTimeSeconds > 0 ? { blockTimeSeconds } : {}) })
const { newBodies } = await newPayers(chain, PAYERS)
const keys = [generatePrivateKey(), generatePrivateKey()] as const
for (const key of keys) await chain.fund(privateKeyToAccount(key).address, 10n ** 21n)
const shared = { CHAIN_URL: chain.url, DATABASE_URL: cluster.url('postgres') }
const facilitators: [name: string, child: Child][] = [
  ['ours', await startChild({ ...shared, FACILITATOR: 'ours', SIGNER_KEY: keys[0] })],
  ['official', await startChild({ ...shared, FACILITATOR: 'official', SIGNER_KEY: keys[1] })],
]

/** The chain's own wait: from a plain transaction's send to its receipt, polled every 10 ms. */
async function blockWait({ client }: Chain): Promise<number> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, 10n ** 18n)
  const waits: number[] = []
  for (let at = 0; at < 15; at++) {
    const started = performance.now()
    const hash = await client.sendTransaction({ account, to: account.address, value: 0n })
    await client.waitForTransactionReceipt({ hash, pollingInterval: 10 })
    waits.push(performance.now() - started)
  }
  return waits.sort((a, b) => a - b)[7] ?? 0
}

/** Prints where our CPU goes while payments queue: by package or file, largest first. */
async function profileOurs(): Promise<void> {
  const ours = facilitators.find(([name]) => name === 'ours')?.[1]
  for (const route of ['verify', 'settle'] as const) {
    const bodies = await newBodies(atLeast * 2)
    ours?.profile()
    if (ours) await run(ours, route, bodies, 128)
    const profile = (await ours?.endProfile()) ?? []
    console.log(`where the CPU of ${route} goes at 128 in parallel, ms each`)
    console.table(profile.slice(0, 16).map(({ where, ms }) => ({ where, 'ms each': round(ms / bodies.length, 3) })))
  }
}

const round = (value: number, digits = 0) => Number(value.toFixed(digits))
const best: Record<string, Run> = {}

async function measure(route: Route, parallel: number, name: string, child: Child) {
  // One at a time takes a block each, so a few are enough.
  const bodies = await newBodies(route === 'verify' ? Math.max(atLeast, parallel * 4) : Math.max(24, parallel * 6))
  const result = await run(child, route, bodies, parallel)
  if (result.failures.size > 0) console.log(name, route, parallel, Object.fromEntries(result.failures))
  const key = `${name} ${route}`
  const earlier = best[key]
  if (!earlier || earlier.perSecond < result.perSecond) best[key] = result
  const gas = route === 'settle' && result.good > 0 ? await gasEach(chain, result) : null
  return {
    ...{ route, parallel, facilitator: name, good: `${result.good}/${bodies.length}`, 'per s': round(result.perSecond, 1) },
    ...{ 'p50 ms': round(result.p50), 'p95 ms': round(result.p95), 'p99 ms': round(result.p99) },
    ...{
      'CPU ms each': round(result.cpuEach, 2),
      'RPC each': round(result.rpcEach, 2),
      '+ waiting': round(result.waitingEach, 2),
    },
    ...{ 'gas each': gas?.gas, 'payments per tx': gas && round(gas.perTransaction, 1) },
  }
}

// The first run compiles code, so it does not count.
for (const [, child] of facilitators)
  for (const route of ['verify', 'settle'] as const) await run(child, route, await newBodies(48), 16)
const rows = []
for (const route of ['verify', 'settle'] as const) {
  for (const parallel of CONCURRENCIES)
    for (const [name, child] of facilitators) rows.push(await measure(route, parallel, name, child))
}
console.log(
  `a block every ${blockTimeSeconds} s, whose wait alone is ${round(await blockWait(chain))} ms; Node ${process.versions.node}`,
)
console.table(rows)
for (const route of ['verify', 'settle'] as const) {
  const [ours, official] = [best[`ours ${route}`], best[`official ${route}`]]
  if (!ours || !official) continue
  const line = `${route} at its best: ${round(ours.perSecond / official.perSecond, 2)} times the official facilitator's payments per second`
  console.log(`${line}, ${round(ours.cpuEach / official.cpuEach, 2)} of its CPU each`)
}
await profileOurs()
for (const [, child] of facilitators) await child.stop()
await chain.stop()
await cluster.remove()
process.exit()
