import type { Page } from '@playwright/test'
import { askedDuring, LOADS } from './first-load'
import { service } from './test-service'

/** What moved on a page while it loaded with its figures, in the browser's own measure, with the places. */
export async function movedOn(page: Page, path: string): Promise<string[]> {
  let moved: string[] = []
  const load = async () => {
    moved = await movedIn(page, path)
  }
  for (let loads = 0; loads < LOADS; loads++) {
    const asked = await askedDuring(page, load)
    if (moved.length === 0 || asked.length === 0) break
  }
  return moved
}

async function movedIn(page: Page, path: string): Promise<string[]> {
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
