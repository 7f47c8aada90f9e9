import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patience, tries } from '../../../test/money/fuzz/runs'
import { type Book, type Books, type CreditLedger, creditLedger, EACH } from '../../../test/support/database/credit-ledger'
import { freshDatabase } from '../../../test/support/database/database'
import { fixture } from '../../../test/support/fixture'

const database = fixture(freshDatabase)

// As often as it takes for much to be bought, landed and used before something is undone.
const weights = {
  buy: 3,
  include: 4,
  preconfirm: 2,
  unpreconfirm: 2,
  unland: 3,
  reverse: 3,
  final: 1,
  claim: 6,
  reject: 2,
  sendInVain: 1,
  verify: 2,
} as const satisfies Record<keyof CreditLedger['acts'], number>
const acts = Object.keys(weights) as (keyof typeof weights)[]
const act = fc.oneof(...acts.map((name) => ({ weight: weights[name], arbitrary: fc.constant(name) })))
const choice = fc.record({ act, accounts: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), at: fc.nat(2) })
const atOnce = fc.array(choice, { minLength: 2, maxLength: 8, size: 'max' })
const rounds = fc.array(atOnce, { minLength: 10, maxLength: 20, size: 'max' })

const leftOf = ({ purchased, used }: Book) => (purchased > used ? purchased - used : 0n)
const isWithin = (count: bigint, ...bounds: bigint[]) => bounds.some((bound) => count <= bound)

/** What holds whenever no write is in progress. */
function expectToBalance(before: Books, after: Books): void {
  after.forEach((book, at) => {
    expect([book.entered, book.standing]).toEqual([book.purchased, book.purchased])
    expect(book.used).toBe(book.settlements)
    const was = before[at] ?? book
    // What was used may exceed what is left after a reversal, but nothing new was taken beyond what was ever there meanwhile.
    const had = was.purchased + book.landed - was.landed
    expect(isWithin(book.used, was.used, had)).toBe(true)
    expect(isWithin(book.verifications, was.verifications, had * BigInt(EACH))).toBe(true)
  })
}

test(
  'entries add up to the bought credits, settlements to the used ones, and no credit is taken twice, under any concurrency',
  async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (some) => {
        const harness = creditLedger(database.db)
        let books = await harness.books()
        for (const round of some) {
          await Promise.all(round.map(({ act, ...chosen }) => harness.acts[act](chosen)))
          const before = books
          books = await harness.books()
          expectToBalance(before, books)
        }
        for (const [at, account] of harness.accounts.entries()) {
          const book = books[at]
          if (!book) continue
          const left = Number(leftOf(book))
          const ends = await Promise.all(Array.from({ length: left + 2 }, () => harness.claim(account)))
          expect(ends.map((end) => end.replace(' alone', '')).toSorted()).toEqual([
            ...Array.from({ length: left }, () => 'claimed'),
            'credits',
            'credits',
          ])
        }
        expectToBalance(books, await harness.books())
      }),
      // A failure is shown as it happened: with fewer actions at once it would not happen again.
      { ...tries(20), endOnFailure: true },
    )
  },
  patience(48),
)
