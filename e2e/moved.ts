import { expect, type Page, type Request } from '@playwright/test'
import { service } from './test-service'

const QUIET_MS = 500

/**
 * Opens a page and waits until half a second passed without a request. Chromium calls a prefetch open for ever whose answer the router does
 * not read any more, so `networkidle` may never come: prefetches count only while they begin.
 */
async function openQuietly(page: Page, url: string): Promise<void> {
  const open = new Set<Request>()
  let last = Date.now()
  const began = (request: Request) => {
    last = Date.now()
    if (!request.url().includes('_rsc=')) open.add(request)
  }
  const ended = (request: Request) => {
    last = Date.now()
    open.delete(request)
  }
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended)
  await page.goto(url)
  await expect.poll(() => open.size === 0 && Date.now() - last > QUIET_MS, { timeout: 30_000 }).toBe(true)
  page.off('request', began).off('requestfinished', ended).off('requestfailed', ended)
}

/** What moved on a page while it loaded, in the browser's own measure, with the places. */
export async function movedOn(page: Page, path: string): Promise<string[]> {
  await openQuietly(page, `${service().baseUrl}${path}`)
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
