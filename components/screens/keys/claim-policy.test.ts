import { expect, test } from 'vitest'
import { claimsText, gweiOf, secondsOf, weiOf } from './claim-policy'

test.each([
  ['', null],
  ['60', 60],
  [' 3600 ', 3_600],
  ['1.5', undefined],
  ['-1', undefined],
  ['an hour', undefined],
])('"%s" is %s seconds', (written, seconds) => {
  expect(secondsOf(written)).toBe(seconds)
})

test.each([
  ['', null],
  ['0.5', '500000000'],
  ['20', '20000000000'],
  ['0.0000000001', undefined],
  ['1e9', undefined],
])('"%s" gwei are %s wei', (written, wei) => {
  expect(weiOf(written)).toBe(wei)
  if (written && wei) expect(gweiOf(wei)).toBe(written)
})

test('a key says when its channels are claimed, by its own figures or by ours', () => {
  const none = { claimAbove: null, claimAfterSeconds: null, claimMaxGasPrice: null }
  expect(claimsText(none)).toBe('From 10.00 USDC, or after an hour')
  expect(claimsText({ claimAbove: '2500000', claimAfterSeconds: 600, claimMaxGasPrice: '500000000' })).toBe(
    'From 2.50 USDC, or after 10 min; the first while gas costs at most 0.5 gwei',
  )
})
