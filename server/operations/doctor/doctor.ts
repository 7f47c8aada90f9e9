import { type Env, loadEnvFile, readEnv } from '../../env/env'
import { checkEndpoints, checkFactories, checkMints, checkSigners } from './chains'
import { checkDatabase, openForReading } from './database'
import { check, type Finding, wrong } from './findings'
import { checkCurve } from './machine'
import { checkUpstream } from './upstream'

/** Checks everything that the environment names, and changes nothing. Never throws. */
export async function examineNetworks(source?: Record<string, string | undefined>): Promise<Finding[]> {
  const env = environment(source)
  if (Array.isArray(env)) return env
  const { db, close } = openForReading(env)
  const keys = 'correct the variable of the key'
  const found = [
    checkCurve(),
    ...(await checkDatabase(db)),
    ...(await checkEndpoints(env)),
    ...(await checkMints(env)),
    ...(await checkFactories(env)),
    ...(await check('signers', keys, () => checkSigners(env, db))),
    ...(await checkUpstream(env)),
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
      const [name = '', ...summary] = line.trim().split(': ')
      return wrong(name, summary.join(': '), '`npm run init` writes a .env; .env.example explains each variable')
    })
  }
}

const MARKS = { ok: 'ok     ', wrong: 'WRONG  ', warning: 'warning', 'not configured': 'not set' } as const satisfies Record<
  Finding['status'],
  string
>

/** One line per finding, followed by its fix if it has one. */
export function report(findings: readonly Finding[]): string {
  const lines = findings.flatMap((finding) => [
    `${MARKS[finding.status]}  ${finding.what}: ${finding.summary}`,
    ...('fix' in finding ? [`         fix: ${finding.fix}`] : []),
  ])
  const faults = findings.filter(({ status }) => status === 'wrong').length
  const sum = faults === 0 ? 'nothing is wrong' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong`
  return [...lines, '', sum].join('\n')
}

/** Prints the findings. Resolves with whether nothing is wrong. */
export async function printReport(): Promise<boolean> {
  loadEnvFile()
  const findings = await examineNetworks()
  console.log(report(findings))
  return findings.every(({ status }) => status !== 'wrong')
}
