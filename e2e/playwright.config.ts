import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('The journeys need Chromium: put the folder of chromium on the PATH.')

// Patience, not speed: nothing here says how fast a page is, and machines may be slow.
const TEST_MS = 120_000
const LOOK_MS = 30_000

/** Journeys through the pages in a real browser, one after the other, on one service. Pictures and traces are kept in `results`. */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.test.ts',
  globalSetup: './global-setup.ts',
  outputDir: 'results',
  workers: 1,
  timeout: TEST_MS,
  expect: { timeout: LOOK_MS },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: join(import.meta.dirname, '..', 'test-results', 'e2e.json') }]],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: LOOK_MS,
    navigationTimeout: LOOK_MS,
    screenshot: 'on',
    trace: 'retain-on-failure',
  },
})
