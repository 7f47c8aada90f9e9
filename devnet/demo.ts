import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { paymentLine, paymentProblem, table } from './print'
import { seed, unseed } from './seed/database'
import { DEMO_OWNER } from './seed/history'
import { startWorld, type World } from './world'
import { demoFolder, findRunning, readWorld } from './world-folder'

const purchases = ['/weather', '/weather', '/quote', '/report', '/almanac']

/**
 * The newcomer's command: a whole local world, a few payments through it, and where to look next. Stays up. `--seed` gives a demo owner 60 days
 * of history before it starts; `--unseed` takes that away again and does nothing else.
 */
export function demo(flags: readonly string[] = []): Promise<void> {
  const unknown = flags.find((flag) => flag !== '--seed' && flag !== '--unseed')
  if (unknown !== undefined) throw new Error(`npm run demo knows --seed and --unseed, not ${unknown}`)
  if (flags.includes('--unseed')) return removeSeed()
  // The money does not wait for the pages: the service takes them up when they are there.
  let building: Promise<void> | undefined
  return run(
    'production',
    async (world, stopping) => {
      console.log('\nThe official client buys from the merchant; the facilitator verifies and settles:\n')
      for (const path of purchases) {
        const answer = await world.pay(path)
        if (stopping.aborted) return
        const problem = paymentProblem(path, answer)
        if (problem) throw new Error(problem)
        console.log(`  ${paymentLine(path, answer)}`)
        // Not before: a build takes every core, and the first payment is what a newcomer waits for.
        building ??= beginToBuild()
      }
      console.log('')
      await building
    },
    flags.includes('--seed') ? fillHistory : undefined,
  )
}

function beginToBuild(): Promise<void> {
  const building = build({ beside: true })
  // Whoever awaits it hears of its failure; until then it must not end the process.
  building.catch(() => {})
  return building
}

async function fillHistory(dataFolder: string): Promise<void> {
  const count = await seed(dataFolder)
  console.log(`Demo history        ${count} settlements of the owner ${DEMO_OWNER.id}  (npm run demo -- --unseed removes them)`)
}

async function removeSeed(): Promise<void> {
  if (await findRunning(demoFolder)) throw new Error('The demo is running: stop it first, its database is in use.')
  const record = readWorld(demoFolder)
  const count = record ? await unseed(join(demoFolder, record.database)) : null
  console.log(count ? `Removed ${count} seeded settlements and their tenants.` : 'There was no seeded history.')
}

/** The contributor's command: the same world, its service restarting at each change of a source file. */
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
  let world: World | undefined
  const chain = port('DEMO_CHAIN_PORT', 8545)
  const solana = port('DEMO_SOLANA_PORT', 8899)
  try {
    world = await startWorld({
      folder: demoFolder,
      mode,
      ports: {
        service: port('DEMO_PORT', 3000),
        merchant: port('DEMO_MERCHANT_PORT', 4021),
        identity: port('DEMO_IDENTITY_PORT', 4022),
        chain,
        // Beside the other, so that one variable moves both.
        baseChain: port('DEMO_BASE_CHAIN_PORT', chain === 0 ? 0 : chain + 1),
        solana,
        // Likewise, but not right beside: Solana's clients look for notifications one port above a node.
        solanaDevnet: port('DEMO_SOLANA_DEVNET_PORT', solana === 0 ? 0 : solana + 2),
      },
      say: (line) => console.log(line),
      beforeService,
      signal: interrupted.signal,
    })
    const ended = world.serviceEnded.then((reason) => Promise.reject(new Error(reason)))
    await Promise.race([whenUp(world, interrupted.signal), ended, rejection(interrupted.signal)])
    console.log(`\n${places(world)}\n`)
    await Promise.race([ended, rejection(interrupted.signal)])
  } catch (cause) {
    if (!interrupted.signal.aborted) {
      console.error(`\n${cause instanceof Error ? cause.message : cause}`)
      process.exitCode = 1
    }
  }
  if (interrupted.signal.aborted) console.log('\nStopping: the service, the merchant, the chains.')
  await world?.stop()
  // Whatever keep-alive connection is still open must not keep us here.
  process.exit()
}

function listenForSignals(interrupted: AbortController): void {
  // npm told to end passes the signal to its shell, which ends without passing it on.
  const parent = process.ppid
  const orphaned = (): void => {
    if (process.ppid !== parent) interrupted.abort()
  }
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, 500).unref()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // The second time somebody means it: our children end with us.
      if (interrupted.signal.aborted) process.exit(130)
      interrupted.abort()
      // A build, or a service that will not drain, must not keep anyone waiting: what we started ends with us.
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

function places(world: World): string {
  const [sepolia, base] = world.chains
  const [solana, solanaDevnet] = world.solana
  return table([
    ['Home page', `${world.baseUrl}/`],
    ['Dashboard', `${world.baseUrl}/dashboard  (sign in as sample-merchant; as demo-seed after --seed)`],
    ['Facilitator URL', `${world.facilitatorUrl}  (the sample merchant's, with its API key)`],
    ['Sandbox URL', `${world.baseUrl}/sandbox  (no key, test networks only)`],
    ['Admin key', `secrets.admin in ${demoFolder}/world.json  (makes API keys: see docs/api.md)`],
    ['Sample merchant', world.merchantUrl],
    ['Identity provider', `${world.issuer}  (any user name, no password; npm run -s token -- alice prints a JWT for /api/me/…)`],
    ['Chains', `${sepolia.url} (Base Sepolia), ${base.url} (Base); JSON-RPC`],
    ['', `${solana.url} (Solana), ${solanaDevnet.url} (Solana devnet); JSON-RPC without notifications`],
    ['Database', world.databaseFolder],
    ['Service log', world.logFile ?? 'here'],
    ['Pay once more', 'npm run pay         (or: npm run pay -- /report, on Base, or /almanac, on Solana)'],
    ['Agents', 'npm run agent       (buys credits and sells with them on Base Sepolia; npm run agent -- solana on Solana)'],
    ['Stop', 'Ctrl-C'],
  ])
}

function port(variable: string, usual: number): number {
  const value = process.env[variable] || String(usual)
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  console.error(`${variable} must be a port number, not "${value}".`)
  process.exit(1)
}
