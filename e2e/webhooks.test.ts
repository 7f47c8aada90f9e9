import { expect, type Locator, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connect } from '../devnet/client'
import { isSignedWith, type Receiver, startReceiver } from '../test/webhook-receiver'
import { goTo, keep, makeKey, signInAsMerchant, withoutParameter } from './accounts'
import { test } from './journey'
import { giveUsdc, settleByHand } from './merchant'
import { rowOf } from './rows'
import { service } from './test-service'

let receiver: Receiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

/** Adds a webhook on its screen and returns its secret. */
async function addWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByLabel('URL').fill(url)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Signing secret' })
  const secret = await shown.getByText(/^whsec_/).textContent()
  await keep(shown)
  await withoutParameter(page, 'new')
  return secret ?? ''
}

const deliveriesOf = (page: Page): Locator =>
  page
    .getByRole('region', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ has: page.getByRole('button') })

test('a merchant adds a webhook, with a secret shown once, and sends a test', async ({ page }) => {
  await signInAsMerchant(page)
  await goTo(page, 'Webhooks')
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  const sample = page.getByRole('region', { name: 'Example message' })
  await expect(sample).toContainText('"type": "payment.settled"')
  await expect(sample).toContainText('webhook-signature: v1,')
  await expect(sample.getByRole('link', { name: 'How to verify it' })).toHaveAttribute('href', '/docs/webhooks#receive')
  const secret = await addWebhook(page, receiver.url)
  await page.reload()
  const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Send test' }) })
  await expect(row).toContainText('Nothing sent yet')
  await expect(page.getByRole('button', { name: `Copy URL ${receiver.url}` })).toBeVisible()
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'Send test' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await expect(drawer).toContainText('Delivered')
  await expect(drawer.getByRole('region', { name: 'Attempts' })).toContainText('HTTP 200')
  await expect(drawer.getByRole('region', { name: 'Payload' })).toContainText('"type": "webhook.test"')
  const sent = receiver.received.at(-1)
  expect(sent && (await isSignedWith(secret, sent))).toBe(true)

  await drawer.getByRole('button', { name: 'Resend' }).click()
  await expect(drawer.getByRole('region', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2)
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(sent?.headers['webhook-id'])
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(deliveriesOf(page)).toHaveCount(1)
  await expect(row.getByRole('button', { name: 'Last delivery' })).toContainText('Delivered')
  await expect(row).toContainText('No failures in 24 hours')
  await page.getByLabel('State').selectOption('Failed')
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible()
  await expect(page).toHaveURL(/state=failed/)
})

test('the drawer of a delivery steps to the one before and after it, and an unknown one says so', async ({ page }) => {
  const opened = () => new URL(page.url()).searchParams.get('delivery')
  await signInAsMerchant(page)
  await goTo(page, 'Webhooks')
  await addWebhook(page, receiver.url)
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  const ids: (string | null)[] = []
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(drawer).toContainText('Delivered')
    ids.unshift(opened())
    await page.keyboard.press('Escape')
    await expect(deliveriesOf(page)).toHaveCount(count)
  }
  await deliveriesOf(page).first().getByRole('button').first().click()
  await expect(drawer.getByRole('button', { name: 'Previous delivery' })).toBeDisabled()
  await drawer.getByRole('button', { name: 'Next delivery' }).click()
  await expect.poll(opened).toBe(ids[1])
  await page.keyboard.press('k')
  await expect.poll(opened).toBe(ids[0])
  await page.keyboard.press('Escape')
  await expect(deliveriesOf(page).first().getByRole('button').first()).toBeFocused()
  await page.goto(`${service().baseUrl}/dashboard/webhooks?delivery=00000000-0000-4000-8000-000000000000`)
  await expect(drawer.getByRole('heading', { name: 'No such delivery' })).toBeVisible()
})

test('a pending payment arrives as settled, and its details show the webhook', async ({ page }) => {
  test.slow()
  await signInAsMerchant(page)
  const url = await makeKey(page, 'slow merchant')
  await goTo(page, 'Webhooks')
  const secret = await addWebhook(page, receiver.url)
  const chain = connect(84532, service().sepoliaUrl)
  receiver.received.length = 0
  const payer = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(payer), 1_000n)
  // No block comes until the service has answered.
  await chain.setIntervalMining({ interval: 0 })
  const answer = await settleByHand(url, payer).finally(() => chain.setIntervalMining({ interval: 1 }))
  expect(answer).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1)
  const [sent] = receiver.received
  expect(sent && (await isSignedWith(secret, sent))).toBe(true)
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    type: 'payment.settled',
    data: { success: true, tx_hash: answer.transaction, network: 'eip155:84532' },
  })
  await goTo(page, 'Settlements')
  await rowOf(page, String(answer.transaction)).getByRole('link').first().click()
  const webhooks = page.getByRole('dialog', { name: 'Settlement' }).getByRole('region', { name: 'Webhooks' })
  await expect(webhooks).toContainText('Delivered')
  await webhooks.getByRole('link', { name: 'payment.settled' }).click()
  const delivery = page.getByRole('dialog', { name: 'Delivery' })
  await expect(delivery).toContainText(String(answer.transaction))
  await page.keyboard.press('Escape')
  await deliveriesOf(page).getByRole('link', { name: '0.001 USDC' }).click()
  await expect(page.getByRole('dialog', { name: 'Settlement' })).toContainText(String(answer.transaction))
})
