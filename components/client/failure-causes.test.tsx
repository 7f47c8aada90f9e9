import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { remedies } from '@/server/x402/reasons/remedies'
import { Why } from './failure-causes'

const textFor = (reader: 'merchant' | 'payer', reason: string, asset = 'USDC') =>
  renderToStaticMarkup(<Why reader={reader} reason={reason} asset={asset} id="019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234" />)

test('a merchant reads what the payer must do, and a payer what to do', () => {
  expect(textFor('merchant', 'insufficient_funds')).toContain('The payer must add USDC to its wallet')
  expect(textFor('payer', 'insufficient_funds')).toContain('Add USDC to your wallet')
  expect(textFor('payer', 'invalid_exact_evm_payload_authorization_valid_before')).toContain('sign a new payment')
})

test('a remedy names the token of the payment', () => {
  expect(textFor('merchant', 'insufficient_funds', 'EURC')).toContain('The payer must add EURC to its wallet')
  expect(textFor('payer', 'permit2_insufficient_balance', 'mUSD')).toContain('Add mUSD to your wallet')
})

test('a remedy that only the merchant can apply is the same for both, and names the merchant', () => {
  const reason = 'invalid_exact_evm_missing_eip712_domain'
  expect(textFor('payer', reason)).toBe(textFor('merchant', reason))
  expect(textFor('payer', reason)).toContain('The merchant must put the name and version')
})

test('no remedy for all readers speaks to the payer', () => {
  expect(Object.values(remedies).filter((text) => /\byour?\b/i.test(text))).toEqual([])
})
