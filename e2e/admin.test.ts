import { expect } from '@playwright/test'
import { letADayPass } from './clock'
import { test } from './journey'
import { quarantinedSigner } from './lanes'
import { goTo, makeKey, newUser, screenLink, signInAsAdmin, signInAsMerchant } from './people'
import { place } from './place'
import { rowOf } from './rows'
import { buy } from './shop'

test("an administrator sees everybody's settlements, figures and tenants, and ends what must end", async ({ page, browser }) => {
  const user = newUser()
  const merchant = await browser.newPage()
  await signInAsMerchant(merchant, user)
  const url = await makeKey(merchant, `${user}'s shop`)
  const transaction = await buy(url)

  await signInAsAdmin(page)
  await goTo(page, 'History')
  await expect(rowOf(page, transaction)).toBeVisible()
  await letADayPass(user)
  await page.goto(`${place().baseUrl}/console?owner=${user}`)
  const days = page.getByRole('table', { name: 'Settlements by day' }).getByRole('row')
  await expect(days.last()).toContainText('1 settled')

  await goTo(page, 'Tenants')
  const tenant = page.getByRole('row').filter({ hasText: `${user}'s shop` })
  await tenant.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click()
  await expect(tenant).toContainText('revoked')
  await expect.poll(async () => (await fetch(`${url}/supported`)).status).toBe(401)
  await merchant.close()
})

test('an administrator sees the networks, their signers and whether anything is stuck', async ({ page }) => {
  await signInAsAdmin(page)
  await goTo(page, 'Networks')
  const networks = page.getByRole('region', { name: 'Supported networks' })
  for (const network of ['Base Sepolia', 'Solana devnet']) {
    await expect(networks.getByRole('listitem').filter({ hasText: network })).toContainText('nodes answer')
  }
  await expect(page.getByRole('region', { name: 'Signers and gas' })).toContainText('ETH')
})

test('an administrator releases a quarantined signer where its chain stands, having been told what to look at', async ({
  page,
}) => {
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

test('nobody comes to the console with another key, or as a merchant', async ({ page }) => {
  await page.goto(`${place().baseUrl}/sign-in`)
  await page.getByLabel('Admin key').fill('not the key of the administrator of it')
  await page.getByRole('button', { name: 'Enter' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'That is not the admin key.' })).toBeVisible()
  await signInAsMerchant(page)
  await expect(screenLink(page, 'Tenants')).toHaveCount(0)
  await page.goto(`${place().baseUrl}/console/history`)
  await expect(page.getByRole('alert').filter({ hasText: 'only administrators may see this' })).toBeVisible()
})
