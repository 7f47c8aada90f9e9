// Throughput, latency and CPU of verify and settle through the transport functions, on PostgreSQL and a local chain:
// `node --import tsx bench/payments.ts [payments per row] [block time in seconds]`
import { subscribe } from 'node:diagnostics_channel'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { createApp } from '../server/boot'
import { readEnv } from '../server/env'
import { silentLog } from '../server/log'
import { type Answer, post } from '../test/client'
import { ready, signed, v2Body } from '../test/harness'
import { startCluster } from '../test/postgres'

let requests = 0
subscribe('undici:request:create', () => {
  requests++
})

const payments = Number(process.argv[2] ?? 200)
const blockTimeSeconds = Number(process.argv[3] ?? 0.2)

const cluster = await startCluster()
const chain = await startChain({ chainId: 84532, blockTimeSeconds })
const signer = generatePrivateKey()
await chain.fund(privateKeyToAccount(signer).address, 10n ** 20n)
const payer = privateKeyToAccount(generatePrivateKey())
await chain.mint(payer.address, 10n ** 12n)
const variables = {
  NODE_ENV: 'test',
  DATABASE_URL: cluster.url('postgres'),
  BASE_SEPOLIA_RPC_URL: chain.url,
  EVM_SANDBOX_SIGNER_KEYS: signer,
}
const app = await createApp(readEnv(variables), silentLog())
await ready(app)

type Row = { route: 'verify' | 'settle'; parallel: number }

async function measure({ route, parallel }: Row) {
  const bodies = await Promise.all(Array.from({ length: payments }, async () => v2Body(await signed(payer))))
  const milliseconds: number[] = []
  const before = requests
  const cpu = process.cpuUsage()
  const started = performance.now()
  let good = 0
  const client = async () => {
    for (let body = bodies.pop(); body; body = bodies.pop()) {
      const sent = performance.now()
      const answer = await post(app, route, body)
      milliseconds.push(performance.now() - sent)
      if (succeeded(answer)) good++
    }
  }
  await Promise.all(Array.from({ length: parallel }, client))
  const seconds = (performance.now() - started) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  milliseconds.sort((a, b) => a - b)
  const percentile = (share: number) => Math.round(milliseconds[Math.floor((milliseconds.length - 1) * share)] ?? 0)
  return {
    route,
    parallel,
    good: `${good}/${payments}`,
    'per second': Math.round(payments / seconds),
    'p50 ms': percentile(0.5),
    'p95 ms': percentile(0.95),
    'p99 ms': percentile(0.99),
    // The client side of the bench runs in the same process.
    'CPU ms each': Math.round((user + system) / payments / 10) / 100,
    'RPC round trips each': Math.round(((requests - before) / payments) * 100) / 100,
  }
}

const succeeded = ({ body }: Answer): boolean => body.isValid === true || body.success === true

const rows: Row[] = [1, 8, 32, 128].flatMap((parallel) => [
  { route: 'verify' as const, parallel },
  { route: 'settle' as const, parallel },
])
const results = []
for (const row of rows) results.push(await measure(row))
console.log(`${payments} payments per row, a block every ${blockTimeSeconds} s, Node ${process.versions.node}`)
console.table(results)
await app.close()
await chain.stop()
await cluster.remove()
process.exit()
