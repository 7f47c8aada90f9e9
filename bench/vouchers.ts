// Channels, ours beside the official facilitator on one chain: gas of deposits, claims and refunds, and vouchers verified a second.
// `node scripts/bench.mjs vouchers [seconds of each row] [rounds]` prints the tables of docs/benchmarks.md.
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { QuittanceChannels } from '../packages/quittance/src/index'
import {
  type ClaimRow,
  createChannelForge,
  DEPOSIT,
  PRICE,
  signClaims,
  signRefund,
} from '../test/support/batch-settlement/channels'
import { rowOf } from '../test/support/batch-settlement/kept-channels'
import { startCluster } from '../test/support/database/postgres'
import { type Child, startChild } from './child'
import { offeredAuthorizer } from './offered-authorizer'

type Json = Record<string, unknown>
type Opened = Awaited<ReturnType<typeof opened>>

const [seconds = 5, rounds = 3] = process.argv.slice(2).map(Number)
const CHAIN_ID = 84532
const CLAIMS = [1, 20, 100]
const CHANNELS = 64
const PARALLEL = [1, 32, 128]

const cluster = await startCluster({ durable: true })
const chain = await startChain({ chainId: CHAIN_ID })
const authorizer = privateKeyToAccount(generatePrivateKey())
const forge = createChannelForge(chain, privateKeyToAccount(generatePrivateKey()).address, authorizer.address, authorizer)

async function start(name: 'ours' | 'official'): Promise<Child> {
  const signer = generatePrivateKey()
  await chain.fund(privateKeyToAccount(signer).address, 10n ** 21n)
  const env = { FACILITATOR: name, CHAIN_URL: chain.url, SIGNER_KEY: signer }
  return startChild(name === 'ours' ? { ...env, DATABASE_URL: cluster.url('postgres') } : env)
}

const facilitators = { ours: await start('ours'), official: await start('official') }
type Name = keyof typeof facilitators
const NAMES: readonly Name[] = ['ours', 'official']

async function post(name: Name, route: 'verify' | 'settle', text: string): Promise<Json> {
  const [url = ''] = facilitators[name].urls
  const response = await fetch(`${url}/${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
  return response.json()
}

/** The gas of what a facilitator sent for a request. Throws if it was no success. */
async function gasOf(name: Name, body: Json): Promise<bigint> {
  const { success, transaction, ...told } = await post(name, 'settle', JSON.stringify(body))
  if (success !== true) throw new Error(`${name} answered ${JSON.stringify(told)}`)
  const hash: Hex = `0x${String(transaction).slice(2)}`
  return (await chain.client.waitForTransactionReceipt({ hash })).gasUsed
}

async function opened() {
  const who = await forge.payer({ approved: false })
  return { ...who, ...(await forge.depositDirectly(who)) }
}

const many = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}

const rowsOf = (channels: readonly Opened[]): Promise<ClaimRow[]> =>
  Promise.all(channels.map(({ config, owner }) => forge.row(config, owner, PRICE)))

async function claimOf(count: number): Promise<Json> {
  const rows = await rowsOf(await many(count, opened))
  return forge.claims(rows, await signClaims(CHAIN_ID, authorizer, rows))
}

async function refundOf({ config, owner, channelId }: Opened, claims: readonly ClaimRow[]): Promise<Json> {
  const amount = DEPOSIT - PRICE
  return forge.refund(config, owner, PRICE, {
    amount,
    claims,
    refundAuthorizerSignature: await signRefund(CHAIN_ID, authorizer, { channelId, nonce: 0n, amount }),
    ...(claims.length > 0 ? { claimAuthorizerSignature: await signClaims(CHAIN_ID, authorizer, claims) } : {}),
  })
}

const deposit = async (method: 'eip3009' | 'permit2') => (await forge.deposit(await forge.payer(), { method })).body

async function refund(isBehindClaim: boolean): Promise<Json> {
  const channel = await opened()
  return refundOf(channel, isBehindClaim ? await rowsOf([channel]) : [])
}

const acts: Record<string, { make: () => Promise<Json>; rows: number }> = {
  'deposit, EIP-3009': { make: () => deposit('eip3009'), rows: 1 },
  'deposit, Permit2': { make: () => deposit('permit2'), rows: 1 },
  ...Object.fromEntries(CLAIMS.map((rows) => [`claim of ${rows}, each`, { make: () => claimOf(rows), rows }])),
  refund: { make: () => refund(false), rows: 1 },
  'refund behind a claim': { make: () => refund(true), rows: 1 },
}

// The first claim of a receiver writes its account.
await gasOf('official', await claimOf(1))
console.log('| gas of | ours | official |\n| --- | --- | --- |')
for (const [what, { make, rows }] of Object.entries(acts)) {
  const gas: string[] = []
  for (const name of NAMES) gas.push(((await gasOf(name, await make())) / BigInt(rows)).toLocaleString('en-US'))
  console.log(`| ${[what, ...gas].join(' | ')} |`)
}

type Verifying = { of: Name; vouchers: readonly string[] }

const vouchers = await Promise.all(
  (await many(CHANNELS, opened)).map(async ({ config, owner }) => JSON.stringify(await forge.voucher(config, owner, PRICE))),
)

/** Vouchers of channels whose merchant's server keeps them at ours. */
async function keptVouchers(): Promise<string[]> {
  const [base = ''] = facilitators.ours.urls
  const storage = new QuittanceChannels({ url: base, network: `eip155:${CHAIN_ID}` })
  const keeping = createChannelForge(chain, privateKeyToAccount(generatePrivateKey()).address, await offeredAuthorizer(base))
  return many(CHANNELS, async () => {
    const who = await keeping.payer({ approved: false })
    const { config, channelId, owner } = { ...who, ...(await keeping.depositDirectly(who)) }
    const row = await rowOf(config, owner, { signed: PRICE, charged: 0n, chainId: CHAIN_ID })
    await storage.updateChannel(channelId, () => row)
    return JSON.stringify(await keeping.voucher(config, owner, PRICE))
  })
}

const verifying: Record<string, Verifying> = {
  'ours, kept here': { of: 'ours', vouchers: await keptVouchers() },
  ours: { of: 'ours', vouchers },
  official: { of: 'official', vouchers },
}

/** Vouchers verified a second with so many in flight, and what each took. */
async function measure(
  { of, vouchers }: Verifying,
  parallel: number,
): Promise<{ perSecond: number; calls: number; cpuMs: number }> {
  const child = facilitators[of]
  const before = await child.usage()
  const began = performance.now()
  const until = began + seconds * 1_000
  let good = 0
  const one = async (from: number) => {
    for (let at = from; performance.now() < until; at++) {
      const { isValid } = await post(of, 'verify', vouchers[at % vouchers.length] ?? '')
      if (isValid !== true) throw new Error(`${of} refused a voucher`)
      good++
    }
  }
  await Promise.all(Array.from({ length: parallel }, (_, at) => one(at)))
  const perSecond = (good * 1_000) / (performance.now() - began)
  const after = await child.usage()
  return { perSecond, calls: (after.calls - before.calls) / good, cpuMs: (after.cpuMs - before.cpuMs) / good }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? 0

console.log('\n| vouchers in flight | facilitator | per s | CPU ms each | RPC calls each |\n| --- | --- | --- | --- | --- |')
for (const parallel of PARALLEL) {
  const found = Object.entries(verifying).map(([name, one]) => ({
    name,
    one,
    rounds: [] as Awaited<ReturnType<typeof measure>>[],
  }))
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const { one, rounds } of round % 2 === 0 ? found : found.toReversed()) {
      const figures = await measure(one, parallel)
      if (round > 0) rounds.push(figures)
    }
  for (const { name, rounds } of found) {
    const middle = (of: 'perSecond' | 'cpuMs' | 'calls') => median(rounds.map((round) => round[of]))
    console.log(
      `| ${[parallel, name, middle('perSecond').toFixed(0), middle('cpuMs').toFixed(2), middle('calls').toFixed(2)].join(' | ')} |`,
    )
  }
}
for (const name of NAMES) await facilitators[name].stop()
await chain.stop()
await cluster.remove()
process.exit()
