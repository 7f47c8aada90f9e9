import type { Page, Request } from '@playwright/test'
import { service } from './test-service'

const LOADS = 5

/**
 * What moved on a page while it loaded, in the browser's own measure, with the places. A server that needs over 500 ms sends the page
 * without its figures, and the browser asks for them: then the page loads again, a few times at most.
 */
export async function movedOn(page: Page, path: string): Promise<string[]> {
  let late = true
  let moved: string[] = []
  const note = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/trpc/') && !pathname.endsWith('environment.first')) late = true
  }
  page.on('request', note)
  for (let load = 0; late && load < LOADS; load++) {
    late = false
    moved = await movedIn(page, path)
    if (moved.length === 0) break
  }
  page.off('request', note)
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
