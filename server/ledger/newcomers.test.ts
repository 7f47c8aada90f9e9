import { describe, expect, test } from 'vitest'
import { newClaim, WIDE_LIMITS } from '../../test/support/database/ledger'
import { createNewcomers } from './newcomers'
import type { Claim } from './statements/claim-statement'
import type { ClaimResult } from './statements/claims'

const at = (payer: string) => newClaim({ payer, party: 'guarded', deadlineMs: 20_000, limits: { ...WIDE_LIMITS, aloneQueue: 1 } })

/** A ledger with so many free places, which takes new payers only. */
function ledgerWith(free: number) {
  const taken: string[] = []
  const state = { free, taken }
  const claimOnce = async (claim: Claim): Promise<ClaimResult> => {
    if (state.free === 0 || claim.limits.aloneQueue === 0) return { end: 'new payers', used: null }
    state.free--
    taken.push(claim.payer)
    return { end: 'claimed alone', used: null }
  }
  return { ...state, state, claimOnce }
}

const still = new AbortController().signal

describe('new payers of a guarded party', () => {
  test('take its places in turn, and one that had a place waits behind all others', async () => {
    const { state, claimOnce } = ledgerWith(1)
    const newcomers = createNewcomers(claimOnce)
    await newcomers.claim(at('had one'), still, () => {})
    let waiting = 0
    const ask = (payer: string) => newcomers.claim(at(payer), still, () => void waiting++)
    const asked: Promise<ClaimResult>[] = []
    for (const payer of ['had one', 'first', 'second']) {
      asked.push(ask(payer))
      await expect.poll(() => waiting).toBe(asked.length)
    }
    // A place is free, and one that comes only now finds others ahead.
    state.free = 1
    asked.push(ask('late'))
    for (const taken of [2, 3, 4, 5]) {
      await expect.poll(() => state.taken.length).toBe(taken)
      state.free = 1
    }
    await Promise.all(asked)
    expect(state.taken).toEqual(['had one', 'first', 'second', 'late', 'had one'])
  })

  test('leave the line when their clients hang up, and are refused after half of their deadline', async () => {
    const { claimOnce, state } = ledgerWith(0)
    const newcomers = createNewcomers(claimOnce)
    const hangUp = new AbortController()
    const gone = newcomers.claim(at('gone'), hangUp.signal, () => hangUp.abort())
    expect(await gone).toMatchObject({ end: 'new payers' })
    expect(await newcomers.claim({ ...at('late'), deadlineMs: 400 }, still, () => {})).toMatchObject({ end: 'new payers' })
    state.free = 1
    expect(await newcomers.claim(at('next'), still, () => {})).toMatchObject({ end: 'claimed alone', deadlineMs: 20_000 })
  })
})
