import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { KINDS, testsByKind } from './scripts/test-kinds.mjs'

const resolve = { alias: { '@': path.resolve(import.meta.dirname) } }
const files = testsByKind()

/** The tests of one kind share worker processes: importing the service again for each file took a third of a run. */
const projectOf = (kind: (typeof KINDS)[number]) => ({
  resolve,
  test: {
    name: kind,
    include: files[kind].map((file) => file.replace(/[[\]]/g, '\\$&')),
    environment: 'node',
    // processes, not threads: native modules, and tests that kill what they started
    pool: 'forks' as const,
    isolate: false,
    maxConcurrency: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  resolve,
  test: {
    globalSetup: ['test/global-setup.ts'],
    // twice the cores of a small machine: tests wait for blocks and processes half of their time
    maxWorkers: 4,
    projects: KINDS.filter((kind) => files[kind].length > 0).map(projectOf),
  },
})
