import { expect, type Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { keep, nameNewKey, newUser, signInAsAdmin, signInAsMerchant, signInWithKey, signInWithWallet } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { rowsOf } from './rows'
import { service } from './test-service'
import { ETHEREUM, giveEthereumWallet } from './wallets'

const ended = (page: Page) => page.getByRole('dialog', { name: 'You were signed out' })

/** Signs in at the identity provider, in the window that the dialog opens, which closes by itself. */
async function signInAgain(page: Page, user: string, as = user): Promise<void> {
  const opening = page.waitForEvent('popup')
  await ended(page)
    .getByRole('button', { name: `Sign in as ${user}` })
    .click()
  const popup = await opening
  await popup.getByLabel('User name').fill(as)
  await popup.getByRole('button', { name: 'Sign in' }).click()
  await popup.waitForEvent('close')
}

test('a session that ends under a form asks for the same account over the page, and sends the form afterwards', async ({
  page,
}) => {
  const user = newUser()
  await signInAsMerchant(page, user)
  const create = await nameNewKey(page, 'after the session')
  await page.context().clearCookies()
  await create.click()
  await expect(ended(page)).toContainText(`Sign in again as ${user}`)
  // It is the only way on.
  await page.keyboard.press('Escape')
  await expect(ended(page)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeHidden()
  await signInAgain(page, user)
  await expect(ended(page)).toHaveCount(0)
  await keep(page.getByRole('dialog', { name: 'Your key' }))
  await expect(page.getByRole('main').getByText('after the session')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/dashboard/keys')
})

test('a session that ends while a list updates keeps the list, and goes on with it', async ({ page }) => {
  const user = newUser()
  await signInWithKey(page, 'the shop', user)
  await addSettlements(user, 3)
  const address = `${service().baseUrl}/dashboard/settlements?density=compact`
  await page.goto(address)
  await expect(rowsOf(page)).toHaveCount(3)
  await page.context().clearCookies()
  await ended(page).waitFor()
  expect(page.url()).toBe(address)
  await addSettlements(user, 1)
  await signInAgain(page, user)
  await expect(rowsOf(page)).toHaveCount(4)
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
})

test('another account that signs in instead sees nothing of the page before, and sends none of its forms', async ({ page }) => {
  const [alice, bob] = [newUser(), newUser()]
  await signInAsMerchant(page, alice)
  const create = await nameNewKey(page, 'of alice')
  await page.context().clearCookies()
  await create.click()
  await signInAgain(page, alice, bob)
  await expect(page.getByText(bob)).toBeVisible()
  const { result } = await (await page.request.get(`${service().baseUrl}/api/trpc/keys.list`)).json()
  expect(result.data.keys).toEqual([])
})

test('a wallet and an administrator sign in again in the dialog itself', async ({ page }) => {
  await giveEthereumWallet(page, generatePrivateKey())
  await signInWithWallet(page, ETHEREUM, '/payments')
  await page.context().clearCookies()
  await ended(page).getByRole('button', { name: ETHEREUM }).click()
  await expect(ended(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible()
  await page.context().clearCookies()
  // The page of the wallet would follow the account of the next sign-in.
  await page.goto('about:blank')
  await signInAsAdmin(page)
  await page.context().clearCookies()
  await ended(page).getByLabel('Admin key').fill(service().adminKey)
  await ended(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(ended(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Platform', level: 1 })).toBeVisible()
})

test('a page that is opened without a session leads to the sign-in page and back', async ({ page }) => {
  await page.goto(`${service().baseUrl}/dashboard/keys?new=true`)
  await page.waitForURL(({ pathname, searchParams }) => {
    return pathname === '/sign-in' && searchParams.get('to') === '/dashboard/keys?new=true'
  })
})
