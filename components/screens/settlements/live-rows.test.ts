import { expect, test } from 'vitest'
import { rowsOf, unknownTo } from './live-rows'

const row = (id: string, second: number) => ({ id, createdAt: new Date(second * 1_000).toISOString() })
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('rows that arrive stand in the order of their times, each once, also when one comes late', () => {
  const page = [row('d', 4), row('b', 2)]
  expect(idsOf(rowsOf(page, [row('f', 6), row('e', 5)]))).toEqual(['f', 'e', 'd', 'b'])
  const late = [row('g', 7), row('c', 3), row('f', 6), row('e', 5), row('d', 4)]
  expect(idsOf(rowsOf(page, late))).toEqual(['g', 'f', 'e', 'd', 'c', 'b'])
  expect(rowsOf(page, [])).toBe(page)
})

test('an empty page is followed by what arrives', () => {
  expect(idsOf(rowsOf([], [row('a', 1)]))).toEqual(['a'])
})

test('rows that a list has are not new to it', () => {
  const list = [row('d', 4), row('b', 2)]
  expect(idsOf(unknownTo(list, [row('e', 5), row('d', 4), row('c', 3)]))).toEqual(['e', 'c'])
})
