import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mdx } from './test/mdx.mjs'

const resolve = { alias: { '@': path.resolve(import.meta.dirname) } }

/** The kinds of tests, in the order in which they run: those that wait most come first, so that none of them is left at the end. */
const KINDS: readonly string[] = ['process', 'chain', 'db', 'pure']

const FOLDERS = '{app,bench,components,devnet,examples,packages,scripts,server,test}'
/** The suffix of a name says what the test needs (docs/testing.md); a pure test has none. */
const namesOf = (kind: string) => `${FOLDERS}/**/*.${kind}.test.{ts,tsx}`
const others = [...KINDS, 'long'].map(namesOf)
/** A project of its own, because `npm test` runs it beside the others (scripts/test.mjs). */
const SIMULATION = 'test/money/simulation/**/*.process.test.ts'

/** The tests of a project share worker processes: importing the service again for each file took a third of a run. */
const projectOf = (kind: string, name = kind) => ({
  resolve,
  plugins: [mdx],
  test: {
    name,
    include: name === 'simulation' ? [SIMULATION] : kind === 'pure' ? [`${FOLDERS}/**/*.test.{ts,tsx}`] : [namesOf(kind)],
    exclude: ['**/node_modules/**', ...(kind === 'pure' ? others : []), ...(name === 'process' ? [SIMULATION] : [])],
    // what starts a database, a chain or a process refuses in a test whose name does not say so
    env: { TEST_KIND: kind },
    environment: 'node',
    // processes, not threads: native modules, and tests that kill what they started
    pool: 'forks' as const,
    isolate: false,
    // V8 would optimize the embedded database's WebAssembly for seconds each time that a test opens one
    execArgv: ['--liftoff-only'],
    maxConcurrency: 2,
    // far above what any test takes: a busy machine must not fail one
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})

/** One kind after the other, and in each the files that took longest. A worker process belongs to one project. */
class KindByKind extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => KINDS.indexOf(project.name)
    return (await super.sort(specs)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  resolve,
  test: {
    globalSetup: ['test/global-setup.ts'],
    sequence: { sequencer: KindByKind },
    // the official facilitator client prints this after each settle, and has no option to hide it
    onConsoleLog: (log) => !log.startsWith('[x402] extension responses:'),
    // more than the cores of a small machine: tests wait for blocks and processes most of their time
    maxWorkers: 5,
    projects: [...KINDS.map((kind) => projectOf(kind)), projectOf('process', 'simulation')],
  },
})
