import { expect } from '@playwright/test'
import { test } from './journey'
import { goTo, makeKey, signInAsMerchant } from './people'
import { place } from './place'
import { buy } from './shop'

test('what was paid for is among its merchant’s listings and in the catalog, where anybody finds it by its words', async ({
  page,
  browser,
}) => {
  await signInAsMerchant(page)
  await goTo(page, 'Listings')
  await expect(page.getByRole('heading', { name: 'The catalog lists nothing of yours yet' })).toBeVisible()
  const url = await makeKey(page, 'listed')
  await buy(url)
  await goTo(page, 'Listings')
  const listing = page.getByRole('main').getByRole('listitem').filter({ hasText: '/weather' })
  // What follows a settlement follows at its own pace.
  await expect(async () => {
    await page.reload()
    await expect(listing).toContainText('or longer when it is paid for', { timeout: 1_000 })
  }).toPass()
  const resource = await listing.getByRole('link').getAttribute('title')

  const visitor = await browser.newPage()
  await visitor.goto(`${place().baseUrl}/catalog?environment=testnet`)
  await visitor.getByRole('searchbox', { name: 'Search the catalog' }).fill('weather today')
  await visitor.getByRole('button', { name: 'Search' }).click()
  await visitor.waitForURL((url) => url.searchParams.get('query') === 'weather today')
  await expect(visitor.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await visitor.goto(`${place().baseUrl}${await listing.getByRole('link').getAttribute('href')}`)
  await expect(visitor.getByRole('main')).toContainText(resource ?? '')
  await expect(visitor.getByRole('main')).toContainText('0.001')
  await visitor.close()
})
