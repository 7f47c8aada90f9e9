import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { build } from '../scripts/build.mjs'
import { agentName, forgetSampleAgent, keepAgent } from './agents'
import { demoPorts } from './demo-ports'
import type { PaidAnswer } from './payer'
import { addresses, isPending, isUnsent, paymentLine, paymentProblem, withoutExtensionResponses } from './print'
import { NoAnswerError, retryUntilAnswered } from './retry'
import { SEEDED_AGENT } from './seed/agent'
import { seed, unseed } from './seed/database'
import { DEMO_OWNER } from './seed/history'
import { startWorld, type World } from './world'
import { demoFolder, findRunning, readWorld } from './world-folder'

const purchases = ['/weather', '/weather', '/quote', '/report', '/almanac']

/**
 * The newcomer's command: starts a local world, pays in it a few times, prints its addresses and stays up. `--seed` first adds 60 days of
 * history for a demo owner, and an agent with credits; `--unseed` removes that history and does nothing else.
 */
export async function demo(flags: readonly string[] = []): Promise<void> {
  const unknown = flags.find((flag) => flag !== '--seed' && flag !== '--unseed')
  if (unknown !== undefined) throw new Error(`npm run demo knows --seed and --unseed, not ${unknown}`)
  const [flag] = flags
  if (flag !== undefined) await refuseWhileRunning(flag)
  if (flags.includes('--unseed')) return removeSeed()
  // Payments do not wait for the pages: the service serves the pages once they are built.
  let building: Promise<void> | undefined
  return run(
    'production',
    async (world, stopping) => {
      if (flags.includes('--seed')) await fundSampleAgent(world)
      console.log('\nThe official client buys from the merchant; the facilitator verifies and settles:\n')
      for (const path of purchases) {
        const answer = await buy(world, path, stopping)
        if (stopping.aborted) return
        console.log(`  ${paymentLine(path, answer)}`)
        if (isPending(answer)) console.log('  The chain is slow: this payment is pending and lands with the next block.')
        // Only now: a build uses every core, and a newcomer waits for the first payment.
        building ??= beginToBuild()
      }
      if (!stopping.aborted) await payInOtherWays(world, stopping)
      console.log('')
      await pagesOf(building)
    },
    flags.includes('--seed') ? fillHistory : undefined,
  )
}

/** The sample agent can buy more credits: its wallet gets 5 USDC unless it has some. */
async function fundSampleAgent({ chains }: Pick<World, 'chains'>): Promise<void> {
  const base = chains.find(({ chainId }) => chainId === 8453)
  const wallet = privateKeyToAddress(SEEDED_AGENT.key)
  if (base && (await base.tokens(wallet)) < 1_000_000n) await base.mint(wallet, 5_000_000n)
}

/** One payment by Permit2, one of which a part is charged, and one from a smart wallet. */
async function payInOtherWays(world: World, stopping: AbortSignal): Promise<void> {
  console.log(
    '\nBy Permit2 with a permit of the token, up to a maximum, and from a smart wallet that its first payment deploys:\n',
  )
  for (const [path, pay] of [
    ['/archive', world.pay],
    ['/tokens', world.pay],
    ['/chart', world.payFromSmartWallet],
  ] as const) {
    const answer = await buy({ pay }, path, stopping)
    if (stopping.aborted) return
    console.log(`  ${paymentLine(path, answer)}`)
  }
}

/** Buys once, and again while a local chain does not answer. Throws for any other failure. */
export function buy({ pay }: Pick<World, 'pay'>, path: string, signal?: AbortSignal): Promise<PaidAnswer> {
  const purchase = async (): Promise<PaidAnswer> => {
    const answer = await pay(path)
    const problem = paymentProblem(path, answer)
    if (problem === undefined || isPending(answer) || signal?.aborted) return answer
    throw isUnsent(answer) ? new NoAnswerError(problem) : new Error(problem)
  }
  return retryUntilAnswered('the local chains', purchase, { say: (line) => console.log(`  ${line}`), signal })
}

function beginToBuild(): Promise<void> {
  const building = build({ beside: true })
  // The caller awaits it later and gets its failure; until then the failure must not end the process.
  building.catch(() => {})
  return building
}

/** Waits for the pages; if that takes long, it says what works meanwhile. */
async function pagesOf(building: Promise<void> | undefined): Promise<void> {
  const words = '  Payments work already: run `npm run pay` in another terminal. The addresses follow with the pages.'
  const notice = setTimeout(() => console.log(words), 1_000)
  await building?.finally(() => clearTimeout(notice))
  clearTimeout(notice)
}

async function fillHistory(dataFolder: string): Promise<void> {
  const { settlements, listings, deliveries, creditsLeft } = await seed(dataFolder)
  keepAgent(demoFolder, 'sample', SEEDED_AGENT.key)
  const made = `${settlements} settlements, ${listings} listings and ${deliveries} webhook deliveries`
  const owners = `of the owner ${DEMO_OWNER.id} and of the sample agent`
  console.log(`Demo history        ${made} ${owners}  (npm run demo -- --unseed removes them)`)
  console.log(`Sample agent        ${creditsLeft} credits left; sign in at /sign-in?to=/agent as "${agentName('sample')}"`)
}

async function refuseWhileRunning(flag: string): Promise<void> {
  const running = await findRunning(demoFolder)
  if (!running) return
  const { baseUrl, pid } = running
  throw new Error(
    `${flag} changes the demo's database, which the demo at ${baseUrl} (process ${pid}) uses: nothing was changed.\n` +
      `Stop that demo with Ctrl-C, then run "npm run demo -- ${flag}" again.`,
  )
}

async function removeSeed(): Promise<void> {
  const record = readWorld(demoFolder)
  const count = record ? await unseed(join(demoFolder, record.database)) : null
  if (record) forgetSampleAgent(demoFolder)
  console.log(count ? `Removed ${count} seeded settlements and their tenants.` : 'There was no seeded history.')
}

/** The contributor's command: the same world; the service restarts when a source file changes. */
export function develop(): Promise<void> {
  return run('development', async () => {})
}

async function run(
  mode: 'production' | 'development',
  whenUp: (world: World, stopping: AbortSignal) => Promise<void>,
  beforeService?: (dataFolder: string) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController()
  listenForSignals(interrupted)
  console.log = withoutExtensionResponses(console.log)
  let world: World | undefined
  try {
    world = await startWorld({
      folder: demoFolder,
      mode,
      ports: demoPorts(),
      say: (line) => console.log(line),
      beforeService,
      signal: interrupted.signal,
    })
    const ended = world.serviceEnded.then((reason) => Promise.reject(new Error(reason)))
    await Promise.race([whenUp(world, interrupted.signal), ended, rejection(interrupted.signal)])
    console.log(`\n${addresses(world)}\n`)
    await Promise.race([ended, rejection(interrupted.signal)])
  } catch (cause) {
    if (!interrupted.signal.aborted) {
      console.error(`\n${cause instanceof Error ? cause.message : cause}`)
      process.exitCode = 1
    }
  }
  if (interrupted.signal.aborted) console.log('\nStopping: the service, the merchant, the chains.')
  await world?.stop()
  // An open keep-alive connection would keep the process alive.
  process.exit()
}

function listenForSignals(interrupted: AbortController): void {
  // npm passes a signal to its shell, and the shell ends without passing it on.
  const parent = process.ppid
  const orphaned = (): void => {
    if (process.ppid !== parent) interrupted.abort()
  }
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, 500).unref()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // On the second signal we exit at once, and our children end with us.
      if (interrupted.signal.aborted) process.exit(130)
      interrupted.abort()
      // A build or a draining service may take long. Our children end with us.
      setTimeout(() => process.exit(), 9_000).unref()
    })
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
