import { expect } from '@playwright/test'
import { test } from './journey'
import { service } from './test-service'

test.use({ serviceEnv: { WALLETCONNECT_PROJECT_ID: '0123456789abcdef0123456789abcdef' } })

test('WalletConnect, where it is configured, shows a QR code and a link, and loads nothing before', async ({ page }) => {
  // A relay that accepts every request; no wallet answers.
  const relayed: string[] = []
  await page.routeWebSocket(/^wss:\/\/relay\.walletconnect\.org\//, (socket) => {
    socket.onMessage((message) => {
      const { id, method } = JSON.parse(String(message))
      relayed.push(method)
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: method.endsWith('ubscribe') ? `subscription ${id}` : true }))
    })
  })
  await page.route('https://verify.walletconnect.org/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(`${service().baseUrl}/sign-in`)
  const button = page.getByRole('button', { name: 'WalletConnect' })
  await expect(button).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link')).toHaveCount(4)
  expect(relayed).toEqual([])

  await button.click()
  const request = page.getByRole('dialog', { name: 'Connect a wallet' })
  await expect(request.getByRole('img', { name: 'QR code of the connection' })).toBeVisible()
  await expect(request.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await request.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'You closed the request' })).toBeVisible()
  await expect(button).toBeEnabled()
})
