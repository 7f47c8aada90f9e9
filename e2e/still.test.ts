import { expect } from '@playwright/test'
import { casesOf } from '../test/support/long-run'
import { newUser, openKey, openTenant, signInAsAdmin, signInWithKey } from './accounts'
import { addChannels, addSettlements } from './database'
import { test } from './journey'
import { movedOn } from './moved'
import { sharedReceipt } from './receipts'

for (const width of casesOf([390], [1024, 1440])) {
  test(`nothing moves while a page loads, ${width} pixels wide`, { tag: '@long' }, async ({ page }) => {
    const still = async (paths: readonly string[]) => {
      await page.setViewportSize({ width, height: 900 })
      for (const path of paths) expect([path, await movedOn(page, path)]).toEqual([path, []])
      // A phone hides the navigation, for which a sign-in waits.
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    await still(['/home', '/catalog', '/docs', '/explain', '/status', '/sign-in'])
    const user = newUser()
    await signInWithKey(page, 'the shop', user)
    await addSettlements(user, 60)
    await addChannels(user, 3)
    await still(
      ['', '/settlements', '/channels', '/keys', '/webhooks', '/listings', '/start'].map((screen) => `/dashboard${screen}`),
    )
    await still([await openKey(page)])
    await page.context().clearCookies()
    await still([await sharedReceipt(page)])
    await page.context().clearCookies()
    await signInAsAdmin(page)
    await still(['', '/history', '/networks', '/tenants', '/incidents'].map((screen) => `/console${screen}`))
    await still([await openTenant(page, user)])
  })
}

test('nothing moves while the HTML of a page arrives part by part', { tag: '@long' }, async ({ page, context }) => {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 60)
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, ...SLOW })
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/dashboard/settlements', '/catalog']) expect([path, await movedOn(page, path)]).toEqual([path, []])
  }
})

// Scripts of a screen take ten seconds.
const SLOW = { downloadThroughput: 20_000, uploadThroughput: 20_000 }
