import { fork } from 'node:child_process'
import path from 'node:path'
import { bundled } from '../../devnet/bundle'
import type { Mutation } from './mutations'
import type { Job } from './program'
import type { Run } from './run'

/** Which seeds to run, and on what. */
export type Campaign = {
  seeds: readonly number[]
  /** Processes that share the work. */
  workers?: number
  mutation?: Mutation
  /** Ends at the first seed that breaks a promise. */
  untilBroken?: boolean
  /** Prints everything that happens. */
  loud?: boolean
  onRun?: (run: Run) => void
}

/** The embedded database keeps what it wrote in memory: a process ends after so many. */
const SEEDS_PER_PROCESS = 500

const PROGRAM = path.join(import.meta.dirname, 'program.ts')

/** Returns so many seeds in a row. */
export function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Runs seeds in processes of their own. Throws when one of these ends by itself: what it says is its trouble. */
export async function runSeeds(campaign: Campaign): Promise<Run[]> {
  const workers = Math.min(campaign.workers ?? 2, campaign.seeds.length)
  const runs: Run[] = []
  const end = new AbortController()
  const told = (run: Run) => {
    runs.push(run)
    campaign.onRun?.(run)
    if (campaign.untilBroken && run.violations.length > 0) end.abort()
  }
  const { mutation, loud = false } = campaign
  const program = await bundled(PROGRAM, mutation?.edits)
  const share = async (at: number) => {
    const mine = campaign.seeds.filter((_, index) => index % workers === at)
    for (let done = 0; done < mine.length && !end.signal.aborted; done += SEEDS_PER_PROCESS) {
      const seeds = mine.slice(done, done + SEEDS_PER_PROCESS)
      await runJob(program, { seeds, schema: mutation?.schema ?? [], loud }, told, end.signal)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, at) => share(at)))
  return runs.sort((a, b) => a.seed - b.seed)
}

function runJob(program: string, job: Job, told: (run: Run) => void, end: AbortSignal): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const child = fork(program, [JSON.stringify(job)], {
    env: { PATH, HOME, NODE_ENV: 'test' },
    stdio: ['ignore', job.loud ? 'inherit' : 'ignore', 'pipe', 'ipc'],
  })
  let trouble = ''
  child.stderr?.on('data', (piece: Uint8Array) => {
    trouble = `${trouble}${piece.toString()}`.slice(-4_000)
  })
  const kill = () => child.kill('SIGKILL')
  end.addEventListener('abort', kill)
  child.on('message', told)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      end.removeEventListener('abort', kill)
      if (code === 0 || end.aborted) resolve()
      else reject(new Error(`a simulation ended with code ${code}:\n${trouble}`))
    })
  })
}
