import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testsByKind } from './scripts/test-kinds.mjs'

const resolve = { alias: { '@': path.resolve(import.meta.dirname) } }
const { pure, ...service } = testsByKind()

/** Files of 20 s and more on a quiet machine, the longest first. At the end of a run they would keep one core idle. */
const LONGEST = [
  ...['server/ledger/starvation.test.ts', 'server/ledger/kill.test.ts', 'server/ledger/svm/kill.test.ts', 'devnet/world.test.ts'],
  ...['server/boot/effects.kill.test.ts', 'server/ledger/svm/faults.test.ts', 'server/ledger/faults.sends.test.ts'],
  ...['server/ledger/remote/remotes.test.ts', 'server/ledger/faults.chain.test.ts', 'server/ledger/awkward.test.ts'],
  ...['server/ledger/remote/kill.test.ts', 'server/webhooks/webhooks.test.ts', 'server/ledger/kill.wallets.test.ts'],
  ...['server/agents/purchase.late.test.ts', 'server/ledger/faults.reads.test.ts', 'test/official.permit2.test.ts'],
  ...['server/ledger/instances.test.ts', 'server/ledger/lies.test.ts', 'server/ledger/svm/faults.nodes.test.ts'],
  ...['server/ledger/kill.instances.test.ts', 'server/ledger/faults.approvals.test.ts', 'server/ledger/kill.credits.test.ts'],
  ...['server/ledger/kill.replacing.test.ts', 'server/analytics/analytics.test.ts', 'server/explain/explain.fuzz.test.ts'],
  ...['server/ledger/remote/reorg.test.ts', 'server/db/embedded.test.ts', 'server/history/list-queries.plans.test.ts'],
  ...['server/ledger/statements/credits.property.test.ts'],
]
const longestFirst = [...new Set([...LONGEST, ...service.process, ...service.chain, ...service.database])]

/** The tests of a project share worker processes: importing the service again for each file took a third of a run. */
const projectOf = (name: string, files: string[]) => ({
  resolve,
  test: {
    name,
    include: files.map((file) => file.replace(/[[\]]/g, '\\$&')),
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

/** Files that start processes take minutes and mostly wait: they come first, so that none of them is left at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => longestFirst.indexOf(path.relative(import.meta.dirname, moduleId))
    return [...specs].sort((a, b) => rank(a) - rank(b) || place(a) - place(b))
  }
}

/** The projects run in sequence: the worker processes of one are not for another. */
const rank = ({ project }: TestSpecification) => (project.name === 'pure' ? 1 : 0)

export default defineConfig({
  resolve,
  test: {
    globalSetup: ['test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // the official facilitator client prints this after each settle, and has no option to hide it
    onConsoleLog: (log) => !log.startsWith('[x402] extension responses:'),
    // more than the cores of a small machine: tests wait for blocks and processes most of their time
    maxWorkers: 5,
    projects: [projectOf('service', longestFirst), projectOf('pure', pure)],
  },
})
