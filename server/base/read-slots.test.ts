import { describe, expect, test } from 'vitest'
import { createReadSlots } from './read-slots'

/** Reads that end when the test says so, in the order in which they were started. */
function controlled() {
  const started: { name: string; end: () => void }[] = []
  const read = (name: string) => () => new Promise<string>((resolve) => started.push({ name, end: () => resolve(name) }))
  const names = () => started.map(({ name }) => name)
  const endOldest = async () => {
    started.shift()?.end()
    // Each step of a slot is a microtask.
    await new Promise(setImmediate)
  }
  return { read, names, endOldest }
}

const refusalOf = async (read: Promise<unknown>) => read.then(() => null).catch((error: unknown) => Object(error).refusal)

describe('slots of reads', () => {
  test('leave a place to others beside the flood of one reader, which waits for itself', async () => {
    const { read, names, endOldest } = controlled()
    const slots = createReadSlots({ what: 'sums', atOnce: 3, eachAtOnce: 2 })
    const flood = [1, 2, 3, 4, 5].map((no) => slots('flood', read(`flood ${no}`)))
    expect(names()).toEqual(['flood 1', 'flood 2'])
    const other = slots('other', read('other'))
    expect(names()).toEqual(['flood 1', 'flood 2', 'other'])
    for (let left = 6; left > 0; left--) await endOldest()
    expect(await Promise.all([other, ...flood])).toEqual(['other', 'flood 1', 'flood 2', 'flood 3', 'flood 4', 'flood 5'])
  })

  test('take turns by reader, however much one has queued', async () => {
    const { read, names, endOldest } = controlled()
    const slots = createReadSlots({ what: 'sums', atOnce: 1, eachAtOnce: 1 })
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => slots(name.slice(0, 1), read(name)))
    const order: (string | undefined)[] = []
    for (let left = all.length; left > 0; left--) {
      order.push(names()[0])
      await endOldest()
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    await Promise.all(all)
  })

  test('refuse a reader beyond its rate, and no other', async () => {
    const slots = createReadSlots({ what: 'sums', atOnce: 1, each: 10, rate: { burst: 3, perSecond: 0.001 } })
    const ask = (reader: string) => refusalOf(slots(reader, async () => null))
    const greedy: unknown[] = []
    for (let no = 0; no < 5; no++) greedy.push(await ask('greedy'))
    expect(greedy).toEqual([null, null, null, 'too_many', 'too_many'])
    expect(await ask('other')).toBe(null)
    expect(await refusalOf(slots('greedy', async () => null, 0))).toBe(null)
  })

  test('refuse a reader beyond its share, and only a full queue refuses others', async () => {
    const { read, endOldest } = controlled()
    const slots = createReadSlots({ what: 'sums', atOnce: 1, waiting: 8, each: 6 })
    const asked = (reader: string, count: number) => Array.from({ length: count }, () => refusalOf(slots(reader, read(reader))))
    const [greedy, second] = [asked('greedy', 9), asked('second', 9)]
    const late = ['c', 'd', 'e', 'f'].flatMap((reader) => asked(reader, 1))
    // One of the greedy reader runs. The first half of the queue is full by then, the second is for readers without a place in it.
    expect(await Promise.all([...greedy.slice(5), ...second.slice(1)])).toEqual(Array(12).fill('unavailable'))
    expect(await late.at(-1)).toBe('unavailable')
    for (let left = 9; left > 0; left--) await endOldest()
    expect(await Promise.all([...greedy.slice(0, 5), ...second.slice(0, 1), ...late.slice(0, 3)])).toEqual(Array(9).fill(null))
    const beyond = asked('greedy', 7)
    expect(await beyond.at(-1)).toBe('unavailable')
    for (let left = 7; left > 0; left--) await endOldest()
  })

  test('refuse one reader with 429 while the queue has room', async () => {
    const { read, endOldest } = controlled()
    const slots = createReadSlots({ what: 'sums', atOnce: 1, each: 3 })
    const asked = Array.from({ length: 5 }, () => refusalOf(slots('one', read('one'))))
    expect(await Promise.all(asked.slice(3))).toEqual(['too_many', 'too_many'])
    for (let left = 3; left > 0; left--) await endOldest()
    expect(await Promise.all(asked.slice(0, 3))).toEqual([null, null, null])
  })

  test('are free again after a read that failed', async () => {
    const slots = createReadSlots({ what: 'sums', atOnce: 1, each: 1 })
    for (const _ of [1, 2, 3]) await expect(slots('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(slots('one', async () => 'yes')).resolves.toBe('yes')
  })
})
