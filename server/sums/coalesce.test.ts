import { expect, test } from 'vitest'
import { createReadSlots } from '../base/read-slots'
import { createCoalesce, createRecent } from './coalesce'

const answer = { summary: {} }

test('concurrent equal requests are computed once', async () => {
  const coalesce = createCoalesce()
  let computed = 0
  const sum = async () => {
    computed++
    return answer
  }
  await Promise.all(Array.from({ length: 50 }, () => coalesce('one', 'same', sum)))
  expect(computed).toBe(1)
  await coalesce('one', 'same', sum)
  expect(computed).toBe(2)
})

test('few are computed at once, some wait, and the others must retry', async () => {
  const coalesce = createCoalesce(createReadSlots({ what: 'sums', atOnce: 2, waiting: 3 }))
  let [inFlight, most] = [0, 0]
  const sum = async () => {
    most = Math.max(most, ++inFlight)
    await new Promise((resolve) => setTimeout(resolve, 20))
    inFlight--
    return answer
  }
  const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => coalesce(`reader ${at}`, `${at}`, sum)))
  expect(most).toBe(2)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const [refused] = ends.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { refusal: 'unavailable' } })
})

test('a failed computation is computed again', async () => {
  const coalesce = createCoalesce()
  await expect(coalesce('one', 'key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(coalesce('one', 'key', async () => answer)).resolves.toBe(answer)
})

test('the flood of one reader evicts no sums of another', async () => {
  const recent = createRecent({ kept: 8, keptOfReader: 3 })
  let computed = 0
  const read = (reader: string, key: string) => recent(reader, key, 60_000, async () => ({ at: ++computed }))
  const own = await read('other', 'own')
  for (let at = 0; at < 50; at++) await read('flood', `flood ${at}`)
  expect(await read('other', 'own')).toBe(own)
  computed = 0
  for (const at of [47, 48, 49]) await read('flood', `flood ${at}`)
  expect(computed).toBe(0)
  await read('flood', 'flood 46')
  expect(computed).toBe(1)
})
