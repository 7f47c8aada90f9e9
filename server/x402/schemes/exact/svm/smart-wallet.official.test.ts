import { getBase58Decoder, type Instruction } from '@solana/kit'
import { ExactSvmScheme as Official } from '@x402/svm/exact/facilitator'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  instruction,
  lighthouse,
  memoOf,
  PROGRAMS,
  SVM_USDC,
  setComputeUnitLimit,
  setComputeUnitPrice,
  someAddress,
  svmPayment,
  svmTokenAccount,
  svmV1Body,
  svmV2Body,
  transferChecked,
} from '../../../../../test/support/svm/forge'
import { type Parties, svmParties, svmRules } from '../../../../../test/support/svm/tricks'
import { transfersOf } from '../../../../chains/svm/effects'
import { parsePayment } from '../../../parse'
import { isSvm } from '../../../payment'
import { CHANNEL_PROGRAM } from '../../upto/svm/program'
import { brokenSvmRules } from './rules'
import { payingTransfer } from './smart-wallet'

const WALLET = someAddress()
const VAULT = someAddress()
const S = 'invalid_exact_svm_smart_wallet'

let parties: Parties
beforeAll(async () => {
  parties = await svmParties()
})

const wallet = (...accounts: string[]) => instruction(WALLET, [`+${parties.payer.address}`, ...accounts], [9])
const usual = () => [setComputeUnitLimit(200_000), setComputeUnitPrice(1n), wallet(), memoOf('order 7')]
const budget = (...data: number[]) => instruction(PROGRAMS.computeBudget, [], data)

type Inner = { index: number; instructions: object[] }[]

/** A transfer as a node parses it, of what is asked for by the vault; changes replace its fields. */
const transfer = (changes: Record<string, unknown> = {}, amount = '1000', programId: string = PROGRAMS.token): object => ({
  programId,
  parsed: {
    type: 'transferChecked',
    info: {
      source: someAddress(),
      mint: SVM_USDC,
      destination: parties.destination,
      authority: VAULT,
      tokenAmount: { amount, decimals: 6 },
      ...changes,
    },
  },
})
const inner = (...instructions: object[]): Inner => [{ index: 2, instructions }]

type Case = { instructions?: Instruction[]; inner?: Inner; memo?: string; signers?: Parties['payer'][] }

async function bodyOf({ instructions = usual(), memo, signers = [parties.payer] }: Case, of = svmV2Body) {
  const { payer, feePayer, payTo } = parties
  const made = await svmPayment({ payer, feePayer: feePayer.address, payTo, instructions: () => instructions, signers })
  return of(made, { feePayer: feePayer.address, payTo, ...(memo === undefined ? {} : { memo }) })
}

/** Our reason; null where we take the payment. */
function ours(body: Record<string, unknown>, found: Inner, smartWallets = new Set([WALLET])): string | null {
  const payment = parsePayment(body)
  const broken = brokenSvmRules(payment, { ...svmRules(parties), smartWallets })
  if (broken) return broken.reason
  if (!isSvm(payment)) throw new Error('the payment cannot be read')
  const shown = payingTransfer(payment, transfersOf(payment.transfer.transaction, found))
  return 'failed' in shown ? shown.failed.reason : null
}

const unused = () => Promise.reject(new Error('nothing is settled here'))

/** The official reason, without its explanation; null where it takes the payment. */
async function theirs({ paymentPayload, paymentRequirements }: Record<string, unknown>, found: Inner): Promise<string | null> {
  const signer = {
    getAddresses: () => [parties.feePayer.address, parties.headroom.address],
    simulateTransaction: async () => {},
    signTransaction: unused,
    sendTransaction: unused,
    confirmTransaction: unused,
    simulateTransactionWithInnerInstructions: async () => ({ innerInstructions: found }),
    getConfirmedTransactionInnerInstructions: unused,
    getTokenAccountBalance: unused,
    fetchAddressLookupTables: unused,
  }
  const limits = { maxRequiredSignatures: 4 }
  const smart = { enableSmartWalletVerification: true, smartWalletAllowedPrograms: [WALLET, PROGRAMS.lighthouse] }
  const official = new Official(signer as never, undefined, { ...limits, ...smart })
  // Bodies of our tests, which the official code must judge.
  const { isValid, invalidReason = '' } = await official.verify(paymentPayload as never, paymentRequirements as never)
  return isValid ? null : (invalidReason.split(':')[0] ?? '')
}

describe("a smart wallet's payment is judged as the official facilitator judges it", () => {
  const cases: [string, () => Case | Promise<Case>, string | null][] = [
    ['its transfer', () => ({ inner: inner(transfer()) }), null],
    ['a larger amount', () => ({ inner: inner(transfer({}, '1001')) }), null],
    ['other transfers beside', () => ({ inner: inner(transfer({ destination: someAddress() }), transfer()) }), null],
    ['assertions and no compute budget', () => ({ instructions: [wallet(), lighthouse([])], inner: inner(transfer()) }), null],
    [
      'the memo that was asked for, in front',
      () => ({ instructions: [memoOf('m'), wallet()], memo: 'm', inner: inner(transfer()) }),
      null,
    ],
    ['several members', memberSigned, null],
    ['another program', () => ({ instructions: [...usual(), instruction(someAddress(), [], [])] }), `${S}_program_not_allowed`],
    ['an ordinary transfer in another place', ordinaryElsewhere, `${S}_program_not_allowed`],
    ['our fee payer as an account', () => ({ instructions: [wallet(parties.feePayer.address)] }), `${S}_fee_payer_not_isolated`],
    ['an empty compute budget', () => ({ instructions: [budget(), wallet()] }), `${S}_malformed_compute_budget`],
    ['a limit cut short', () => ({ instructions: [budget(2, 0, 0), wallet()] }), `${S}_malformed_compute_limit`],
    ['400,001 units', () => ({ instructions: [setComputeUnitLimit(400_001), wallet()] }), `${S}_compute_units_too_high`],
    ['a price cut short', () => ({ instructions: [budget(3, 0, 0), wallet()] }), `${S}_malformed_compute_price`],
    ['a price of 50,001', () => ({ instructions: [setComputeUnitPrice(50_001n), wallet()] }), `${S}_priority_fee_too_high`],
    ['a heap frame', () => ({ instructions: [budget(1, 0, 0, 1, 0), wallet()] }), `${S}_unsupported_compute_budget_instruction`],
    ['another memo', () => ({ memo: 'order 8', inner: inner(transfer()) }), 'invalid_exact_svm_payload_memo_mismatch'],
    ['no memo', () => ({ instructions: [wallet()], memo: 'x' }), 'invalid_exact_svm_payload_memo_count'],
    ['no transfer', () => ({ inner: [] }), `${S}_no_transfer_in_simulation`],
    ['a smaller amount', () => ({ inner: inner(transfer({}, '999')) }), `${S}_transfer_mismatch`],
    ['another mint', () => ({ inner: inner(transfer({ mint: someAddress() })) }), `${S}_transfer_mismatch`],
    ['another destination', () => ({ inner: inner(transfer({ destination: someAddress() })) }), `${S}_transfer_mismatch`],
    ['two transfers', () => ({ inner: inner(transfer(), transfer()) }), `${S}_multiple_matching_transfers`],
    ['no signature of a member', () => ({ signers: [] }), 'invalid_exact_svm_payload_signature_invalid'],
  ]
  test.each(cases)('with %s', async (_, make, reason) => {
    const { inner: found = inner(transfer()), ...given } = await make()
    const body = await bodyOf(given)
    expect([ours(body, found), await theirs(body, found)]).toEqual([reason, reason])
  })

  test('with any transfers that a node parses, or leaves as bytes', async () => {
    const body = await bodyOf({})
    const payment = parsePayment(body)
    const accounts = isSvm(payment) ? payment.transfer.transaction.accounts : []
    const parsed = fc
      .record({
        mint: fc.constantFrom(SVM_USDC, SVM_USDC, someAddress()),
        destination: fc.constantFrom(parties.destination, parties.destination, someAddress()),
        amount: fc.constantFrom('1000', '1000', '999', '1001', '0'),
        program: fc.constantFrom(PROGRAMS.token, PROGRAMS.token, PROGRAMS.memo),
      })
      .map(({ mint, destination, amount, program }) => transfer({ mint, destination }, amount, program))
    const raw = fc
      .record({
        programIdIndex: fc.nat(accounts.length),
        accounts: fc.array(fc.nat(9), { maxLength: 5 }),
        data: fc.uint8Array({ maxLength: 12 }),
      })
      .map((one) => ({ ...one, data: getBase58Decoder().decode(one.data) }))
    const other = fc.constant({ programId: PROGRAMS.system, parsed: { type: 'transfer', info: {} } })
    const said = new Set<string | null>()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(parsed, raw, other), { maxLength: 3 }), async (found) => {
        const reason = ours(body, inner(...found))
        expect(reason).toBe(await theirs(body, inner(...found)))
        said.add(reason)
      }),
      { numRuns: 200 },
    )
    expect(said.size).toBeGreaterThan(2)
  })

  async function memberSigned(): Promise<Case> {
    const { payer, unrelated } = parties
    const both = instruction(WALLET, [`+${payer.address}`, `+${unrelated.address}`], [9])
    return { instructions: [both], signers: [payer, unrelated], inner: inner(transfer()) }
  }

  function ordinaryElsewhere(): Case {
    const { source, destination, payer } = parties
    const moved = transferChecked({ source, mint: SVM_USDC, destination, authority: payer.address, amount: 1_000n })
    return { instructions: [wallet(), moved], inner: [] }
  }
})

describe('we are stricter', () => {
  const cases: [string, () => Case | Promise<Case>, string][] = [
    [
      'a limit with a byte too many',
      () => ({ instructions: [budget(2, 0, 1, 0, 0, 0), wallet()] }),
      `${S}_malformed_compute_limit`,
    ],
    [
      'a fee above the whole that is paid',
      () => ({ instructions: [setComputeUnitLimit(400_000), setComputeUnitPrice(50_000n), wallet()] }),
      `${S}_priority_fee_too_high`,
    ],
    [
      'another fee payer of ours as an account',
      () => ({ instructions: [wallet(parties.headroom.address)] }),
      `${S}_fee_payer_not_isolated`,
    ],
    [
      'a transfer that payTo signs itself',
      () => ({ inner: inner(transfer({ authority: parties.payTo })) }),
      `${S}_transfer_mismatch`,
    ],
    [
      'a transfer into the account it comes from',
      () => ({ inner: inner(transfer({ source: parties.destination })) }),
      `${S}_transfer_mismatch`,
    ],
  ]
  test.each(cases)('with %s', async (_, make, reason) => {
    const { inner: found = inner(transfer()), ...given } = await make()
    const body = await bodyOf(given)
    expect([ours(body, found), await theirs(body, found)]).toEqual([reason, null])
  })
})

describe("a smart wallet's payment", () => {
  test('is refused by its layout where no smart wallet is allowed, and in version 1', async () => {
    const reason = 'invalid_exact_svm_payload_no_transfer_instruction'
    const instructions = [setComputeUnitLimit(20_000), setComputeUnitPrice(1n), wallet()]
    expect(ours(await bodyOf({ instructions }), inner(transfer()), new Set())).toBe(reason)
    expect(ours(await bodyOf({ instructions }, svmV1Body), inner(transfer()))).toBe(reason)
  })

  test('is never by the program of channels, whatever is allowed: its success would be taken for a transfer', async () => {
    const body = await bodyOf({ instructions: [wallet(), instruction(CHANNEL_PROGRAM, [], [])] })
    expect(ours(body, inner(transfer()), new Set([WALLET, CHANNEL_PROGRAM]))).toBe(`${S}_program_not_allowed`)
  })

  test('of a node that does not say what the programs did is an error, and no verdict', async () => {
    const payment = parsePayment(await bodyOf({}))
    if (!isSvm(payment)) throw new Error('the payment cannot be read')
    for (const said of [null, undefined, {}])
      expect(() => transfersOf(payment.transfer.transaction, said)).toThrow(/does not report/)
  })

  test('leaves ordinary payments as they are', async () => {
    const { payer, feePayer, payTo, unrelated } = parties
    const ordinary = await svmPayment({ payer, feePayer: feePayer.address, payTo })
    const third = await svmPayment({
      payer,
      feePayer: feePayer.address,
      payTo,
      signers: [payer, unrelated],
      instructions: (all) => all.map((one, at) => (at === 3 ? memoOf('x', [`+${unrelated.address}`]) : one)),
    })
    const terms = { feePayer: feePayer.address, payTo }
    const said = [ordinary, third].map((made) => {
      const payment = parsePayment(svmV2Body(made, terms))
      return brokenSvmRules(payment, { ...svmRules(parties), smartWallets: new Set([WALLET]) })?.reason ?? null
    })
    expect(said).toEqual([null, 'invalid_exact_svm_payload_excessive_signers'])
    expect(await svmTokenAccount(payTo)).toBe(parties.destination)
  })
})
