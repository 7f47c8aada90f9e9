import { fork } from 'node:child_process'
import path from 'node:path'
import { bundled } from '../../../devnet/bundle'
import { needs } from '../../../devnet/test-kind'
import type { Mutation } from './mutations'
import type { Job } from './program'
import type { Run } from './run'

/** The seeds to run, and how. */
type Campaign = {
  seeds: readonly number[]
  /** The number of processes. */
  workers?: number
  mutation?: Mutation
  /** Stops at the first seed that breaks an invariant. */
  untilBroken?: boolean
  /** Prints every event. */
  loud?: boolean
  onRun?: (run: Run) => void
}

/** The embedded database's memory grows, so a process ends after this many seeds. */
const SEEDS_PER_PROCESS = 500

/**
 * Up to this many seeds, V8 does not optimize the embedded database's code: a start takes 2.5 instead of 4 s of CPU time. From about a
 * hundred seeds on, optimized code is worth it.
 */
const SHORT = 60

const PROGRAM = path.join(import.meta.dirname, 'program.ts')

/** Consecutive seeds. */
export function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** Runs seeds in separate processes. Throws a process's output if it ends early. */
export async function runSeeds(campaign: Campaign): Promise<Run[]> {
  const workers = Math.min(campaign.workers ?? 2, campaign.seeds.length)
  const runs: Run[] = []
  const end = new AbortController()
  const onRun = (run: Run) => {
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
      await runJob(program, { seeds, schema: mutation?.schema ?? [], loud, mutants: [] }, onRun, end.signal)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, at) => share(at)))
  return runs.sort((a, b) => a.seed - b.seed)
}

/**
 * Runs the recorded seed of each mutation with and without it. Mutations of the code share one process, because starting the embedded
 * database takes longer than such a seed.
 */
export async function runMutations(mutations: readonly Mutation[]): Promise<{ mutated: Run; original: Run }[]> {
  const ofCode = mutations.filter(({ schema }) => schema.length === 0)
  const ofSchema = mutations.filter(({ schema }) => schema.length > 0)
  const mutants = await Promise.all(
    ofCode.map(async ({ edits, seed }) => ({ run: await bundled(path.join(import.meta.dirname, 'run.ts'), edits), seed })),
  )
  const job = { schema: [], loud: false, seeds: ofSchema.map(({ seed }) => seed), mutants }
  const came: Run[] = []
  await runJob(await bundled(PROGRAM), job, (run) => came.push(run), new AbortController().signal)
  const next = (mutation: Mutation): Run => {
    const run = came.shift()
    if (run?.seed !== mutation.seed) throw new Error(`a run is missing: ${mutation.name}`)
    return run
  }
  // in the order of the program
  const originals = new Map(ofSchema.map((mutation) => [mutation, next(mutation)]))
  const both = new Map(ofCode.map((mutation) => [mutation, { mutated: next(mutation), original: next(mutation) }]))
  const all: { mutated: Run; original: Run }[] = []
  for (const mutation of mutations) {
    const original = originals.get(mutation)
    const [mutated] = original ? await runSeeds({ seeds: [mutation.seed], mutation }) : []
    const found = original && mutated ? { mutated, original } : both.get(mutation)
    if (!found) throw new Error(`a run is missing: ${mutation.name}`)
    all.push(found)
  }
  return all
}

function runJob(program: string, job: Job, onRun: (run: Run) => void, end: AbortSignal): Promise<void> {
  needs('process')
  const { PATH = '', HOME = '' } = process.env
  const child = fork(program, [JSON.stringify(job)], {
    execArgv: [...process.execArgv, ...(job.seeds.length <= SHORT ? ['--liftoff-only'] : [])],
    env: { PATH, HOME, NODE_ENV: 'test' },
    stdio: ['ignore', job.loud ? 'inherit' : 'ignore', 'pipe', 'ipc'],
  })
  let trouble = ''
  child.stderr?.on('data', (piece: Uint8Array) => {
    trouble = `${trouble}${piece.toString()}`.slice(-4_000)
  })
  const kill = () => child.kill('SIGKILL')
  end.addEventListener('abort', kill)
  child.on('message', onRun)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      end.removeEventListener('abort', kill)
      if (code === 0 || end.aborted) resolve()
      else reject(new Error(`a simulation ended with code ${code}:\n${trouble}`))
    })
  })
}
