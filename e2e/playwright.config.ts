import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('The journeys need Chromium on the PATH.')

// Chromium reads only its last list of these: the ones that Playwright turns off, then parts of its own window and a renderer
// kept in stock, a third of Chromium's CPU time.
const OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
]

// A page lives for seconds: optimizing its scripts costs more than it saves. The network needs no process of its own. Together a sixth of
// Chromium's CPU time.
const CHEAP = ['--js-flags=--no-opt --no-maglev', '--enable-features=NetworkServiceInProcess2']

const CONFIGURED = 'configured.test.ts'

// Generous: journeys do not measure speed, and machines may be slow.
const TEST_MS = 120_000
const WAIT_MS = 30_000

/** Journeys in a real browser on three workers, each with its own service over one build. `results` keeps screenshots of failures. */
export default defineConfig({
  testDir: import.meta.dirname,
  // The service of these needs a start of its own: first, so that no worker waits for it at the end.
  projects: [
    { name: 'configured', testMatch: CONFIGURED },
    { name: 'usual', testMatch: '*.test.ts', testIgnore: CONFIGURED },
  ],
  outputDir: 'results',
  workers: 3,
  fullyParallel: true,
  timeout: TEST_MS,
  expect: { timeout: WAIT_MS },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: join(import.meta.dirname, '..', 'test-results', 'e2e.json') }]],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: [`--disable-features=${OFF.join(',')}`, ...CHEAP] },
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: WAIT_MS,
    navigationTimeout: WAIT_MS,
    // Each costs half a second of CPU time: set it to 'on' to look at the last screen of each journey.
    screenshot: 'only-on-failure',
    // A trace of each journey costs a fifth of its time: add `--trace on` to see one.
    trace: 'off',
  },
})
