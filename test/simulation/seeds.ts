import { fork } from 'node:child_process'
import path from 'node:path'
import type { Mutation } from './mutations'
import type { Job } from './program'
import type { Run } from './run'

/** Which seeds to run, and on what. */
export type Campaign = {
  from: number
  count: number
  /** Processes that share the work. */
  workers?: number
  mutation?: Mutation
  /** Ends at the first seed that breaks a promise. */
  untilBroken?: boolean
  /** Prints everything that happens. */
  loud?: boolean
  onRun?: (run: Run) => void
}

const PROGRAM = path.join(import.meta.dirname, 'program.ts')
const MUTATING = path.join(import.meta.dirname, 'mutating.mjs')

/** Runs seeds in processes of their own. Throws when one of these ends by itself: what it says is its trouble. */
export async function runSeeds(campaign: Campaign): Promise<Run[]> {
  const workers = Math.min(campaign.workers ?? 2, campaign.count)
  const runs: Run[] = []
  const stops: (() => void)[] = []
  let isOver = false
  const told = (run: Run) => {
    runs.push(run)
    campaign.onRun?.(run)
    if (!campaign.untilBroken || run.violations.length === 0) return
    isOver = true
    for (const stop of stops) stop()
  }
  const all = Array.from({ length: workers }, (_, at) => {
    const count = Math.ceil((campaign.count - at) / workers)
    const job: Job = {
      from: campaign.from + at,
      step: workers,
      count,
      schema: campaign.mutation?.schema ?? [],
      loud: campaign.loud ?? false,
    }
    return runJob(
      job,
      campaign.mutation,
      told,
      (stop) => stops.push(stop),
      () => isOver,
    )
  })
  await Promise.all(all)
  return runs.sort((a, b) => a.seed - b.seed)
}

function runJob(
  job: Job,
  mutation: Mutation | undefined,
  told: (run: Run) => void,
  onStart: (stop: () => void) => void,
  isOver: () => boolean,
): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const child = fork(PROGRAM, [JSON.stringify(job)], {
    env: { PATH, HOME, NODE_ENV: 'test', SIMULATION_EDITS: JSON.stringify(mutation?.edits ?? []) },
    execArgv: [...(mutation ? ['--import', MUTATING] : []), '--import', 'tsx'],
    stdio: ['ignore', job.loud ? 'inherit' : 'ignore', 'pipe', 'ipc'],
  })
  let trouble = ''
  child.stderr?.on('data', (piece: Uint8Array) => {
    trouble = `${trouble}${piece.toString()}`.slice(-4_000)
  })
  onStart(() => child.kill('SIGKILL'))
  child.on('message', told)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0 || isOver()) resolve()
      else reject(new Error(`a simulation ended with code ${code}:\n${trouble}`))
    })
  })
}
