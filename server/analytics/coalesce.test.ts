import { expect, test } from 'vitest'
import type { Analytics } from './analytics'
import { createCoalesce } from './coalesce'

const answer = { summary: {} } as Analytics

test('concurrent equal requests are computed once', async () => {
  const coalesce = createCoalesce()
  let computed = 0
  const sum = async () => {
    computed++
    return answer
  }
  await Promise.all(Array.from({ length: 50 }, () => coalesce('same', sum)))
  expect(computed).toBe(1)
  await coalesce('same', sum)
  expect(computed).toBe(2)
})

test('few are computed at once, some wait, and the others must retry', async () => {
  const coalesce = createCoalesce(2, 3)
  let [inFlight, most] = [0, 0]
  const sum = async () => {
    most = Math.max(most, ++inFlight)
    await new Promise((resolve) => setTimeout(resolve, 20))
    inFlight--
    return answer
  }
  const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => coalesce(`${at}`, sum)))
  expect(most).toBe(2)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const [refused] = ends.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { refusal: 'unavailable' } })
})

test('a failed computation is computed again', async () => {
  const coalesce = createCoalesce()
  await expect(coalesce('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(coalesce('key', async () => answer)).resolves.toBe(answer)
})
