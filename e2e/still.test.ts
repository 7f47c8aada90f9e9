import { expect, type Page } from '@playwright/test'
import { makeKey, newUser, signInAsAdmin, signInAsMerchant } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { service } from './test-service'

/** What moved on a page while it loaded, in the browser's own measure, with the elements. */
async function movedOn(page: Page, path: string): Promise<string[]> {
  await page.goto(`${service().baseUrl}${path}`)
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const told = (entry: PerformanceEntry) => JSON.stringify({ ...entry.toJSON(), sources: undefined })
        new PerformanceObserver((list) => resolve(list.getEntries().map(told))).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve([])))
      }),
  )
}

for (const width of [1440, 390]) {
  test(`nothing moves while a page loads, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/home', '/catalog', '/docs', '/sign-in']) expect([path, await movedOn(page, path)]).toEqual([path, []])
    const user = newUser()
    await signInAsMerchant(page, user)
    await makeKey(page, 'the shop')
    await addSettlements(user, 60)
    for (const screen of ['', '/settlements', '/keys', '/webhooks', '/listings', '/start']) {
      const path = `/dashboard${screen}`
      expect([path, await movedOn(page, path)]).toEqual([path, []])
    }
    await page.context().clearCookies()
    await signInAsAdmin(page)
    for (const screen of ['', '/history', '/networks', '/tenants']) {
      const path = `/console${screen}`
      expect([path, await movedOn(page, path)]).toEqual([path, []])
    }
  })
}
