import { describe, expect, test } from 'vitest'
import { createPendingBalances, type Spend } from './pending-balances'

const SOON = () => performance.now() + 20_000

/** An account on a chain where what lands is what the test says. */
function account(balance: bigint) {
  let held = balance
  const pendingBalances = createPendingBalances()
  const spend = (amount: bigint, changes: Partial<Spend> = {}): Spend => ({
    source: 'account',
    amount,
    headroom: held - amount,
    readAt: performance.now(),
    until: SOON(),
    judgeAgain: async () => (held >= amount ? held - amount : null),
    ...changes,
  })
  return {
    pendingBalances,
    spend,
    /** A payment lands: the chain and the engine know it. */
    land(amount: bigint) {
      held -= amount
      pendingBalances.release('account', amount)
    },
  }
}

describe('the amount that a payer has in flight', () => {
  test('leaves room for as many payments as the account can pay, at once', async () => {
    const { pendingBalances, spend } = account(30n)
    const all = [1, 2, 3].map(() => pendingBalances.take(spend(10n)))
    expect(await Promise.all(all)).toEqual(['fits', 'fits', 'fits'])
  })

  test('makes the next one wait until some has landed, and judges it anew then', async () => {
    const { pendingBalances, spend, land } = account(10n)
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
    const second = pendingBalances.take(spend(10n))
    land(10n)
    expect(await second).toBe('short')
  })

  test('does not refuse one that can pay all of it, although a landed one was still counted', async () => {
    const { pendingBalances, spend, land } = account(20n)
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
    // Judged when the chain had the first one already and the engine did not know yet.
    const second = pendingBalances.take(spend(10n, { headroom: 0n }))
    land(10n)
    expect(await second).toBe('fits')
  })

  test('is no burden once a payment failed', async () => {
    const { pendingBalances, spend } = account(10n)
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
    const second = pendingBalances.take(spend(10n))
    pendingBalances.release('account', 10n)
    expect(await second).toBe('fits')
  })

  test('that ends while another one is judged makes that judgement outdated', async () => {
    const { pendingBalances, spend, land } = account(10n)
    for (const at of [5n, 5n]) expect(await pendingBalances.take(spend(at))).toBe('fits')
    let asked = 0
    const third = spend(5n)
    const judgeAgain = async () => {
      const left = await third.judgeAgain()
      // While this answer is on its way, the last of the money goes.
      if (asked++ === 0) land(5n)
      return left
    }
    const taken = pendingBalances.take({ ...third, judgeAgain })
    await Promise.resolve()
    land(5n)
    expect(await taken).toBe('short')
    expect(asked).toBe(2)
  })

  test('by another process, or before a restart, counts as well', async () => {
    const { pendingBalances, spend } = account(10n)
    pendingBalances.hold('account', 10n)
    expect(await pendingBalances.take(spend(10n, { until: performance.now() }))).toBe('late')
    pendingBalances.release('account', 10n)
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
  })

  test('is waited for until the deadline at most, and not once we stop', async () => {
    const { pendingBalances, spend } = account(10n)
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
    expect(await pendingBalances.take(spend(10n, { until: performance.now() }))).toBe('late')
    const waiting = pendingBalances.take(spend(10n))
    await Promise.resolve()
    pendingBalances.stop()
    expect([await waiting, await pendingBalances.take(spend(10n))]).toEqual(['late', 'late'])
  })

  test('of one account does not count for another', async () => {
    const { pendingBalances, spend } = account(10n)
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
    expect(await pendingBalances.take(spend(10n, { source: 'another' }))).toBe('fits')
  })

  test('a chain that does not answer is an error, and the next one is judged all the same', async () => {
    const { pendingBalances, spend } = account(10n)
    const judgeAgain = () => Promise.reject(new Error('the node does not answer'))
    const old = spend(10n, { judgeAgain })
    expect(await pendingBalances.take(old)).toBe('fits')
    pendingBalances.release('account', 10n)
    await expect(pendingBalances.take(old)).rejects.toThrow('the node does not answer')
    expect(await pendingBalances.take(spend(10n))).toBe('fits')
  })
})
