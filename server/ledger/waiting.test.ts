import { expect, test, vi } from 'vitest'
import type { Outcome } from './statements/settlements'
import { createWaiters } from './waiting'

const outcome: Outcome = {
  state: 'INCLUDED',
  txHash: '0x01',
  reason: null,
  detail: null,
  block: 9n,
  logIndex: 0,
  finality: 'included',
  version: 3,
}

function waiting(deadlineMs = 60_000) {
  const announce = vi.fn()
  const waiters = createWaiters(announce)
  const client = new AbortController()
  const ended = waiters.wait('one', deadlineMs, { waiter: 'here:1', name: 'its name', hangUp: client.signal })
  return { waiters, announce, client, ended }
}

test('a request is answered by the statement that lands its payment, under the name of its waiter', async () => {
  const { waiters, announce, ended } = waiting()
  const act = vi.fn(async () => new Map([['one', outcome]]))
  await waiters.deliver(['one', 'elsewhere'], act)
  expect(act).toHaveBeenCalledWith([{ id: 'one', waiter: 'here:1', name: 'its name' }])
  expect(await ended).toBe(outcome)
  // Only the request of another process has to hear of it.
  expect(announce.mock.calls).toEqual([['elsewhere', 'woken']])
})

test('a delivered outcome is answered whatever ends the wait meanwhile', async () => {
  const { waiters, client, ended } = waiting(1)
  await waiters.deliver(['one'], async () => {
    waiters.wakeHere('one')
    client.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return new Map([['one', outcome]])
  })
  expect(await ended).toBe(outcome)
})

test.each([
  ['a hang-up', { deadlineMs: 60_000, hangsUp: true, end: 'hung-up' }],
  ['the deadline', { deadlineMs: 1, hangsUp: false, end: 'deadline' }],
  ['nothing', { deadlineMs: 60_000, hangsUp: false, end: 'woken' }],
])('a wait whose outcome was not delivered ends as it would have: %s', async (_, { deadlineMs, hangsUp, end }) => {
  const { waiters, client, ended } = waiting(deadlineMs)
  await waiters.deliver(['one'], async () => {
    if (hangsUp) client.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return new Map()
  })
  expect(await ended).toBe(end)
})

test('a statement that fails leaves the wait to the next one', async () => {
  const { waiters, announce, ended } = waiting()
  const lost = waiters.deliver(['one'], () => Promise.reject(new Error('the database is gone')))
  await expect(lost).rejects.toThrow('gone')
  expect(announce).not.toHaveBeenCalled()
  await waiters.deliver(['one'], async () => new Map([['one', outcome]]))
  expect(await ended).toBe(outcome)
})
