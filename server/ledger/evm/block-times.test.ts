import { describe, expect, test } from 'vitest'
import { createBlockTimes } from './block-times'

/** Checks a chain with these block times until the end; returns the times of the checks, and of the first check of each block. */
function watch(blocks: readonly number[], untilMs: number) {
  const times = createBlockTimes(100)
  const checks: number[] = []
  const seen: number[] = []
  for (let at = 3; at < untilMs; at += times.pause(at) + 2) {
    const number = blocks.filter((time) => time <= at).length
    times.saw(BigInt(number), at)
    checks.push(at)
    while (seen.length < number) seen.push(at)
  }
  return { checks, seen }
}

const every = (intervalMs: number, untilMs: number) =>
  Array.from({ length: Math.floor(untilMs / intervalMs) }, (_, at) => (at + 1) * intervalMs)

describe('the checks of a chain', () => {
  test.each([
    [200, 15],
    [250, 20],
    [2_000, 105],
  ])('with a block every %i ms come at most %i ms after a block, once its interval is known', (interval, latest) => {
    const blocks = every(interval, 60 * interval)
    const { seen } = watch(blocks, 60 * interval)
    const late = seen.slice(12).map((at, which) => at - (blocks[which + 12] ?? 0))
    expect(late.filter((ms) => ms < 0 || ms > latest)).toEqual([])
  })

  test('of two seconds are a third of the checks at a fixed pause', () => {
    const { checks } = watch(every(2_000, 120_000), 120_000)
    expect(checks.length).toBeLessThan(120_000 / 102 / 3)
  })

  test('are as usual where blocks come when there is something to do', () => {
    const blocks = [130, 1_900, 2_050, 2_300, 6_000, 6_050, 6_900, 7_000, 9_000, 9_500]
    const { checks } = watch(blocks, 10_000)
    const pauses = checks.slice(1).map((at, which) => at - (checks[which] ?? 0))
    expect(pauses.every((pause) => pause === 102)).toBe(true)
  })

  test('go on as usual when the chain stops, and never rest longer than a second', () => {
    const { checks } = watch(every(12_000, 120_000), 240_000)
    const pauses = checks.slice(1).map((at, which) => at - (checks[which] ?? 0))
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_002)
    expect(pauses.at(-1)).toBe(102)
  })

  test('forget when the newest block came, not how long blocks take, after a time without checks', () => {
    const times = createBlockTimes(100)
    for (let block = 1; block <= 6; block++) {
      times.saw(BigInt(block - 1), block * 2_000 - 50)
      times.saw(BigInt(block), block * 2_000 + 50)
    }
    expect(times.pause(12_060)).toBeGreaterThan(900)
    times.saw(30n, 60_500)
    expect(times.pause(60_500)).toBe(100)
    times.saw(30n, 61_990)
    times.saw(31n, 62_090)
    expect(times.pause(62_090)).toBeGreaterThan(900)
  })

  test('come every 10 ms after a send where three transactions in a row were mined at once, and usually again later', () => {
    const times = createBlockTimes(100)
    for (let sent = 0; sent < 3; sent++) times.mined(5)
    expect(times.pause(1_000, [990, 400])).toBe(10)
    expect(times.pause(1_060, [990])).toBe(100)
    expect(times.pause(1_060)).toBe(100)
  })

  test('find out after a slow block whether transactions are mined at once again', () => {
    const times = createBlockTimes(100)
    for (let sent = 0; sent < 3; sent++) times.mined(5)
    times.mined(400)
    expect(times.pause(1_000, [1_000])).toBe(25)
    expect(times.pause(1_000, [1_000, 900])).toBe(100)
    for (let sent = 0; sent < 3; sent++) times.mined(30)
    expect(times.pause(1_000, [1_000])).toBe(10)
  })

  test('are no more after a send where blocks are regular', () => {
    const times = createBlockTimes(100)
    for (let block = 1; block <= 6; block++) {
      times.saw(BigInt(block - 1), block * 2_000 - 50)
      times.saw(BigInt(block), block * 2_000 + 50)
    }
    expect(times.pause(12_060, [12_055])).toBeGreaterThan(900)
  })
})
