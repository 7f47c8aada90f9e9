import { type Env, loadEnvFile, readEnv } from '../../env'
import { lookAtEndpoints, lookAtSigners } from './chains'
import { lookAtDatabase, openForReading } from './database'
import { type Finding, looked, wrong } from './findings'
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
