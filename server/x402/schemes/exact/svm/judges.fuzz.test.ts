import { getAddressEncoder } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patience, tries } from '../../../../../test/money/fuzz/runs'
import { lighthouse, memoOf, SVM_USDC, svmEdited, svmPayment, svmV1Body, svmV2Body } from '../../../../../test/support/svm/forge'
import { soundPayments, svmBody, svmParties, svmRules, svmTricks } from '../../../../../test/support/svm/tricks'
import { isServiceError } from '../../../../base/errors'
import { parsePayment } from '../../../parse'
import { isSvm, type Payment } from '../../../payment'
import { reasons } from '../../../reasons/reasons'
import { isSignedBy } from '../../../signatures'
import { feeOf } from './fees'
import { brokenSvmRules, transferIn } from './rules'

type Change = (bytes: number[]) => number[]

const parties = await svmParties()
const { payer, feePayer, payTo, source, destination } = parties
const rules = svmRules(parties)
const payerKey = Uint8Array.from(getAddressEncoder().encode(payer.address))

const usual = { payer, feePayer: feePayer.address, payTo }
const transactions = await Promise.all([
  svmPayment(usual),
  svmPayment({ ...usual, version: 'legacy', memo: null }),
  svmPayment({ ...usual, extraInstructions: [lighthouse([source]), lighthouse([`+${payer.address}`]), memoOf('x')] }),
  svmPayment({ ...usual, version: 'legacy', extraInstructions: [lighthouse([source])], memo: 'order 7' }),
])

const place = fc.nat(1_300)
const byte = fc.oneof(fc.constantFrom(0, 1, 2, 3, 0x7f, 0x80, 0x81, 0xff), fc.integer({ min: 0, max: 255 }))
const at = (index: number, { length }: number[]) => (length === 0 ? 0 : index % length)

/** Edits of bytes: change, cut, insert, repeat, move, truncate, extend. */
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(place, byte).map(
      ([index, value]): Change =>
        (bytes) =>
          bytes.map((old, here) => (here === at(index, bytes) ? value : old)),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(place, fc.nat(7)).map(([index, bit]): Change => {
      return (bytes) => bytes.map((old, here) => (here === at(index, bytes) ? old ^ (1 << bit) : old))
    }),
  },
  fc.tuple(place, fc.nat(70)).map(
    ([index, count]): Change =>
      (bytes) =>
        bytes.toSpliced(at(index, bytes), count),
  ),
  fc.tuple(place, fc.array(byte, { maxLength: 70 })).map(
    ([index, more]): Change =>
      (bytes) =>
        bytes.toSpliced(at(index, bytes), 0, ...more),
  ),
  fc.tuple(place, place, fc.nat(70)).map(([from, to, count]): Change => {
    return (bytes) => bytes.toSpliced(at(to, bytes), 0, ...bytes.slice(at(from, bytes), at(from, bytes) + count))
  }),
  place.map(
    (index): Change =>
      (bytes) =>
        bytes.slice(0, at(index, bytes)),
  ),
  fc.array(byte, { maxLength: 40 }).map(
    (more): Change =>
      (bytes) => [...bytes, ...more],
  ),
)

const changes = fc.array(change, { minLength: 1, maxLength: 3 })
const edited = (all: Change[], bytes: Iterable<number>) => Uint8Array.from(all.reduce((now, change) => change(now), [...bytes]))

/** The payment in a body, or null where it is refused for holding no transaction at all. */
function read(body: Record<string, unknown>): Payment | null {
  try {
    return parsePayment(body)
  } catch (error) {
    if (isServiceError(error) && error.facts.reason === 'invalid_payload') return null
    throw error
  }
}

/** Judges a body, checks a passing payment against all rules, and returns whether it passed. */
function judged(body: Record<string, unknown>): boolean {
  const payment = read(body)
  if (!payment) return false
  const broken = brokenSvmRules(payment, rules)
  if (broken) {
    expect(reasons).toHaveProperty([broken.reason])
    return false
  }
  if (!isSvm(payment)) throw new Error('a payment passed that cannot be read')
  const { transaction } = payment.transfer
  const transfer = { payer: payer.address, mint: SVM_USDC, destination, amount: payment.amount }
  expect(transferIn(transaction)).toMatchObject(transfer)
  expect(transaction.accounts.slice(0, 2)).toEqual([feePayer.address, payer.address])
  expect(isSignedBy(payerKey, transaction.signatures[1] ?? new Uint8Array(), transaction.message)).toBe(true)
  expect(feeOf(transaction)).toBeLessThanOrEqual(rules.maxFeeLamports)
  return true
}

describe('any bytes in place of a transaction', () => {
  const bodies = (transaction: string) => [svmV1Body(transaction, usual), svmV2Body(transaction, usual)] as const
  const terms = fc.tuple(fc.constantFrom(...transactions), fc.constantFrom(0 as const, 1 as const))

  test(
    'are judged with documented codes',
    () => {
      const judge = ([[made, version], all]: [[string, 0 | 1], Change[]]) => {
        judged(bodies(Buffer.from(edited(all, Buffer.from(made, 'base64'))).toString('base64'))[version])
      }
      fc.assert(fc.property(fc.tuple(terms, changes), judge), tries(3_000))
    },
    patience(10),
  )

  test(
    'pass only as the required transfer, even if the payer signs anything',
    async () => {
      let passed = 0
      await fc.assert(
        fc.asyncProperty(terms, changes, async ([made, version], all) => {
          const signedAgain = await svmEdited(made, payer, (message) => edited(all, message))
          if (judged(bodies(signedAgain)[version])) passed += 1
        }),
        tries(2_000),
      )
      expect(passed).toBeGreaterThan(20)
    },
    patience(10),
  )

  test(
    'are judged with documented codes under two tricks at once',
    async () => {
      const trick = fc.constantFrom(...soundPayments, ...svmTricks)
      await fc.assert(
        fc.asyncProperty(trick, trick, fc.constantFrom(1 as const, 2 as const), changes, async (first, second, version, all) => {
          const [one, other] = await Promise.all([first.make(parties), second.make(parties)])
          const { transaction = {} } = other
          const instructions = (made: Parameters<NonNullable<typeof transaction.instructions>>[0]) =>
            transaction.instructions?.(one.transaction?.instructions?.(made) ?? made) ?? made
          const both = { ...one, ...other, transaction: { ...one.transaction, ...transaction, instructions, signers: [] } }
          const edit = (made: string) => svmEdited(made, payer, (message) => edited(all, message))
          judged(await svmBody(parties, { ...both, terms: {}, edit }, version))
        }),
        tries(300),
      )
    },
    patience(10),
  )
})
