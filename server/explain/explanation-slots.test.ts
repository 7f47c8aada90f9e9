import { expect, test } from 'vitest'
import { createReadSlots } from '../base/read-slots'
import { paced } from './explanation-slots'

test('explanations begin in turns at their pace, and an answer does not wait for it', async () => {
  const begun: number[] = []
  const slots = paced(createReadSlots({ what: 'explanations', atOnce: 2, eachAtOnce: 1 }), 0.2)
  const ask = (address: string) => slots(address, async () => void begun.push(performance.now()))
  const asked = performance.now()
  const flood = Array.from({ length: 4 }, () => ask('flood'))
  await Promise.all([flood[0], ask('other')])
  expect(performance.now() - asked).toBeLessThan(150)
  await Promise.all(flood)
  const [first = 0, , second = 0, third = 0] = begun
  // A timer may fire up to a millisecond early.
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(198)
})

test('a refusal and a failure reach who asked', async () => {
  const slots = paced(createReadSlots({ what: 'explanations', atOnce: 1, each: 1 }), 0.05)
  const failed = slots('one', () => Promise.reject(new Error('no node')))
  await expect(slots('one', async () => 'yes')).rejects.toMatchObject({ refusal: 'too_many' })
  await expect(failed).rejects.toThrow('no node')
})
