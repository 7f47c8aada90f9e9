import { expect, test } from 'vitest'
import { nonceAfter } from './lane-status'

test.each([
  ['its own nonce while the chain knows no more', 7n, { mined: 7n, pending: 7n }, 7n],
  ["its own nonce while the ledger's transactions wait for a block", 7n, { mined: 5n, pending: 7n }, 7n],
  ['its own nonce while the chain knows less', 7n, { mined: 3n, pending: 3n }, 7n],
  ['behind all that is mined and unknown', 7n, { mined: 9n, pending: 9n }, 9n],
  ['behind it when what holds waiting transactions lags', 7n, { mined: 9n, pending: 8n }, 9n],
  ['nowhere while something unknown waits for a block', 7n, { mined: 7n, pending: 8n }, null],
  ['nowhere while some of it is mined and some waits', 7n, { mined: 8n, pending: 9n }, null],
])('a quarantined lane goes on at %s', (_where, ledger, count, next) => expect(nonceAfter(ledger, count)).toBe(next))
