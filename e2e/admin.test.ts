import { expect } from '@playwright/test'
import {
  actionOf,
  goTo,
  newUser,
  openTenant,
  screenLink,
  signInAsAdmin,
  signInAsMerchant,
  signInWithKey,
  unfoldAndEnter,
} from './accounts'
import { quarantinedSigner } from './database'
import { test } from './journey'
import { buy } from './merchant'
import { rowOf } from './rows'
import { service } from './test-service'

test('an administrator sees all settlements, figures and tenants, and revokes a tenant', async ({ page, browser }) => {
  const user = newUser()
  const merchant = await browser.newPage()
  const url = await signInWithKey(merchant, `${user}'s shop`, user)
  const transaction = await buy(url)

  await signInAsAdmin(page)
  await goTo(page, 'History')
  await expect(rowOf(page, transaction)).toBeVisible()
  await page.goto(`${service().baseUrl}/console?owner=${user}&figure=settlements`)
  const days = page.getByRole('table', { name: 'Settlements by day' }).getByRole('row')
  await expect(days.last()).toContainText(/Today so far.*1/)
  await expect(page.getByRole('region', { name: 'Gas and revenue' })).toContainText(/Gas on Base Sepolia0\.0\d+ ETH/)
  await expect(page.getByRole('region', { name: 'Signer balances' })).toContainText('ETH')
  await page
    .getByRole('table', { name: 'Top tenants' })
    .getByRole('link', { name: `${user}'s shop` })
    .click()
  await page.waitForURL(/\/console\/tenants\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${user}'s shop`)
  await expect(page.getByRole('region', { name: 'Gas by network' })).toContainText(/Base Sepolia0\.0\d+ ETH/)
  await expect(page.getByRole('region', { name: 'Last payments' })).toContainText('Settled')
  await page.getByRole('link', { name: 'View on Platform' }).click()
  await page.waitForURL(({ searchParams }) => searchParams.has('tenant'))
  await expect(page.getByRole('table', { name: 'Top tenants' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Gas and revenue' })).toContainText('Not counted by tenant')

  await goTo(page, 'Tenants')
  const tenant = page.getByRole('row').filter({ hasText: `${user}'s shop` })
  await tenant.getByRole('button', { name: `Actions for ${user}'s shop` }).click()
  await page
    .getByRole('group', { name: `Actions for ${user}'s shop` })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke tenant' }).click()
  await expect(tenant).toContainText('Revoked')
  await expect(tenant).toContainText(/Free.*1 of 1,000/)
  await page.getByRole('searchbox', { name: 'Search tenants by name, owner or ID' }).fill(user)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ searchParams }) => searchParams.get('search') === user)
  await expect(page.getByRole('table').getByRole('link')).toHaveText([`${user}'s shop`])
  await expect.poll(async () => (await fetch(`${url}/supported`)).status).toBe(401)
  await merchant.close()
})

test('an administrator changes the plan and the limits of a tenant on its page, and the page says who did what', async ({
  page,
  browser,
}) => {
  const user = newUser()
  const merchant = await browser.newPage()
  await signInWithKey(merchant, `${user}'s shop`, user)
  await merchant.close()
  await signInAsAdmin(page)
  await openTenant(page, user)
  const settings = page.getByRole('region', { name: 'Plan and limits' })
  await expect(settings).toContainText('PlanFree')
  await settings.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit plan and limits' })
  await dialog.getByLabel('Plan', { exact: true }).selectOption('Starter')
  await dialog.getByLabel('Requests per second').fill('a few')
  await expect(dialog).toContainText('Enter a whole number')
  await dialog.getByLabel('Requests per second').fill('7')
  await dialog.getByLabel('Settlements a month').fill('123')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(settings).toContainText('PlanStarter')
  await expect(settings).toContainText('7 instead of 20')
  await expect(page.getByRole('region', { name: 'Usage' })).toContainText('0 of 123')

  await actionOf(page, `${user}'s shop`, 'Revoke')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke tenant' }).click()
  await expect(page.getByRole('main')).toContainText('Revoked')
  const changes = page.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await expect(changes).toContainText(['Revoked', 'Plan: Free → Starter', 'Created'])
  await expect(changes.first()).toContainText('By the admin key')
  await page.goto(`${service().baseUrl}/console/tenants/00000000-0000-4000-8000-0000000000aa`)
  await expect(page.getByRole('heading', { name: 'No such tenant' })).toBeVisible()
})

test('the tenants are filtered and sorted in the URL', { tag: '@long' }, async ({ page, browser }) => {
  const user = newUser()
  const merchant = await browser.newPage()
  await buy(await signInWithKey(merchant, `${user}'s shop`, user))
  await merchant.close()
  await signInAsAdmin(page)
  await page.goto(`${service().baseUrl}/console/tenants?search=${user}`)
  const rows = page.getByRole('table').getByRole('link')
  await expect(rows).toHaveCount(1)
  const summary = page.getByRole('main').getByRole('status')
  await expect(summary.filter({ hasText: 'tenant' })).toHaveText('1 tenant · 1 settled · $0.001 volume in 30 days')
  await page.getByLabel('Plan', { exact: true }).selectOption('Scale')
  await expect(page.getByRole('heading', { name: /^No tenants match/ })).toBeVisible()
  await page.getByLabel('Plan', { exact: true }).selectOption('Free')
  await page.waitForURL(({ searchParams }) => searchParams.get('plan') === 'free')
  await expect(rows).toHaveCount(1)
  // A link may name several plans.
  await page.goto(`${service().baseUrl}/console/tenants?search=${user}&plan=scale,free`)
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('columnheader', { name: /^Created/ })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Gas' }).click()
  await page.waitForURL(({ searchParams }) => searchParams.get('sort') === 'gas')
  await expect(page.getByRole('columnheader', { name: /^Gas/ })).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByRole('row').filter({ hasText: `${user}'s shop` })).toContainText(/0\.0\d+ ETH/)
  await page.getByLabel('State', { exact: true }).selectOption('Revoked')
  await expect(page.getByRole('heading', { name: /^No tenants match/ })).toBeVisible()
  await page.goBack()
  await expect(rows).toHaveCount(1)
})

test('a signer shows how long it lasts, and its address to fund it as text and QR code', { tag: '@long' }, async ({ page }) => {
  await signInAsAdmin(page)
  await goTo(page, 'Networks')
  const card = page.getByRole('region', { name: 'Base Sepolia', exact: true })
  await card.getByRole('heading', { name: 'Base Sepolia' }).click()
  await card
    .getByRole('button', { name: /^Fund 0x/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: /^Fund the (production|sandbox) signer on Base Sepolia$/ })
  await expect(dialog.getByRole('img', { name: /^QR code of 0x[0-9a-fA-F]{40}$/ })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy Address' })).toBeVisible()
})

test('an administrator sees networks, signers and stuck settlements', async ({ page }) => {
  await signInAsAdmin(page)
  await expect(page.getByRole('region', { name: 'Needs care' })).toBeVisible()
  await goTo(page, 'Networks')
  for (const [network, coin] of [
    ['Base Sepolia', 'ETH'],
    ['Solana devnet', 'SOL'],
  ] as const) {
    const card = page.getByRole('region', { name: network, exact: true })
    for (const text of ['Healthy', 'Block', 'Endpoint 1', coin]) await expect(card).toContainText(text)
  }
})

test('an administrator checks and releases a quarantined signer at the nonce of its chain', async ({ page }) => {
  const signer = await quarantinedSigner(3)
  await signInAsAdmin(page)
  await goTo(page, 'Networks')
  const quarantined = page.getByRole('region', { name: 'Quarantined signers' })
  await expect(quarantined).toContainText('the chain knows transactions that the ledger does not')
  await expect(quarantined).toContainText('nonces 0 to 2')
  await quarantined.getByRole('button', { name: 'Release at nonce 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Release this signer?' })
  await expect(dialog).toContainText(signer)
  await dialog.getByRole('button', { name: 'Release at nonce 3' }).click()
  await expect(page.getByText('Released. It signs again once chain and ledger agree.')).toBeVisible()
  await expect(quarantined).toHaveCount(0)
})

test('a wrong admin key or a merchant account cannot open the console', async ({ page }) => {
  await page.goto(`${service().baseUrl}/sign-in`)
  await unfoldAndEnter(page, 'a wrong admin key')
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong admin key.' })).toBeVisible()
  await signInAsMerchant(page)
  await expect(screenLink(page, 'Tenants')).toHaveCount(0)
  await page.goto(`${service().baseUrl}/console/history`)
  await expect(page.getByRole('heading', { name: /^This screen is for administrators/ })).toBeVisible()
})
