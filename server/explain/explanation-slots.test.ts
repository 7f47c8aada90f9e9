import { expect, onTestFinished, test, vi } from 'vitest'
import { createReadSlots } from '../base/read-slots'
import { paced } from './explanation-slots'

test('explanations begin in turns at their pace, and an answer does not wait for it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const begun: string[] = []
  const slots = paced(createReadSlots({ what: 'explanations', atOnce: 2, eachAtOnce: 1 }), 0.2)
  const ask = (address: string) => slots(address, async () => void begun.push(address))
  const flood = Array.from({ length: 4 }, () => ask('flood'))
  await Promise.all([flood[0], ask('other')])
  expect(begun).toEqual(['flood', 'other'])
  await vi.advanceTimersByTimeAsync(199)
  expect(begun).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['flood', 'other', 'flood'])
  await vi.advanceTimersByTimeAsync(199)
  expect(begun).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(201)
  await Promise.all(flood)
  expect(begun).toHaveLength(5)
})

test('a refusal and a failure reach who asked', async () => {
  const slots = paced(createReadSlots({ what: 'explanations', atOnce: 1, each: 1 }), 0.05)
  const failed = slots('one', () => Promise.reject(new Error('no node')))
  await expect(slots('one', async () => 'yes')).rejects.toMatchObject({ refusal: 'too_many' })
  await expect(failed).rejects.toThrow('no node')
})
