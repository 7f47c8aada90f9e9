import { type BrowserContext, test as base, expect } from '@playwright/test'

type Watch = { refusedByPolicy: string[] }

/** A journey. It fails when the browser refused any page of it something that the page's own policy forbids. */
export const test = base.extend<Watch>({
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
})
