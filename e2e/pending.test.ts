import { expect } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connect } from '../devnet/client'
import { goTo, makeKey, signInAsMerchant } from './accounts'
import { test } from './journey'
import { giveUsdc, settleByHand } from './merchant'
import { rowOf } from './rows'
import { service } from './test-service'

test('a payment without an outcome stands above the settlements until it has one', async ({ page }) => {
  test.slow()
  await signInAsMerchant(page)
  const url = await makeKey(page, 'a slow night')
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
  } finally {
    await chain.setIntervalMining({ interval: 1 })
  }
})
