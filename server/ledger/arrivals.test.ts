import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createArrivals, createGathering } from './arrivals'

const NETWORK = 'eip155:8453'
const queued = (sharing: number, size = sharing, returned = false) => ({
  size: () => size,
  sharing: () => sharing,
  hasReturned: () => returned,
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function gatheringOf(batchMax = 20) {
  const arrivals = createArrivals()
  return { arrivals, gathering: createGathering({ arrivals, batchMax }, NETWORK) }
}

test('a lone payment never waits', () => {
  const { gathering } = gatheringOf()
  expect(gathering.msFor(queued(1))).toBe(0)
})

test('a batch with room waits while a request of its network is being judged, and no longer', () => {
  const { arrivals, gathering } = gatheringOf()
  const leave = arrivals.add(NETWORK)
  expect(gathering.msFor(queued(1))).toBeGreaterThan(0)
  leave()
  expect(gathering.msFor(queued(2))).toBe(0)
})

test('a batch waits 20 ms in all, however many requests come meanwhile', () => {
  const { arrivals, gathering } = gatheringOf()
  arrivals.add(NETWORK)
  expect(gathering.msFor(queued(1))).toBe(20)
  vi.advanceTimersByTime(15)
  arrivals.add(NETWORK)
  expect(gathering.msFor(queued(2))).toBe(5)
  vi.advanceTimersByTime(5)
  expect(gathering.msFor(queued(2))).toBe(0)
  // The next batch has its own time.
  expect(gathering.msFor(queued(1))).toBe(20)
})

test('a full batch, a payment that is sent alone, a returned one and an empty queue wait for no request', () => {
  const { arrivals, gathering } = gatheringOf(2)
  arrivals.add(NETWORK)
  expect([queued(2), queued(1, 2), queued(1, 1, true), queued(0)].map(gathering.msFor)).toEqual([0, 0, 0, 0])
})

test('a request of another network delays nothing', () => {
  const { arrivals, gathering } = gatheringOf()
  arrivals.add('eip155:84532')
  expect(gathering.msFor(queued(1))).toBe(0)
})

test('lanes hear when the last request of their network has left, and each request leaves once', () => {
  const { arrivals } = gatheringOf()
  const heard = vi.fn()
  arrivals.onNone(NETWORK, heard)
  const [first, second] = [arrivals.add(NETWORK), arrivals.add(NETWORK)]
  first()
  first()
  expect(arrivals.areComing(NETWORK)).toBe(true)
  expect(heard).not.toHaveBeenCalled()
  second()
  expect(heard).toHaveBeenCalledTimes(1)
  expect(arrivals.areComing(NETWORK)).toBe(false)
})

test('requests whose judgement takes long make no batch wait', () => {
  const { arrivals, gathering } = gatheringOf()
  arrivals.add(NETWORK)
  vi.advanceTimersByTime(100)
  expect(gathering.msFor(queued(1))).toBe(0)
  arrivals.add(NETWORK)
  expect(gathering.msFor(queued(1))).toBe(20)
})
