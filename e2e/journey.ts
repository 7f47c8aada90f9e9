import { type BrowserContext, test as base, expect } from '@playwright/test'
import { startTestService } from './start-test-service'
import { type TestService, useTestService } from './test-service'

const START_MS = 180_000

type Fixtures = { refusedByPolicy: string[]; drawnAgain: string[] }
type WorkerFixtures = {
  /** Variables of the service besides the usual ones. Files with others get a service of their own. */
  serviceEnv: Record<string, string>
  testService: TestService
}

// React's codes for HTML that differs from the first render, and for HTML that failed.
const DRAWN_AGAIN = /Minified React error #(418|419|421|422|423|425)\b/

/**
 * A journey on the test service of its worker. It fails if the browser reports a violation of a page's own policy, or if a page must be
 * drawn again because its HTML was another.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  serviceEnv: [{}, { scope: 'worker', option: true }],
  // One service per worker: journeys stop block production and share rate limits by IP address.
  testService: [
    async ({ serviceEnv }, use, { parallelIndex }) => {
      const { service, stop } = await startTestService(`journeys-${parallelIndex}`, serviceEnv)
      useTestService(service)
      try {
        await use(service)
      } finally {
        await stop()
      }
    },
    { scope: 'worker', auto: true, timeout: START_MS },
  ],
  refusedByPolicy: [
    async ({ browser, context }, use) => {
      const refused: string[] = []
      const watch = (watched: BrowserContext) =>
        watched.on('console', (message) => {
          if (/content security policy|permissions policy|cross-origin-opener-policy/i.test(message.text())) {
            refused.push(`${message.page()?.url()}: ${message.text()}`)
          }
        })
      watch(context)
      browser.on('context', watch)
      await use(refused)
      browser.off('context', watch)
      expect(refused).toEqual([])
    },
    { auto: true },
  ],
  drawnAgain: [
    async ({ browser, context }, use) => {
      const drawn: string[] = []
      const watch = (watched: BrowserContext) =>
        watched.on('weberror', (thrown) => {
          if (DRAWN_AGAIN.test(thrown.error().message)) drawn.push(`${thrown.page()?.url()}: ${thrown.error().message}`)
        })
      watch(context)
      browser.on('context', watch)
      await use(drawn)
      browser.off('context', watch)
      expect(drawn).toEqual([])
    },
    { auto: true },
  ],
})
