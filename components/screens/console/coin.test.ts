import { expect, test } from 'vitest'
import { amountToSend, coinPricesText, dollarText, fundingText, lasting } from './coin'

const BASE = 'eip155:8453'

test('an amount to send is rounded up to two digits that count', () => {
  expect(amountToSend(BASE, '51234567890123456')).toBe('0.052 ETH')
  expect(amountToSend(BASE, '50000000000000000')).toBe('0.05 ETH')
  expect(amountToSend(BASE, '9950000000000000000')).toBe('10 ETH')
  expect(amountToSend(BASE, '7')).toBe('0.000000000000000007 ETH')
})

test('dollars may be negative, and the prices of coins are said once', () => {
  expect([dollarText('1200000'), dollarText('-3400'), dollarText('0')]).toEqual(['$1.20', '−$0.0034', '$0'])
  expect(coinPricesText([BASE, BASE, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])).toBe('At about $3,000 per ETH and $250 per SOL')
  expect(coinPricesText(['eip155:84532'])).toBeNull()
})

test('how long a balance lasts is said in words', () => {
  expect([null, 0, 3, 400].map(lasting)).toEqual(['No spending', 'Lasts less than a day', 'Lasts 3 days', 'Lasts over a year'])
})

test('what a signer has, how long it lasts and what to send are said once', () => {
  const sender = { network: BASE, balance: '2000000000000000000' }
  expect(fundingText({ ...sender, runwayDays: 400, topUp: '0' })).toEqual([
    'Lasts over a year',
    '2 ETH at the pace of the last 7 days.',
  ])
  expect(fundingText({ ...sender, runwayDays: 3, topUp: '50000000000000000' })).toEqual([
    'Lasts 3 days',
    '2 ETH at the pace of the last 7 days. Send 0.05 ETH to last 30 days.',
  ])
  expect(fundingText({ ...sender, runwayDays: null, topUp: null })).toEqual(['2 ETH', 'It spent nothing in the last 7 days.'])
  expect(fundingText({ ...sender, balance: null, runwayDays: null, topUp: null })[0]).toBe('Balance unknown')
})
