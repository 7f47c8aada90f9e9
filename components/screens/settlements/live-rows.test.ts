import { expect, test } from 'vitest'
import { nothingNew, receive, release, rowsOf } from './live-rows'

const row = (id: string, second: number) => ({ id, createdAt: new Date(second * 1_000).toISOString() })
const idsOf = (rows: readonly { id: string }[] | undefined) => rows?.map(({ id }) => id)

test('rows that arrive stand in the order of their times, each once, also when one comes late', () => {
  const first = nothingNew([row('d', 4), row('b', 2)])
  const second = receive(first, [row('f', 6), row('e', 5)], 'now')
  expect(idsOf(rowsOf(second))).toEqual(['f', 'e', 'd', 'b'])
  const third = receive(second, [row('g', 7), row('e', 5), row('c', 3), row('d', 4)], 'now')
  expect(idsOf(rowsOf(third))).toEqual(['g', 'f', 'e', 'd', 'c', 'b'])
  expect(receive(third, [row('g', 7)], 'now')).toBe(third)
})

test('rows wait while the reader is further down, and none is lost', () => {
  const waiting = receive(receive(nothingNew([row('a', 1)]), [row('b', 2)], 'later'), [row('c', 3)], 'later')
  expect([idsOf(rowsOf(waiting)), idsOf(waiting.waiting)]).toEqual([['a'], ['c', 'b']])
  expect(idsOf(rowsOf(release(waiting)))).toEqual(['c', 'b', 'a'])
  expect(idsOf(rowsOf(receive(waiting, [row('d', 4)], 'now')))).toEqual(['d', 'c', 'b', 'a'])
  expect(release(release(waiting)).waiting).toEqual([])
})

test('an empty page is followed by what arrives; a page that is not loaded has no rows', () => {
  expect(idsOf(rowsOf(receive(nothingNew([]), [row('a', 1)], 'now')))).toEqual(['a'])
  expect(rowsOf(nothingNew(undefined))).toBeUndefined()
})
