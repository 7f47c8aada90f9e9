import { expect, test } from 'vitest'
import { scrub } from './log'

test.each([
  ['fetch https://rpc.example/v2/secret failed', 'fetch <url> failed'],
  ['postgresql://user:password@db:5432/x refused', '<url> refused'],
  ['URL: wss://node/secret\nRequest body', 'URL: <url>\nRequest body'],
  ['nothing to hide: 12', 'nothing to hide: 12'],
])('no address of a provider reaches the log: %j', (text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed)
})

test('a message of any length takes 500 characters at most', () => {
  expect(scrub('x'.repeat(100_000))).toHaveLength(500)
})
