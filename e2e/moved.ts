import type { Page } from '@playwright/test'
import { service } from './test-service'

/** What moved on a page while it loaded, in the browser's own measure, with the places. */
export async function movedOn(page: Page, path: string): Promise<string[]> {
  await page.goto(`${service().baseUrl}${path}`)
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().map((entry) => JSON.stringify(entry)))).observe({
          type: 'layout-shift',
          buffered: true,
        })
        requestAnimationFrame(() => setTimeout(() => resolve([])))
      }),
  )
}
