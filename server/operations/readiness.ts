import { type App, contradictionIn } from '../app'
import { isServiceError } from '../base/errors'
import type { Log } from '../base/log'
import { inTime } from '../base/timing'
import type { Db } from '../db/database'
import { type LaneClass, laneClasses } from '../ledger/statements/lanes'
import type { NetworkId } from '../x402/networks/networks'
import { readMigrations } from './queries'

/** One part that payments need, and since when this process has seen it as it is. A part that is not required is reported only. */
export type Part = { part: string; ready: boolean; required: boolean; message: string; since: Date }

type Found = Omit<Part, 'since'>

/** Whether payments can be sent here now, and what is missing. */
export type Readiness = { ready: boolean; parts: Part[] }

type ReadinessParts = Pick<App, 'engine' | 'networks' | 'remotes' | 'accepting' | 'now'> & {
  db: Db
  /** The networks without which the process is not ready. If missing: none. */
  required?: ReadonlySet<NetworkId>
  /** The migrations of this version. */
  migrations: readonly string[]
  log: Log
  /** How long a result is shared. If missing: half a second, and a tenth of that while a part is missing. */
  rememberMs?: number
}

/** The parts that every payment needs. Beside them each environment is one: `production`, `sandbox`. */
export const commonParts = ['process', 'database', 'migrations'] as const

/** The part of the signers of a class on a network. */
export const signersPart = (network: string, laneClass: LaneClass): string => `${network} ${laneClass}`

/** The part of the other facilitator that serves a tier. */
export const facilitatorPart = (tier: string): string => `facilitator ${tier}`

/** Balancers time out soon, and a hung database never answers. */
const TIMEOUT_MS = 2_000
/** How long a result is shared. A start gets ready soon after its first check. */
const REMEMBERED_MS = { ready: 500, missing: 50 }

/** Checks the parts that payments need, at most twice a second once all are ready. Never throws, and answers within about two seconds. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  let checking: Promise<Found[]> | undefined
  let last = { found: [] as Found[], at: Number.NEGATIVE_INFINITY }
  // The names of parts come from the configuration, so they are few.
  const seen = new Map<string, { ready: boolean; since: Date }>()

  function dated(found: Found): Part {
    const before = seen.get(found.part)
    const known = before?.ready === found.ready ? before : { ready: found.ready, since: parts.now() }
    seen.set(found.part, known)
    return { ...found, since: known.since }
  }

  async function check(): Promise<Found[]> {
    const [common, signing, rest] = await Promise.all([databaseParts(parts), signers(parts), Promise.all(others(parts))])
    const found = [...common, ...environments(signing), ...signing.map(({ found }) => found), ...rest]
    last = { found, at: performance.now() }
    return found
  }

  async function needs(): Promise<Found[]> {
    const { rememberMs = REMEMBERED_MS[isReady(last.found) ? 'ready' : 'missing'] } = parts
    if (performance.now() - last.at < rememberMs) return last.found
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  return async () => {
    // Not cached: a stopping process is not ready at once.
    const all = [accepting(parts), ...(await needs())].map(dated)
    return { ready: isReady(all), parts: all }
  }
}

const isReady = (parts: readonly Found[]) => parts.every(({ ready, required }) => ready || !required)

const accepting = ({ accepting }: ReadinessParts): Found =>
  accepting() ? good('process') : bad('process', 'is stopping; it takes no new payments')

async function databaseParts({ db, migrations, log }: ReadinessParts): Promise<Found[]> {
  try {
    const applied = await inTime(readMigrations(db), TIMEOUT_MS)
    const missing = migrations.filter((name) => !applied.has(name))
    const unknown = `lacks ${missing.join(', ')}; start a process of this version to apply them`
    return [good('database'), missing.length === 0 ? good('migrations') : bad('migrations', unknown)]
  } catch (error) {
    log.warn({ err: error }, 'not ready: the database does not answer')
    return [bad('database', 'does not answer'), bad('migrations', 'are not known while the database does not answer')]
  }
}

type Signing = { laneClass: LaneClass; found: Found }

/** What the signers of each class on each network can do. A network is required only if the operator says so. */
async function signers({ engine, networks, required = new Set() }: ReadinessParts): Promise<Signing[]> {
  const served = [...networks].flatMap(([network, configured]) => {
    const { family, signers } = configured
    const why = contradictionIn(configured)
    return laneClasses
      .filter((laneClass) => signers[laneClass].length > 0)
      .map(async (laneClass) => {
        const part = signersPart(network, laneClass)
        if (why !== null) return { laneClass, found: { ...bad(part, `is refused: ${why}`), required: required.has(network) } }
        const found = await submitter(part, required.has(network), async () => {
          if (family === 'evm')
            return engine.requireSubmitter({ network, tier: 'standard', laneClass, feePayer: null, sender: null })
          const feePayers = engine.laneStatus().filter((one) => one.network === network && one.class === laneClass)
          if (!feePayers.some(({ status }) => status === 'ready')) throw new Error('no fee payer can take payments now')
        })
        return { laneClass, found }
      })
  })
  const missing = [...required].flatMap((network): Signing[] =>
    networks.has(network) ? [] : [{ laneClass: 'production', found: bad(network, 'is required and has no endpoint or signer') }],
  )
  return [...(await Promise.all(served)), ...missing]
}

/** Whether any network of each environment can settle. Where there is production, the sandbox does not decide for paying callers. */
function environments(signing: readonly Signing[]): Found[] {
  const served = laneClasses.filter((laneClass) => signing.some((one) => one.laneClass === laneClass))
  return served.map((laneClass) => {
    const required = laneClass === 'production' || !served.includes('production')
    const ready = signing.some((one) => one.laneClass === laneClass && one.found.ready)
    return { ...(ready ? good(laneClass) : bad(laneClass, 'no network can take payments now')), required }
  })
}

function others({ engine, networks, remotes }: ReadinessParts): Promise<Found>[] {
  const handed = [...remotes.keys()].map((tier) =>
    submitter(facilitatorPart(tier), false, () =>
      engine.requireSubmitter({ network: '', tier, laneClass: 'remote', feePayer: null, sender: null }),
    ),
  )
  return [...handed, ...mints(networks)]
}

// A mint that is not served refuses only the payments in it.
function mints(networks: ReadinessParts['networks']): Promise<Found>[] {
  return [...networks].flatMap(([network, configured]) =>
    (configured.family === 'svm' ? configured.mints() : []).map(async (mint) => {
      const part = `${network} mint ${mint.symbol}`
      if (mint.status === 'served') return { ...good(part), required: false }
      const message = mint.status === 'refused' ? `is refused: it ${mint.why}` : 'is not checked yet: no node answers'
      return { ...bad(part, message), required: false }
    }),
  )
}

async function submitter(part: string, required: boolean, check: () => Promise<void>): Promise<Found> {
  try {
    await inTime(check(), TIMEOUT_MS)
    return { ...good(part), required }
  } catch (error) {
    const message = isServiceError(error) ? error.message.replace(/;.*/, '') : 'no signer can take payments now'
    return { ...bad(part, message), required }
  }
}

const good = (part: string): Found => ({ part, ready: true, required: true, message: 'is ready' })
const bad = (part: string, message: string): Found => ({ part, ready: false, required: true, message })
