import { beforeAll, describe, expect, test } from 'vitest'
import { type SvmPaymentOptions, someAddress, svmPayment } from '../../../../../test/support/svm/forge'
import {
  type Attempt,
  type Parties,
  soundPayments,
  svmBody,
  svmParties,
  svmRules,
  svmTricks,
} from '../../../../../test/support/svm/tricks'
import { parsePayment } from '../../../parse'
import { claimedPayer, isSvm, type Payment } from '../../../payment'
import { type Reason, reasons } from '../../../reasons/reasons'
import { feeOf } from './fees'
import { brokenSvmRules, transferIn } from './rules'
import { decodeTransaction, type SvmTransaction } from './transaction'

let parties: Parties
beforeAll(async () => {
  parties = await svmParties()
})

const VERSIONS = [1, 2] as const

async function paymentOf(attempt: Attempt, version: 1 | 2 = 2): Promise<Payment> {
  return parsePayment(await svmBody(parties, attempt, version))
}

function transactionOf(payment: Payment): SvmTransaction {
  if (!isSvm(payment)) throw new Error('not a payment on Solana that can be read')
  return payment.transfer.transaction
}

async function messageOf(title: string): Promise<string | undefined> {
  const trick = svmTricks.find((each) => each.title === title)
  if (!trick) throw new Error(`no trick is called ${title}`)
  return brokenSvmRules(await paymentOf(await trick.make(parties)), svmRules(parties))?.message
}

describe('a payment is taken', () => {
  test.each(soundPayments)('with $title', async ({ make, reason, reasonV1 = reason }) => {
    for (const version of VERSIONS) {
      const broken = brokenSvmRules(await paymentOf(await make(parties), version), svmRules(parties))
      expect(broken?.reason ?? null).toBe(version === 1 ? reasonV1 : reason)
    }
  })

  test('with any bytes in the slot of the fee payer', async () => {
    const filled = (made: string) => {
      const bytes = Buffer.from(made, 'base64')
      return bytes.fill(7, 1, 65).toString('base64')
    }
    expect(brokenSvmRules(await paymentOf({ edit: filled }), svmRules(parties))).toBeNull()
  })
})

describe('a payment is refused', () => {
  test.each(svmTricks)('with $title: $reason', async ({ make, reason, reasonV1 = reason, proven = false }) => {
    for (const version of VERSIONS) {
      const broken = brokenSvmRules(await paymentOf(await make(parties), version), svmRules(parties))
      expect(broken).toEqual({
        reason: version === 1 ? reasonV1 : reason,
        proven,
        message: expect.stringMatching(/^\S.{10,160}\.$/),
      })
    }
  })

  test('with every reason that the rules know, in both versions', () => {
    // Those of smart wallets are compared with the official ones in their own test.
    const fromChain = /simulation_failed|transaction_failed|block_height_exceeded$|smart_wallet_(?!alt)/
    const ofSolana = Object.keys(reasons).filter((reason) => /exact_svm|^(network_mismatch|fee_payer_not)/.test(reason))
    const shown = new Set<Reason | null>(svmTricks.flatMap(({ reason, reasonV1 = reason }) => [reason, reasonV1]))
    expect(ofSolana.filter((reason) => !fromChain.test(reason) && !shown.has(reason as Reason))).toEqual([])
  })

  test('with a Permit2 authorization, which Solana has not', async () => {
    const payment: Payment = { ...(await paymentOf({})), transfer: { kind: 'other', payload: 'permit2' } }
    expect(brokenSvmRules(payment, svmRules(parties))).toMatchObject({ reason: 'unsupported_payload_type', proven: false })
  })

  test('for the first of many faults', async () => {
    const payment = await paymentOf({
      transaction: { computeUnits: 60_001, price: 5_000_001n, amount: 1n, memo: 'x' },
      terms: { memo: 'y' },
    })
    const rules = svmRules(parties)
    const reasonFor = (changes: Partial<Payment>, changedRules = rules) =>
      brokenSvmRules({ ...payment, ...changes }, changedRules)?.reason
    expect(reasonFor({})).toMatch(/compute_limit_instruction_too_high$/)
    expect(reasonFor({}, { ...rules, maxComputeUnits: 60_001n })).toMatch(/compute_price_instruction_too_high$/)
    expect(reasonFor({ claimed: { scheme: 'exact', network: 'x' } })).toBe('invalid_exact_svm_network_mismatch')
    expect(reasonFor({ claimed: { scheme: 'x', network: 'x' } })).toBe('invalid_exact_svm_unsupported_scheme')
  })
})

describe('the text beside a reason names the fault', () => {
  test.each([
    ['an advanced nonce in front', /^Instruction 1 advances a durable nonce/],
    ['an advanced nonce after the transfer', /^Instruction 4 advances a durable nonce/],
    ['an account made before the transfer', /^Instruction 3 creates a token account/],
    ['an account made after the transfer', /^Instruction 4 creates a token account/],
    ['Token-2022', /^Instruction 3 calls Token-2022/],
    ['a Transfer that checks nothing', /use TransferChecked/],
    ['a second price after the transfer', /^Instruction 4 is of the compute budget program/],
    ['a fee one lamport above what is paid', /up to 20000 lamports/],
    ['more compute units than are allowed', /up to 60000 compute units/],
    ['other decimals', /6 decimals/],
    ['the account that the money comes from', /takes the money from/],
    ['an authority that has not signed', /second signer/],
    ['a memo that the fee payer would sign', /^Instruction 4 names a fee payer/],
    ['an address lookup table', /lookup tables are not taken/],
  ])('%s', async (title, text) => {
    expect(await messageOf(title)).toMatch(text)
  })
})

describe('the transfer of a payment', () => {
  test('is read with its payer, accounts and amount', async () => {
    const { payer, source, destination } = parties
    const payment = await paymentOf({ transaction: { amount: 2n ** 64n - 1n } })
    expect(transferIn(transactionOf(payment))).toEqual({
      payer: payer.address,
      source,
      destination,
      mint: payment.asset,
      amount: 18_446_744_073_709_551_615n,
    })
    expect(claimedPayer(payment)).toBe(payer.address)
  })

  test('is not there in a transaction of another layout', async () => {
    const payment = await paymentOf({ transaction: { instructions: (usual) => usual.toReversed() } })
    expect(transferIn(transactionOf(payment))).toBeNull()
  })
})

describe('what a transaction costs at most', () => {
  const fee = async (transaction: Partial<SvmPaymentOptions>) => feeOf(transactionOf(await paymentOf({ transaction })))

  test.each([
    [20_000, 1n, 10_001n],
    [20_000, 0n, 10_000n],
    [0, 5_000_000n, 10_000n],
    [1, 1_000_000n, 10_001n],
    [1, 1_000_001n, 10_002n],
    [200_000, 5_000_000n, 1_010_000n],
    [4_294_967_295, 2n ** 64n - 1n, 10_000n + (4_294_967_295n * (2n ** 64n - 1n) + 999_999n) / 1_000_000n],
  ])('%i units at %s micro-lamports: %s lamports', async (computeUnits, price, lamports) => {
    expect(await fee({ computeUnits, price })).toBe(lamports)
  })

  test('counts each signature', async () => {
    const alone = await svmPayment({ ...parties, feePayer: parties.payer.address })
    const transaction = decodeTransaction(alone)
    expect(transaction && feeOf(transaction)).toBe(5_001n)
  })

  test('is that of the most that the chain allows where no limit is set', async () => {
    expect(await fee({ price: 1_000_000n, instructions: (usual) => usual.slice(1) })).toBe(1_410_000n)
    expect(await fee({ instructions: (usual) => usual.slice(2) })).toBe(10_000n)
  })
})

test('judging the same transaction again does not depend on what was asked for before', async () => {
  const payment = await paymentOf({})
  const rules = svmRules(parties)
  expect(brokenSvmRules(payment, rules)).toBeNull()
  expect(brokenSvmRules({ ...payment, payTo: someAddress() }, rules)?.reason).toMatch(/recipient_mismatch$/)
  expect(brokenSvmRules({ ...payment, amount: 1n }, rules)?.reason).toMatch(/amount_mismatch$/)
  expect(brokenSvmRules(payment, rules)).toBeNull()
})
