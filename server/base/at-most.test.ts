import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { atMost } from './at-most'

test('a bounded cache drops what was not used for longest', () => {
  const cache = new LRUCache<string, number>(atMost(3))
  for (const [at, key] of ['a', 'b', 'c', 'a', 'd'].entries()) cache.set(key, at)
  expect([...cache.keys()]).toEqual(['d', 'a', 'c'])
})

test('an empty one takes no memory, however many entries it may get', () => {
  const taken = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = taken()
  const caches = Array.from({ length: 50 }, () => new LRUCache<string, number>({ ...atMost(100_000), ttl: 1_000 }))
  expect(taken() - before).toBeLessThan(10_000_000)
  expect(caches).toHaveLength(50)
})
