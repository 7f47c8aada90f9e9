import { expect, test } from 'vitest'
import { RESENT_MAX, resendAll } from './resend-calls'

test('a run goes on from page to page until the end, and tells how far it is', async () => {
  const asked: (string | null)[] = []
  const told: number[] = []
  const call = async (cursor: string | null) => {
    asked.push(cursor)
    return asked.length < 3 ? { resent: 100, cursor: `after ${asked.length}` } : { resent: 7, cursor: null }
  }
  expect(await resendAll(call, (resent) => told.push(resent), 0)).toEqual({ resent: 207, error: null })
  expect(asked).toEqual([null, 'after 1', 'after 2'])
  expect(told).toEqual([100, 200, 207])
})

test('a run is bounded, and an error keeps what was sent before', async () => {
  const endless = async () => ({ resent: 100, cursor: 'more' })
  expect(await resendAll(endless, () => {}, 0)).toEqual({ resent: RESENT_MAX, error: null })
  let calls = 0
  const failing = async () => {
    calls++
    if (calls === 2) throw new Error('too many')
    return { resent: 100, cursor: 'more' }
  }
  expect(await resendAll(failing, () => {}, 0)).toMatchObject({ resent: 100, error: { message: 'too many' } })
})
