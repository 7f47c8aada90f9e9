import { expect, test } from 'vitest'
import { createQueue, type Queued } from './queue'

let made = 0

function item(party: string, { alone = false, payer = `0x${(++made).toString(16).padStart(40, '0')}` as const } = {}): Queued {
  const authorization = { from: payer, to: payer, value: 1n, validAfter: 0n, validBefore: 1n, nonce: '0x' } as const
  return {
    settlementId: `${party} ${++made}`,
    party,
    tier: 'standard',
    asset: '0x',
    claimedAt: 0n,
    expiresAt: 1n,
    baseFee: 1n,
    judgedAt: 0,
    until: 1,
    alone,
    transfer: { method: 'eip3009', asset: '0x', authorization, signature: '0x', proof: alone ? 'code' : 'key' },
  }
}

const several = (count: number, party: string, alone = false) => Array.from({ length: count }, () => item(party, { alone }))

/** A queue with these, in this order. */
function queueOf(...items: Queued[]) {
  const queue = createQueue()
  for (const one of items) queue.push(one)
  return queue
}

/** What the next sends submit: `party count`, or `party alone`. */
function sends(queue: ReturnType<typeof createQueue>, most: number, count: number): string[] {
  return Array.from({ length: count }, () => {
    const taken = queue.take(most)
    if (taken.some(({ alone }) => alone)) return taken.map(({ party }) => `${party} alone`).join()
    return taken.map(({ party }) => party).join('')
  })
}

test('alone items of ten parties take every second send and never cut a batch', () => {
  const parties = Array.from({ length: 10 }, (_, at) => `p${at}`)
  const queue = queueOf(...parties.flatMap((party) => several(3, party, true)), ...several(12, 'h'))
  expect(sends(queue, 4, 6).filter((send) => send === 'hhhh')).toHaveLength(3)
})

test('alone items make progress beside a flood of others, and go back to back when nothing else waits', () => {
  const queue = queueOf(...several(8, 'h'), ...several(5, 'a', true))
  expect(sends(queue, 4, 8)).toEqual(['hhhh', 'a alone', 'hhhh', 'a alone', 'a alone', 'a alone', 'a alone', ''])
})

test('counts what may share a transaction, also after a take and a return', () => {
  const queue = queueOf(...several(3, 'h'), ...several(2, 'a', true))
  const shared = queue.take(2)
  expect([queue.sharing(), queue.size()]).toEqual([1, 3])
  queue.putBack(shared.map((one, at) => ({ ...one, alone: at === 0 })))
  expect([queue.sharing(), queue.size()]).toEqual([2, 5])
})

test('parties take turns, with any number of keys', () => {
  const queue = queueOf(
    ...several(6, 'flood'),
    ...several(2, 'b'),
    ...several(2, 'c'),
    ...several(2, 'x', true),
    ...several(1, 'y', true),
  )
  expect(sends(queue, 3, 5)).toEqual(['floodbc', 'x alone', 'floodbc', 'y alone', 'floodfloodflood'])
})

test("what is put back comes first, in its order; an item that became alone takes its party's turn", () => {
  const items = several(3, 'a')
  const queue = queueOf(...items, ...several(2, 'b', true))
  const [first, second, third] = queue.take(3)
  if (!first || !second || !third) throw new Error('three were queued')
  expect(queue.size()).toBe(2)
  queue.push(item('c'))
  queue.putBack([second, third, { ...first, alone: true }])
  expect([queue.size(), queue.has(first.settlementId)]).toEqual([6, true])
  expect(sends(queue, 3, 4)).toEqual(['b alone', 'aac', 'a alone', 'b alone'])
})

test('a payer is held as long as one of its payments waits', () => {
  const payer = `0x${'ab'.repeat(20)}` as const
  const queue = queueOf(item('a', { payer }), item('a', { payer, alone: true }))
  expect(queue.holds(payer)).toBe(true)
  const taken = queue.take(5)
  expect(queue.holds(payer)).toBe(true)
  queue.putBack(taken)
  queue.take(5)
  queue.take(5)
  expect([queue.holds(payer), queue.size()]).toEqual([false, 0])
})

/** Offers so many items of a party, and counts those that were queued. */
function admitted(queue: ReturnType<typeof createQueue>, party: string, count: number, alone = false): number {
  return several(count, party, alone).filter((one) => queue.admit(one, 100) !== 'full').length
}

test('a flood of many parties takes no party its share of the places', () => {
  const queue = createQueue()
  expect(admitted(queue, 'only', 200)).toBe(100)
  for (let party = 0; party < 19; party++) admitted(queue, `flood ${party}`, 200)
  expect(admitted(queue, 'honest', 10)).toBe(4)
  expect(queue.size()).toBe(100)
  const all = queue.take(100)
  expect(all.filter(({ party }) => party === 'honest')).toHaveLength(4)
  expect(all.filter(({ party }) => party === 'only').length).toBeLessThan(6)
  expect([queue.size(), ...all.filter(({ settlementId }) => queue.has(settlementId))]).toEqual([0])
})

test('who gives up a place loses the newest of its items, which is named', () => {
  const queue = createQueue()
  const items = several(100, 'flood')
  expect(items.map((one) => queue.admit(one, 100))).toEqual(items.map(() => null))
  expect(queue.admit(item('flood'), 100)).toBe('full')
  expect(queue.admit(item('honest'), 100)).toBe(items.at(-1))
  expect(queue.has(items.at(-1)?.settlementId ?? '')).toBe(false)
})

test('items that are sent alone have places of their own: a flood of them takes none from the others', () => {
  const queue = createQueue()
  for (let party = 0; party < 40; party++) admitted(queue, `flood ${party}`, 100, true)
  expect(queue.size()).toBe(20)
  expect(admitted(queue, 'honest', 100)).toBe(100)
})
