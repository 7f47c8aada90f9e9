import { expect, test } from 'vitest'
import { dbOf, whileBusy } from './database'
import { statementsBy } from './statements'

const db = dbOf(statementsBy(async () => ({ rows: [], affected: 0 })))

test('calls that come while two statements run share the next one, each with its own result', async () => {
  const statements: number[][] = []
  const waiting: (() => void)[] = []
  const double = whileBusy<number, number>(async (_db, calls) => {
    statements.push([...calls])
    await new Promise<void>((resolve) => waiting.push(resolve))
    return calls.map((call) => (call === 7 ? new Error('seven') : 2 * call))
  })
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
  const first = double(db, 1)
  await pause()
  const second = double(db, 2)
  await pause()
  const later = [double(db, 3), double(db, 7), double(db, 5)]
  const outcomes = Promise.allSettled([first, second, ...later])
  await pause()
  expect(statements).toEqual([[1], [2]])
  waiting[0]?.()
  await pause()
  expect(statements).toEqual([[1], [2], [3, 7, 5]])
  for (const go of waiting) go()
  expect((await outcomes).map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    2,
    4,
    6,
    'Error: seven',
    10,
  ])
})

test('a statement that fails rejects its calls only', async () => {
  const failing = whileBusy<number, number>(async (_db, calls) => {
    if (calls.includes(1)) throw new Error('down')
    return [...calls]
  })
  await expect(failing(db, 1)).rejects.toThrow('down')
  expect(await failing(db, 2)).toBe(2)
})
