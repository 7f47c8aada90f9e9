import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TestPayment } from '../../client/paid-request/use-payment'
import { LiveReceipt } from './live-receipt'

test('the receipt of the hero is an example until a visitor pays, and only a sample merchant brings the button', () => {
  const [alone, withMerchant] = [null, 'http://localhost:4021'].map((url) =>
    renderToStaticMarkup(
      <TestPayment merchantUrl={url}>
        <LiveReceipt merchantUrl={url} />
      </TestPayment>,
    ),
  )
  for (const page of [alone, withMerchant]) expect(page).toMatch(/0\.001.*Example/)
  expect(alone).not.toContain('<button')
  expect(withMerchant).toMatch(/<button[^>]*>Print a live receipt</)
})
