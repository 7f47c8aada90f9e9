import { test as base, expect } from '@playwright/test'

type Watch = { refusedByPolicy: string[] }

/** A journey. It fails when the browser refused any page of it something that the page's own policy forbids. */
export const test = base.extend<Watch>({
  refusedByPolicy: [
    async ({ context }, use) => {
      const refused: string[] = []
      context.on('console', (message) => {
        if (/content security policy|permissions policy|cross-origin-opener-policy/i.test(message.text())) {
          refused.push(`${message.page()?.url()}: ${message.text()}`)
        }
      })
      await use(refused)
      expect(refused).toEqual([])
    },
    { auto: true },
  ],
})
