import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['{app,components,server,devnet,test,scripts,bench,examples}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
    environment: 'node',
    globalSetup: ['test/global-setup.ts'],
    // processes, not threads: native modules, and tests that kill what they started
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
