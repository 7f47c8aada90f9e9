import { describe, expect, test } from 'vitest'
import { createPurses } from './svm-purses'

const SOON = () => performance.now() + 20_000
const wish = (amount: bigint, spare: bigint, until = SOON()) => ({
  ...{ source: 'account', amount, spare, askedAt: performance.now(), until },
})

/** An account on a chain where what lands is what the test says. */
function account(balance: bigint) {
  let held = balance
  const purses = createPurses(async () => held)
  return {
    purses,
    /** A payment lands: the chain and the engine know it. */
    land(amount: bigint) {
      held -= amount
      purses.give('account', amount)
    },
  }
}

describe('what a payer has on its way', () => {
  test('leaves room for as many payments as the account can pay, at once', async () => {
    const { purses } = account(30n)
    const all = [1, 2, 3].map(() => purses.take(wish(10n, 20n)))
    expect(await Promise.all(all)).toEqual(['fits', 'fits', 'fits'])
  })

  test('makes the next one wait until some has landed, and then measures anew', async () => {
    const { purses, land } = account(10n)
    expect(await purses.take(wish(10n, 0n))).toBe('fits')
    const second = purses.take(wish(10n, 0n))
    land(10n)
    expect(await second).toBe('short')
  })

  test('does not refuse one that can pay all of it, though what has landed was counted still', async () => {
    const { purses, land } = account(20n)
    expect(await purses.take(wish(10n, 10n))).toBe('fits')
    // Judged when the chain had the first one already and the engine did not know yet.
    const second = purses.take(wish(10n, 0n))
    land(10n)
    expect(await second).toBe('fits')
  })

  test('is no burden once a payment failed', async () => {
    const { purses } = account(10n)
    expect(await purses.take(wish(10n, 0n))).toBe('fits')
    const second = purses.take(wish(10n, 0n))
    purses.give('account', 10n)
    expect(await second).toBe('fits')
  })

  test('is not waited for longer than told', async () => {
    const { purses } = account(10n)
    expect(await purses.take(wish(10n, 0n))).toBe('fits')
    expect(await purses.take(wish(10n, 0n, performance.now()))).toBe('late')
  })

  test('of one account is nothing to another', async () => {
    const { purses } = account(10n)
    expect(await purses.take(wish(10n, 0n))).toBe('fits')
    expect(await purses.take({ ...wish(10n, 0n), source: 'another' })).toBe('fits')
  })

  test('an account that cannot be read throws, and the next one is measured all the same', async () => {
    const purses = createPurses(() => Promise.reject(new Error('the node does not answer')))
    const old = wish(10n, 0n)
    expect(await purses.take(old)).toBe('fits')
    purses.give('account', 10n)
    await expect(purses.take(old)).rejects.toThrow('the node does not answer')
    expect(await purses.take({ ...wish(10n, 0n), askedAt: SOON() })).toBe('fits')
  })
})
