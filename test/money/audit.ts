import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { bundled } from '../../devnet/bundle'
import { needs } from '../../devnet/test-kind'
import type { Acted, Answered, Description } from './auditor/description'
import type { Verdicts } from './auditor/verdicts'

/** The auditor's report: the number of violations of each kind, and the violations. */
export type AuditReport = { counts: Record<keyof Verdicts, number>; found: Verdicts }

/** The auditor's input besides database and chain, in a temporary folder. */
export type Records = {
  /** Records an answer as its client saw it. */
  answered: (answer: Answered) => Promise<void>
  /** Records an answer about channels as the merchant's server saw it. */
  acted: (answer: Acted) => Promise<void>
  /** Records a service's output. */
  printed: (output: string) => Promise<void>
  /** Runs the auditor over all records, in a separate process. */
  audit: (description: Omit<Description, 'answers' | 'logs'>) => Promise<AuditReport>
  remove: () => Promise<void>
}

export const NO_OFFENCE: AuditReport['counts'] = {
  double_success: 0,
  success_without_transfer: 0,
  transfer_without_row: 0,
  overcharges: 0,
  orphan_claims: 0,
  slot_gaps: 0,
  quota_overgrant: 0,
  channel_sums: 0,
  channel_acts: 0,
  channel_charges: 0,
  secrets_in_logs: 0,
}

const PROGRAM = path.join(import.meta.dirname, 'auditor', 'main.ts')

/** Makes empty records. */
export async function newRecords(): Promise<Records> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quittance-audit-'))
  const answers = path.join(folder, 'answers.jsonl')
  const logs: string[] = []
  await writeFile(answers, '')
  return {
    answered: (answer) => appendFile(answers, `${JSON.stringify(answer)}\n`),
    acted: (answer) => appendFile(answers, `${JSON.stringify(answer)}\n`),
    async printed(output) {
      const file = path.join(folder, `service-${logs.length}.log`)
      logs.push(file)
      await writeFile(file, output)
    },
    audit: (description) => run({ ...description, answers, logs }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function run(description: Description): Promise<AuditReport> {
  needs('process')
  const auditor = spawn(process.execPath, [await bundled(PROGRAM)])
  auditor.stdin.end(JSON.stringify(description))
  const [said, complained] = await Promise.all([text(auditor.stdout), text(auditor.stderr)])
  if (said === '') throw new Error(`the auditor printed nothing: ${complained}`)
  return JSON.parse(said)
}
