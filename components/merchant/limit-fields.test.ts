import { expect, test } from 'vitest'
import { atomicOf } from './limit-fields'

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
