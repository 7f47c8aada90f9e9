import { type Env, loadEnvFile, readEnv } from '../../env'
import { scrub } from '../../log'
import { inTime } from '../../timing'
import { lookAtEndpoints, lookAtSigners } from './chains'
import { lookAtDatabase, openForReading } from './database'
import { lookAtOthers } from './upstream'

/** Looks at everything that the environment names, and changes nothing. Never throws. */
export async function examine(source?: Record<string, string | undefined>): Promise<Finding[]> {
  const env = environment(source)
  if (Array.isArray(env)) return env
  const { db, close } = openForReading(env)
  const keys = 'correct the variable of the key'
  const found = [
    ...(await lookAtDatabase(db)),
    ...(await lookAtEndpoints(env)),
    ...(await looked('signers', keys, () => lookAtSigners(env, db))),
    ...(await lookAtOthers(env)),
  ]
  await close()
  return found
}

function environment(source: Record<string, string | undefined> | undefined): Env | Finding[] {
  try {
    return source ? readEnv(source) : readEnv()
  } catch (error) {
    const [, ...lines] = (error instanceof Error ? error.message : String(error)).split('\n')
    return lines.map((line) => {
      const [name = '', ...said] = line.trim().split(': ')
      return wrong(name, said.join(': '), 'see .env.example')
    })
  }
}

const MARKS = { ok: 'ok     ', wrong: 'WRONG  ', 'not configured': 'not set' } as const satisfies Record<
  Finding['standing'],
  string
>

/** One line per finding, and below what is wrong how to mend it. */
export function report(findings: readonly Finding[]): string {
  const lines = findings.flatMap((finding) => [
    `${MARKS[finding.standing]}  ${finding.what}: ${finding.said}`,
    ...(finding.standing === 'wrong' ? [`         mend: ${finding.mend}`] : []),
  ])
  const faults = findings.filter(({ standing }) => standing === 'wrong').length
  const sum = faults === 0 ? 'nothing is wrong' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong`
  return [...lines, '', sum].join('\n')
}

/** Prints what was found. Resolves with whether nothing is wrong. */
export async function printReport(): Promise<boolean> {
  loadEnvFile()
  const findings = await examine()
  console.log(report(findings))
  return findings.every(({ standing }) => standing !== 'wrong')
}

/** What the doctor found out about one thing: `said` in a few words without a secret or a URL, `mend` where something is to be done. */
export type Finding = { what: string } & (
  | { standing: 'ok' | 'not configured'; said: string }
  | { standing: 'wrong'; said: string; mend: string }
)

/** All is well. */
export const ok = (what: string, said: string): Finding => ({ what, standing: 'ok', said })

/** It is switched off, and so are the routes that need it. */
export const unset = (what: string, said: string): Finding => ({ what, standing: 'not configured', said })

/** Something is wrong, and how to mend it. */
export const wrong = (what: string, said: string, mend: string): Finding => ({ what, standing: 'wrong', said, mend })

const PATIENCE_MS = 10_000

/** What a look found, or that it failed: a look that throws or hangs is a finding too. */
export async function looked(what: string, mend: string, look: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await inTime(look(), PATIENCE_MS)].flat()
  } catch (error) {
    return [wrong(what, scrub(error instanceof Error ? shortOf(error) : String(error)), mend)]
  }
}

// Long messages of libraries quote requests.
function shortOf(error: Error): string {
  const short = 'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message
  return short.split('\n').filter(Boolean).at(-1) ?? error.name
}
