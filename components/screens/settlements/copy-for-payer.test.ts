import { expect, test } from 'vitest'
import { reasonTitle, reasonTitles } from '@/server/x402/reasons/titles'
import { payerMessage } from './copy-for-payer'

const PAYMENT = {
  id: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
  settlementId: null,
  createdAt: '2026-11-26T14:03:05.000Z',
  amount: '50000',
  decimals: 6,
  asset: 'USDC',
  network: 'eip155:8453',
  resource: 'https://api.test/report',
  txHash: '',
}

const messageOf = (reason: string, other: Partial<typeof PAYMENT> = {}) =>
  payerMessage({ ...PAYMENT, ...other, reasonTitle: reasonTitle(reason) }, reason, 'UTC')

test('a payer reads what happened, that no money moved, and what to do', () => {
  expect(messageOf('insufficient_funds').split('\n')).toEqual([
    expect.stringMatching(/^Your payment of 0\.05 USDC for https:\/\/api\.test\/report on Base failed on .*14:03:05.*\.$/),
    'Why: Insufficient funds. Nothing was sent, so no money left your wallet.',
    'What to do: Add USDC to your wallet on this network and pay again; you need no gas.',
    'ID: 019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
  ])
})

test('a payment that was sent names its transaction, and says nothing of money that stayed', () => {
  const message = messageOf('authorization_used_elsewhere', { txHash: '0xab' })
  expect(message).toContain('Transaction: 0xab')
  expect(message).not.toContain('Nothing was sent')
})

test('every reason is said to the payer in the second person, with what to do', () => {
  for (const reason of Object.keys(reasonTitles)) {
    const advice = messageOf(reason).split('\n')[2]
    expect(advice, reason).toMatch(/^What to do: [A-Z].{15,}\.$/)
    expect(advice, reason).not.toMatch(/\bthe payer\b|\bits (wallet|client|clock)\b|undefined/i)
  }
})

test('a reason of the merchant asks nothing of the payer', () => {
  expect(messageOf('invalid_exact_evm_missing_eip712_domain')).toContain('We must correct our side')
})
