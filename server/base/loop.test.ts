import { expect, onTestFinished, test, vi } from 'vitest'
import { createPauses, startLoop } from './loop'

test('the pause doubles with each round that finds nothing, up to the longest, and is the usual one after work', () => {
  const pauses = createPauses({ usualMs: 500, idleMs: 2_000 })
  expect([false, false, false, true, false].map((found) => pauses.after(found))).toEqual([1_000, 2_000, 2_000, 500, 1_000])
})

test('no idle pause is shorter than the usual one', () => {
  const pauses = createPauses({ usualMs: 500, idleMs: 100 })
  expect([pauses.after(false), pauses.after(true)]).toEqual([500, 500])
})

test('expected work ends a long pause, and the next pause is the usual one', async () => {
  const pauses = createPauses({ usualMs: 1_000_000, idleMs: 4_000_000 })
  const rounds: number[] = []
  const loop = startLoop(
    async () => {
      rounds.push(pauses.after(false))
      return rounds.at(-1) ?? 0
    },
    () => {},
    1_000,
  )
  onTestFinished(() => loop.stop())
  await vi.waitFor(() => expect(rounds).toHaveLength(1), 60_000)
  pauses.expect(loop)
  pauses.expect(loop)
  await vi.waitFor(() => expect(rounds).toHaveLength(2), 60_000)
  expect(rounds).toEqual([2_000_000, 1_000_000])
})

test('a loop in its usual pause is not disturbed', async () => {
  const pauses = createPauses({ usualMs: 1_000_000, idleMs: 4_000_000 })
  pauses.after(true)
  const kicks: string[] = []
  pauses.expect({ kick: () => void kicks.push('kick'), stop: async () => {} })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(kicks).toEqual([])
})
