import { expect, test } from 'vitest'
import { atomicOf, limitsText } from './limit-fields'

test.each([
  ['', null],
  [' ', null],
  ['0.05', '50000'],
  ['1', '1000000'],
  [' 2.5 ', '2500000'],
  ['0.000001', '1'],
  ['0', undefined],
  ['0.0000001', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['five', undefined],
])('the maximum "%s" is %s atomic units', (written, atomic) => {
  expect(atomicOf(written)).toBe(atomic)
})

test('the limits that are set are counted', () => {
  const none = { allowedNetworks: [], payToAllow: [], maxAmount: null }
  expect(limitsText(none)).toBeNull()
  expect(limitsText({ ...none, maxAmount: '500' })).toBe('1 limit set')
  expect(limitsText({ allowedNetworks: ['eip155:8453'], payToAllow: ['0x12', '0x34'], maxAmount: '500' })).toBe('3 limits set')
})
