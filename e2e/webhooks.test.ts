import { expect } from '@playwright/test'
import { isSignedWith, type Receiver, startReceiver } from '../test/support/service/webhook-receiver'
import { goTo, signInAsMerchant, signInWithKey } from './accounts'
import { test } from './journey'
import { buy } from './merchant'
import { service } from './test-service'
import { addWebhook, deliveriesOf } from './webhooks'

let receiver: Receiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

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
  await expect(page.getByRole('region', { name: 'Deliveries', exact: true }).getByRole('status')).toHaveText(
    '1 delivery in 30 days',
  )
  await expect(row.getByRole('button', { name: 'Last delivery' })).toContainText('Delivered')
  await expect(row).toContainText('No failed deliveries in 24 hours')
  await page.getByLabel('State').selectOption('Failed')
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible()
  await expect(page).toHaveURL(/state=failed/)
})

test('a whole row opens its delivery; resend works between two retries, says so, and shows the response', async ({ page }) => {
  const url = await signInWithKey(page, 'the shop')
  await goTo(page, 'Webhooks')
  await addWebhook(page, receiver.url)
  receiver.answer(() => ({ status: 503, body: 'No room <b>today</b>' }))
  await buy(url)
  const row = deliveriesOf(page).first()
  await expect(row).toContainText('HTTP 503')
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  // The middle of the row, where the payment stands.
  for (const cell of [1, 2, 3, 4]) {
    await row
      .getByRole('cell')
      .nth(cell)
      .click({ position: { x: 12, y: 12 } })
    await expect(drawer).toContainText('Retrying')
    expect(new URL(page.url()).pathname).toBe('/dashboard/webhooks')
    await expect(page.locator('[data-time-hint]')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  }
  await row.getByRole('cell').nth(3).click()
  const attempts = drawer.getByRole('region', { name: 'Attempts' })
  await expect(attempts.getByText('No room <b>today</b>').first()).toBeVisible()
  await expect(attempts).toContainText(/\d m?s ·/)
  receiver.answer(() => ({ status: 200, body: 'Thank you' }))
  await drawer.getByRole('button', { name: 'Resend' }).click()
  await expect(page.getByText(/^Sending it now\.|being sent at this moment/)).toBeVisible()
  await expect(drawer).toContainText('Delivered')
  await expect(attempts.getByText('Thank you')).toBeVisible()
})

test('the drawer of a delivery steps to the one before and after it, and an unknown one says so', { tag: '@long' }, async ({
  page,
}) => {
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

test('what was not delivered comes first, and all of it is sent again at once', async ({ page }) => {
  const url = await signInWithKey(page, 'the shop')
  await goTo(page, 'Webhooks')
  await addWebhook(page, receiver.url)
  // An empty list shows the message to expect.
  await expect(page.getByRole('heading', { name: 'No deliveries yet' })).toBeVisible()
  await expect(page.locator('[inert]')).toContainText('"type": "payment.settled"')
  receiver.answer(() => ({ status: 500 }))
  await buy(url)
  await buy(url)
  const failing = page.getByRole('region', { name: 'Not delivered', exact: true })
  // A slow run gets more events, such as a finalized payment.
  await expect(failing.getByRole('row').filter({ hasText: 'HTTP 500' }).filter({ hasText: 'payment.settled' })).toHaveCount(2)
  await expect(page.getByText(/^[2-9] deliveries failed or failing in 24 hours$/)).toBeVisible()
  await expect(page.getByRole('img', { name: /^Attempts in 24 hours: 0 succeeded, [2-9] failed$/ })).toBeVisible()
  receiver.answer(() => ({ status: 200 }))
  await failing.getByRole('button', { name: 'Resend all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resend what was not delivered' })
  await expect(dialog).toContainText(/[1-9] messages? (was|were) not delivered\.|Nothing to resend/)
  const send = dialog.getByRole('button', { name: /^Resend \d/ })
  if (await send.isVisible()) {
    await send.click()
    await expect(dialog.getByRole('status')).toContainText(/We are sending [1-9] messages? now|Nothing was left/)
    await dialog.getByRole('button', { name: 'Done' }).click()
  } else await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(failing).toHaveCount(0)
  await page.getByLabel('State').selectOption('Not delivered')
  await page.waitForURL(({ searchParams }) => searchParams.get('state') === 'undelivered')
  await expect(page.getByRole('heading', { name: 'No matching deliveries' })).toBeVisible()
})
