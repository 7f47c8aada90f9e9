import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { newUser, signInWithKey } from './accounts'
import { test } from './journey'
import { paymentOf, settleByHand } from './merchant'
import { service } from './test-service'

/** A payment whose payer has no USDC, as a header. */
async function unpayable(): Promise<string> {
  const { paymentPayload } = await paymentOf(generatePrivateKey())
  return `PAYMENT-SIGNATURE: ${Buffer.from(JSON.stringify(paymentPayload)).toString('base64')}`
}

const inputOf = (page: Page) => page.getByRole('textbox', { name: 'Payment, 402 response or settlement ID' })

test('a visitor pastes a failing payment and reads which check failed, what was found and what to do', async ({ page }) => {
  await page.goto(`${service().baseUrl}/home`)
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Explain' }).click()
  await inputOf(page).fill(await unpayable())
  // With the keyboard alone, which a page hears once its scripts run.
  await expect(async () => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Verify would refuse this payment: Insufficient funds' })).toBeVisible({
      timeout: 5_000,
    })
  }).toPass()
  const toFix = page.getByRole('region', { name: 'To fix' })
  await expect(toFix).toContainText(/The payer has 0 USDC in block \d+; the payment needs 0\.001 USDC/)
  await expect(toFix).toContainText('The payer must add USDC to its wallet')
  const rest = page.getByRole('region', { name: 'Other checks' })
  const checks = rest.getByRole('listitem')
  // What passed is folded to a line.
  await expect(checks.filter({ hasText: 'Signature' })).toHaveCount(0)
  await rest.getByText(/^\d+ passed$/).click()
  await rest.getByText(/^\d+ not reached$/).click()
  await expect(checks.filter({ hasText: 'Signature' })).toContainText('which is "from"')
  await expect(checks.filter({ hasText: 'Screening' })).toContainText('Not reached.')
  await page.getByText(/^\d+ fields, none differs$/).click()
  await expect(page.getByRole('row', { name: /^payTo/ })).toContainText(/0x\w{40}/)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test('a payment that offers less than was required shows the difference, with the other fields folded', { tag: '@long' }, async ({
  page,
}) => {
  const { paymentPayload, paymentRequirements } = await paymentOf(generatePrivateKey())
  await page.goto(`${service().baseUrl}/explain`)
  await inputOf(page).fill(JSON.stringify({ paymentPayload, paymentRequirements: { ...paymentRequirements, amount: '2000' } }))
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  const differences = page.getByRole('region', { name: 'Fields' }).getByRole('row')
  await expect(differences.nth(1)).toHaveText(/amount.*0\.001 USDC \(1000\).*0\.002 USDC \(2000\)/)
  await expect(differences).toHaveCount(2)
})

test('a URL is not fetched: the page shows the command whose output to paste', { tag: '@long' }, async ({ page }) => {
  await page.goto(`${service().baseUrl}/explain`)
  await inputOf(page).fill('https://merchant.example/weather')
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(page.getByText("curl -sS -i 'https://merchant.example/weather'", { exact: true })).toBeVisible()
  await inputOf(page).fill('{"a" 1}')
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'not valid JSON, at character 5' })).toBeVisible()
  await inputOf(page).fill('hello, this is no payment')
  await expect(inputOf(page)).toHaveAccessibleDescription(/^This is not a payment, a 402 response or a settlement ID/)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: /^402 response/ }).click()
  await expect(inputOf(page)).toHaveValue(/^HTTP\/1\.1 402/)
  await expect(page.getByRole('heading', { name: 'Clients of x402 version 2 can pay this' })).toBeVisible()
})

test('what a visitor pastes before the scripts run counts', { tag: '@long' }, async ({ page }) => {
  let run = () => {}
  const pasted = new Promise<void>((resolve) => {
    run = resolve
  })
  await page.route('**/_next/static/**/*.js', async (route) => {
    await pasted
    await route.continue()
  })
  await page.goto(`${service().baseUrl}/explain`, { waitUntil: 'commit' })
  const explain = page.getByRole('button', { name: 'Explain', exact: true })
  await inputOf(page).fill('{"x402Version":')
  await expect(explain).toBeDisabled()
  run()
  await explain.click()
  await expect(inputOf(page)).toHaveAccessibleDescription(/cut off after 15 characters/)
})

test('a failed settlement of a merchant is explained over the page, and opens as a page', { tag: '@long' }, async ({ page }) => {
  await settleByHand(await signInWithKey(page, 'explained'), generatePrivateKey())
  await page.goto(`${service().baseUrl}/dashboard/settlements`)
  await page.getByRole('row').filter({ hasText: 'Insufficient funds' }).getByRole('link').first().click()
  await page.getByRole('link', { name: 'See all checks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Explain this payment' })
  await expect(dialog.getByRole('heading', { name: 'The payment failed: Insufficient funds' })).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Since then' })).toContainText(
    /A new payment would fail too\s*The payer has 0 USDC.* on Base Sepolia now;/,
  )
  const { violations } = await new AxeBuilder({ page }).include('[role="dialog"]').setLegacyMode().analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/settlements\?/)
  await page.getByRole('link', { name: 'See all checks' }).click()
  await dialog.getByRole('link', { name: 'Open as a page' }).click()
  await expect(inputOf(page)).toHaveValue(/^[0-9a-f-]{36}$/)
})

test('a session that ends under an explanation hides it, and its drawer', { tag: '@long' }, async ({ page }) => {
  const user = newUser()
  await settleByHand(await signInWithKey(page, 'ended', user), generatePrivateKey())
  await page.goto(`${service().baseUrl}/dashboard/settlements`)
  await page.getByRole('row').filter({ hasText: 'Insufficient funds' }).getByRole('link').first().click()
  await page.getByRole('link', { name: 'See all checks' }).click()
  await expect(page.getByRole('heading', { name: 'The payment failed: Insufficient funds' })).toBeVisible()
  await page.context().clearCookies()
  await expect(page.getByRole('dialog', { name: 'You were signed out' })).toBeVisible()
  await expect(page.getByText('The payment failed: Insufficient funds')).toBeHidden()
  await expect(page.locator('[role="dialog"]').filter({ visible: true })).toHaveCount(1)
})
