import { afterEach, expect, test, vi } from 'vitest'
import { needs } from './test-kind'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a test starts what its name says, and less; outside npm test everything starts', () => {
  vi.stubEnv('TEST_KIND', 'chain')
  expect([needs('db'), needs('chain')]).toEqual([undefined, undefined])
  expect(() => needs('process')).toThrow('name its file *.process.test.ts')
  vi.stubEnv('TEST_KIND', undefined)
  expect(needs('process')).toBeUndefined()
})
