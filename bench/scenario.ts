import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, startChain } from '../devnet/chain'
import type { Start } from './adapter'
import { gasEach, type Route, type Run, run } from './load'
import { newPayers, type Payers } from './payers'
import type { Profile } from './profile'
import { type RunningFacilitator, startFacilitator } from './running'
import { type Scenario, type Shape, shapes } from './shapes'

/** One facilitator's figures of one route at one concurrency in one round. */
export type Row = Omit<Run, 'failures' | 'transactions'> & {
  route: Route
  parallel: number
  facilitator: string
  /** 0 is the first, soon after the start. */
  round: number
  /** Absent for a verify, and for a settle without a success. */
  gasEach?: number
  perTransaction?: number
}

/** What a facilitator uses after the last round. */
type Footprint = { facilitator: string; rssMb: number; idleCpuMs: number }

/** Everything that one run of the bench found. */
export type Result = {
  scenario: Scenario
  /** The median wait for a block alone. */
  blockWaitMs: number
  rows: Row[]
  failures: { facilitator: string; route: Route; parallel: number; round: number; reasons: Record<string, number> }[]
  footprints: Footprint[]
  profiles: { facilitator: string; route: Route; profile: Profile }[]
}

const SETTLE_DOWN_MS = 5_000
const IDLE_MS = 10_000
const PROFILED = { payments: 512, parallel: 128 }
const ROUTES = ['settle', 'verify'] as const

/** Starts a chain and every facilitator, measures all rows of all in turns, and stops them. */
export async function runScenario(scenario: Scenario, adapters: readonly Start[], say: (line: string) => void): Promise<Result> {
  const shape: Shape = shapes[scenario.shape]
  const { blockTimeSeconds, lanes, rounds } = scenario
  const chain = await startChain({ chainId: 84532, ...(blockTimeSeconds > 0 ? { blockTimeSeconds } : {}) })
  const payers = await newPayers(chain, shape.payers)
  const facilitators: RunningFacilitator[] = []
  for (const start of adapters) {
    const facilitator = await startFacilitator(start, { chain, lanes, apiKeys: shape.apiKeys, say })
    if (facilitator) facilitators.push(facilitator)
  }
  const result: Result = { scenario, blockWaitMs: 0, rows: [], failures: [], footprints: [], profiles: [] }
  for (let round = 0; round <= rounds; round++) {
    say(`round ${round + 1} of ${rounds + 1}`)
    // The order alternates, so that none always runs after another.
    const inTurn = round % 2 === 0 ? facilitators : facilitators.toReversed()
    for (const route of ROUTES)
      for (const parallel of shape.inFlight[route])
        for (const facilitator of inTurn) {
          const bodies = await payers.newBodies(shape.payments(route, parallel), facilitator.version)
          const found = await run(facilitator, route, bodies, parallel)
          const at = { facilitator: facilitator.name, route, parallel, round }
          result.rows.push(await rowOf(chain, found, at))
          if (found.failures.size > 0) result.failures.push({ ...at, reasons: Object.fromEntries(found.failures) })
        }
  }
  result.blockWaitMs = await blockWait(chain)
  if (scenario.shape === 'users') result.footprints = await footprintsOf(facilitators)
  else result.profiles = await profilesOf(facilitators, payers)
  for (const facilitator of facilitators) await facilitator.stop()
  await chain.stop()
  return result
}

async function rowOf(chain: Chain, found: Run, at: Pick<Row, 'facilitator' | 'route' | 'parallel' | 'round'>): Promise<Row> {
  const { failures: _, transactions: __, ...figures } = found
  if (at.route === 'verify' || found.good === 0) return { ...at, ...figures }
  const { gas, perTransaction } = await gasEach(chain, found)
  return { ...at, ...figures, gasEach: gas, perTransaction }
}

/** Memory after the runs, then CPU per second while nothing happens. */
async function footprintsOf(facilitators: RunningFacilitator[]): Promise<Footprint[]> {
  const memory = await Promise.all(facilitators.map((facilitator) => facilitator.usage()))
  await delay(SETTLE_DOWN_MS)
  const before = await Promise.all(facilitators.map((facilitator) => facilitator.usage()))
  await delay(IDLE_MS)
  const after = await Promise.all(facilitators.map((facilitator) => facilitator.usage()))
  return facilitators.map(({ name }, at) => ({
    facilitator: name,
    rssMb: (memory[at]?.rssBytes ?? 0) / 1e6,
    idleCpuMs: ((after[at]?.cpuMs ?? 0) - (before[at]?.cpuMs ?? 0)) / (IDLE_MS / 1_000),
  }))
}

/** Where the CPU goes while payments queue, for each facilitator that can profile itself. */
async function profilesOf(facilitators: RunningFacilitator[], payers: Payers): Promise<Result['profiles']> {
  const profiles: Result['profiles'] = []
  for (const facilitator of facilitators) {
    if (!facilitator.startProfile) continue
    for (const route of ROUTES) {
      const bodies = await payers.newBodies(PROFILED.payments, facilitator.version)
      const endProfile = facilitator.startProfile()
      await run(facilitator, route, bodies, PROFILED.parallel)
      const profile = (await endProfile()).map(({ where, ms }) => ({ where, ms: ms / bodies.length }))
      profiles.push({ facilitator: facilitator.name, route, profile })
    }
  }
  return profiles
}

/** The chain's own wait: from a plain transaction's send to its receipt, polled every 10 ms. */
async function blockWait({ client, fund }: Chain): Promise<number> {
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(account.address, 10n ** 18n)
  const waits: number[] = []
  for (let at = 0; at < 15; at++) {
    const started = performance.now()
    const hash = await client.sendTransaction({ account, to: account.address, value: 0n })
    await client.waitForTransactionReceipt({ hash, pollingInterval: 10 })
    waits.push(performance.now() - started)
  }
  return waits.sort((a, b) => a - b)[7] ?? 0
}
