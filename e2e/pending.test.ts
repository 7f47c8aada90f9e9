import { expect } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connect } from '../devnet/client'
import { isSignedWith, type Receiver, startReceiver } from '../test/support/service/webhook-receiver'
import { goTo, signInWithKey } from './accounts'
import { test } from './journey'
import { giveUsdc, settleByHand } from './merchant'
import { rowOf } from './rows'
import { service } from './test-service'
import { addWebhook, deliveriesOf } from './webhooks'

let receiver: Receiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

test('a payment without an outcome stands above the settlements until it has one, which its webhook tells', async ({ page }) => {
  test.slow()
  const url = await signInWithKey(page, 'a slow night')
  await goTo(page, 'Webhooks')
  const secret = await addWebhook(page, receiver.url)
  const payer = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(payer), 1_000n)
  const chain = connect(84532, service().sepoliaUrl)
  // No block comes until the merchant has seen it.
  await chain.setIntervalMining({ interval: 0 })
  const drawer = page.getByRole('dialog', { name: 'Settlement' })
  const waiting = page.getByRole('region', { name: 'In progress' })
  try {
    const answer = await settleByHand(url, payer)
    expect(answer).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    await goTo(page, 'Settlements')
    await expect(waiting.getByRole('link')).toContainText('Sent to the network · Base Sepolia')
    await waiting.getByRole('link').click()
    await expect(drawer).toContainText('In progress')
    await expect(drawer).toContainText(String(answer.transaction))
    await chain.setIntervalMining({ interval: 1 })
    await expect(drawer).toContainText('Settled in ')
    await page.keyboard.press('Escape')
    await expect(waiting).toHaveCount(0)
    await expect(rowOf(page, String(answer.transaction))).toContainText('Settled')
    await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(0)
    const [sent] = receiver.received
    expect(sent && (await isSignedWith(secret, sent))).toBe(true)
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      type: 'payment.settled',
      data: { success: true, tx_hash: answer.transaction, network: 'eip155:84532' },
    })
    await rowOf(page, String(answer.transaction)).getByRole('link').first().click()
    const webhooks = drawer.getByRole('region', { name: 'Webhooks' })
    await expect(webhooks).toContainText('Delivered')
    await webhooks.getByRole('link', { name: 'payment.settled' }).click()
    await expect(page.getByRole('dialog', { name: 'Delivery' })).toContainText(String(answer.transaction))
    await page.keyboard.press('Escape')
    await deliveriesOf(page).first().getByRole('cell').nth(3).click()
    await page.getByRole('dialog', { name: 'Delivery' }).getByRole('link', { name: 'View settlement' }).click()
    await expect(drawer).toContainText(String(answer.transaction))
  } finally {
    await chain.setIntervalMining({ interval: 1 })
  }
})
