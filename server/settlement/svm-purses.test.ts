import { describe, expect, test } from 'vitest'
import { createPurses, type Wish } from './svm-purses'

const SOON = () => performance.now() + 20_000

/** An account on a chain where what lands is what the test says. */
function account(balance: bigint) {
  let held = balance
  const purses = createPurses()
  const wish = (amount: bigint, changes: Partial<Wish> = {}): Wish => ({
    ...{ source: 'account', amount, spare: held - amount, askedAt: performance.now(), until: SOON() },
    again: async () => (held >= amount ? held - amount : null),
    ...changes,
  })
  return {
    purses,
    wish,
    /** A payment lands: the chain and the engine know it. */
    land(amount: bigint) {
      held -= amount
      purses.give('account', amount)
    },
  }
}

describe('what a payer has on its way', () => {
  test('leaves room for as many payments as the account can pay, at once', async () => {
    const { purses, wish } = account(30n)
    const all = [1, 2, 3].map(() => purses.take(wish(10n)))
    expect(await Promise.all(all)).toEqual(['fits', 'fits', 'fits'])
  })

  test('makes the next one wait until some has landed, and judges it anew then', async () => {
    const { purses, wish, land } = account(10n)
    expect(await purses.take(wish(10n))).toBe('fits')
    const second = purses.take(wish(10n))
    land(10n)
    expect(await second).toBe('short')
  })

  test('does not refuse one that can pay all of it, though what has landed was counted still', async () => {
    const { purses, wish, land } = account(20n)
    expect(await purses.take(wish(10n))).toBe('fits')
    // Judged when the chain had the first one already and the engine did not know yet.
    const second = purses.take(wish(10n, { spare: 0n }))
    land(10n)
    expect(await second).toBe('fits')
  })

  test('is no burden once a payment failed', async () => {
    const { purses, wish } = account(10n)
    expect(await purses.take(wish(10n))).toBe('fits')
    const second = purses.take(wish(10n))
    purses.give('account', 10n)
    expect(await second).toBe('fits')
  })

  test('that ends while another one is judged makes that judgement old news', async () => {
    const { purses, wish, land } = account(10n)
    for (const at of [5n, 5n]) expect(await purses.take(wish(at))).toBe('fits')
    let asked = 0
    const third = wish(5n)
    const again = async () => {
      const left = await third.again()
      // While this answer travels, the last of the money goes.
      if (asked++ === 0) land(5n)
      return left
    }
    const taken = purses.take({ ...third, again })
    await Promise.resolve()
    land(5n)
    expect(await taken).toBe('short')
    expect(asked).toBe(2)
  })

  test('by another process, or before a restart, counts as well', async () => {
    const { purses, wish } = account(10n)
    purses.hold('account', 10n)
    expect(await purses.take(wish(10n, { until: performance.now() }))).toBe('late')
    purses.give('account', 10n)
    expect(await purses.take(wish(10n))).toBe('fits')
  })

  test('is not waited for longer than told, nor once we stop', async () => {
    const { purses, wish } = account(10n)
    expect(await purses.take(wish(10n))).toBe('fits')
    expect(await purses.take(wish(10n, { until: performance.now() }))).toBe('late')
    const waiting = purses.take(wish(10n))
    await Promise.resolve()
    purses.stop()
    expect([await waiting, await purses.take(wish(10n))]).toEqual(['late', 'late'])
  })

  test('of one account is nothing to another', async () => {
    const { purses, wish } = account(10n)
    expect(await purses.take(wish(10n))).toBe('fits')
    expect(await purses.take(wish(10n, { source: 'another' }))).toBe('fits')
  })

  test('a chain that does not answer is an error, and the next one is judged all the same', async () => {
    const { purses, wish } = account(10n)
    const again = () => Promise.reject(new Error('the node does not answer'))
    const old = wish(10n, { again })
    expect(await purses.take(old)).toBe('fits')
    purses.give('account', 10n)
    await expect(purses.take(old)).rejects.toThrow('the node does not answer')
    expect(await purses.take(wish(10n))).toBe('fits')
  })
})
