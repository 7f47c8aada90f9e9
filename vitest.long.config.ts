import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { mdx } from './test/mdx.mjs'

// `npm run test:long`: all tests with all their cases, one file after the other, so that each has the machine for itself.
export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  plugins: [mdx],
  test: {
    include: ['{app,bench,components,devnet,examples,packages,scripts,server,test}/**/*.test.{ts,tsx}'],
    globalSetup: ['test/global-setup.ts'],
    env: { LONG_RUN: '1' },
    pool: 'forks',
    maxWorkers: 1,
    // as in npm test
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
