import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import type { Reason } from '../../../server/x402/reasons/reasons'
import type { SvmRules } from '../../../server/x402/schemes/exact/svm/rules'
import {
  instruction,
  lighthouse,
  memoOf,
  PROGRAMS,
  SVM_USDC,
  type SvmPaymentOptions,
  type SvmTerms,
  setComputeUnitLimit,
  setComputeUnitPrice,
  someAddress,
  svmEdited,
  svmPayment,
  svmTokenAccount,
  svmV1Body,
  svmV2Body,
  type TransferOptions,
  transferChecked,
} from './forge'

type Json = Record<string, unknown>

/** The accounts around a payment: two fee payers of ours, an unrelated signer, a merchant, a payer with token accounts. */
export type Parties = {
  payer: KeyPairSigner
  unrelated: KeyPairSigner
  /** The fee payer in our requirements. */
  feePayer: KeyPairSigner
  headroom: KeyPairSigner
  payTo: string
  source: string
  destination: string
}

/** New accounts without money. */
export async function svmParties(): Promise<Parties> {
  const [payer, unrelated, feePayer, headroom] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ])
  const payTo = someAddress()
  const [source, destination] = await Promise.all([svmTokenAccount(payer.address), svmTokenAccount(payTo)])
  return { payer, unrelated, feePayer, headroom, payTo, source, destination }
}

/** The limits of the tests. */
export const svmRules = ({ feePayer, headroom }: Parties): SvmRules => ({
  feePayers: new Set([feePayer.address]),
  ours: new Set([feePayer.address, headroom.address]),
  maxComputeUnits: 60_000n,
  maxFeeLamports: 20_000n,
  smartWallets: new Set(),
})

/** An attempt: changes to the transaction, then to its bytes, and to the requirements. */
export type Attempt = {
  transaction?: Partial<SvmPaymentOptions>
  edit?: (transaction: string) => string | Promise<string>
  terms?: Partial<SvmTerms>
  requirements?: Json
  accepted?: Json
}

/**
 * An unusual payment and our reason; null if we accept it. `reasonV1` and `official` are set only where they differ,
 * the latter with an explanation.
 */
export type Trick = {
  title: string
  make: (parties: Parties) => Attempt | Promise<Attempt>
  reason: Reason | null
  reasonV1?: Reason | null
  /** Why the chain refuses it anyway. */
  onChain?: string
  /** True if the failing rule comes after the payer's signature check. */
  proven?: boolean
  official?: { why: string; reason?: string | null; reasonV1?: string | null }
}

/** The settle or verify body of an attempt in an x402 version. */
export async function svmBody(parties: Parties, attempt: Attempt, version: 1 | 2): Promise<Json> {
  const { payer, payTo } = parties
  const feePayer = parties.feePayer.address
  const made = await svmPayment({ payer, feePayer, payTo, ...attempt.transaction })
  const transaction = (await attempt.edit?.(made)) ?? made
  const changed = { requirements: attempt.requirements ?? {}, accepted: attempt.accepted ?? {} }
  return (version === 1 ? svmV1Body : svmV2Body)(transaction, { feePayer, payTo, ...attempt.terms }, changed)
}

const replaced = (index: number, other: Instruction) => (usual: Instruction[]) =>
  usual.map((each, at) => (at === index ? other : each))
const extra = (...extraInstructions: Instruction[]): Attempt => ({ transaction: { extraInstructions } })

function transferring(parties: Parties, changes: Partial<TransferOptions>): Attempt {
  const { source, destination, payer } = parties
  const transfer = { source, mint: SVM_USDC, destination, authority: payer.address, amount: 1_000n, ...changes }
  return { transaction: { instructions: replaced(2, transferChecked(transfer)) } }
}

const withData = (original: Instruction, data: Uint8Array): Instruction => ({ ...original, data })
const longer = ({ data = new Uint8Array() }: Instruction) => Uint8Array.from([...data, 0])
const padded = (index: number) => (usual: Instruction[]) =>
  usual.map((each, at) => (at === index ? withData(each, longer(each)) : each))

const advanceNonce = ({ payer }: Parties) =>
  instruction(
    PROGRAMS.system,
    [`${someAddress()}!`, 'SysvarRecentB1ockHashes11111111111111111111', `+${payer.address}`],
    [4, 0, 0, 0],
  )
const solTransfer = ({ payer }: Parties, to: string) =>
  instruction(PROGRAMS.system, [`+${payer.address}!`, `${to}!`], [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
const createAccount = ({ payer, payTo, destination }: Parties) =>
  instruction(
    PROGRAMS.associatedToken,
    [`+${payer.address}!`, `${destination}!`, payTo, SVM_USDC, PROGRAMS.system, PROGRAMS.token],
    [1],
  )

const P = 'invalid_exact_svm_payload'
const NO_TRANSFER = `${P}_no_transfer_instruction` as const
const LIMIT = `${P}_transaction_instructions_compute_limit_instruction` as const
const PRICE = `${P}_transaction_instructions_compute_price_instruction` as const
const UNDECODABLE = `${P}_transaction_could_not_be_decoded` as const
const OURS_PAYS = `${P}_transaction_fee_payer_transferring_funds` as const
const SIGNATURE = `${P}_signature_invalid` as const
const LENGTH = `${P}_transaction_instructions_length` as const

const FROM_CHAIN = 'it leaves this to the simulation'

/** Payments that we accept. */
export const soundPayments: Trick[] = [
  { title: 'the usual payment', reason: null, make: () => ({}) },
  { title: 'the old form of messages', reason: null, make: () => ({ transaction: { version: 'legacy' } }) },
  { title: 'the three instructions of legacy clients', reason: null, make: () => ({ transaction: { memo: null } }) },
  {
    title: 'assertions of Lighthouse that a wallet adds',
    reason: null,
    make: ({ payer, source }) => extra(lighthouse([source]), lighthouse([`+${payer.address}`])),
  },
  {
    title: 'assertions of Lighthouse after the memo',
    reason: null,
    make: ({ source }) => ({ transaction: { instructions: (usual) => [...usual, lighthouse([source]), lighthouse([source])] } }),
  },
  {
    title: 'seven instructions',
    reason: null,
    reasonV1: LENGTH,
    proven: true,
    make: ({ source }) => extra(lighthouse([source]), lighthouse([source]), lighthouse([source])),
  },
  {
    title: 'the memo that was asked for',
    reason: null,
    make: () => ({ transaction: { memo: 'order 7 – ü' }, terms: { memo: 'order 7 – ü' } }),
  },
  {
    title: 'several memos where none was asked for',
    reason: null,
    onChain: 'the memo program takes UTF-8 only',
    make: () => extra(memoOf('one'), memoOf(Uint8Array.of(0xff))),
  },
  {
    title: 'a memo that the payer signs',
    reason: null,
    make: ({ payer }) => ({ transaction: { instructions: replaced(3, memoOf('x', [`+${payer.address}`])) } }),
  },
  { title: 'as many compute units as are allowed', reason: null, make: () => ({ transaction: { computeUnits: 60_000 } }) },
  {
    title: 'a fee as high as is allowed',
    reason: null,
    make: () => ({ transaction: { computeUnits: 50_000, price: 200_000n } }),
  },
  {
    title: 'money from another account of the payer than the associated one',
    reason: null,
    onChain: 'there is no such account',
    make: (parties) => transferring(parties, { source: someAddress() }),
  },
]

const formTricks: Trick[] = [
  {
    title: 'the scheme upto',
    reason: 'unsupported_scheme',
    official: { why: 'schemes that we know have the same word on every chain', reason: 'invalid_exact_svm_unsupported_scheme' },
    make: () => ({ requirements: { scheme: 'upto' }, accepted: { scheme: 'upto' } }),
  },
  {
    title: 'an unheard-of scheme',
    reason: 'invalid_exact_svm_unsupported_scheme',
    reasonV1: 'unsupported_scheme',
    make: () => ({ requirements: { scheme: 'other' } }),
  },
  {
    title: 'another scheme in the payload',
    reason: 'invalid_exact_svm_unsupported_scheme',
    reasonV1: 'unsupported_scheme',
    make: () => ({ accepted: { scheme: 'upto' } }),
  },
  {
    title: 'another network in the payload',
    reason: 'invalid_exact_svm_network_mismatch',
    reasonV1: 'network_mismatch',
    make: () => ({ accepted: { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } }),
  },
  ...[undefined, {}, { feePayer: '' }, { feePayer: 7 }].map(
    (asked): Trick => ({
      title: `${JSON.stringify(asked)} as extra`,
      reason: `${P}_missing_fee_payer`,
      make: () => ({ requirements: { extra: asked } }),
    }),
  ),
  {
    title: 'a fee payer that is not ours',
    reason: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
    reasonV1: 'fee_payer_not_managed_by_facilitator',
    make: ({ unrelated }) => ({ transaction: { feePayer: unrelated.address }, terms: { feePayer: unrelated.address } }),
  },
  {
    title: 'a fee payer of ours that does not serve this payment',
    reason: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
    reasonV1: 'fee_payer_not_managed_by_facilitator',
    official: { why: 'it knows one set of fee payers', reason: null, reasonV1: null },
    make: ({ headroom }) => ({ transaction: { feePayer: headroom.address }, terms: { feePayer: headroom.address } }),
  },
  ...['AQ==', '!', '0x1234', Buffer.alloc(300, 0xff).toString('base64')].map(
    (text): Trick => ({
      title: `${text.slice(0, 12)} as a transaction`,
      reason: UNDECODABLE,
      make: () => ({ edit: () => text }),
    }),
  ),
  {
    title: 'a byte after the end of the message',
    reason: UNDECODABLE,
    official: { why: 'it reads as far as it must', reason: null, reasonV1: null },
    make: ({ payer }) => ({ edit: (made) => svmEdited(made, payer, (message) => Uint8Array.from([...message, 0])) }),
  },
]

// Offsets in a version 0 transaction: count of signatures, two signatures, version, three counts, count of accounts, fee payer.
const SECOND_SIGNATURE = 1 + 64
const SECOND_ACCOUNT = 1 + 128 + 1 + 3 + 1 + 32

const signingTricks: Trick[] = [
  {
    title: 'a third signer',
    reason: `${P}_excessive_signers`,
    official: { why: 'its version 1 has no such limit', reasonV1: null },
    make: ({ payer, unrelated }) => ({
      transaction: {
        signers: [payer, unrelated],
        instructions: replaced(3, memoOf('x', [`+${unrelated.address}`])),
      },
    }),
  },
  {
    title: 'another fee payer in the transaction than was asked for',
    reason: 'invalid_exact_svm_fee_payer_mismatch',
    make: ({ headroom }) => ({ transaction: { feePayer: headroom.address } }),
  },
  { title: 'no signature of the payer', reason: SIGNATURE, make: () => ({ transaction: { signers: [] } }) },
  {
    title: 'a signature over other bytes',
    reason: SIGNATURE,
    make: () => ({
      edit: (made) => {
        const bytes = Buffer.from(made, 'base64')
        bytes[70] = (bytes[70] ?? 0) ^ 1
        return bytes.toString('base64')
      },
    }),
  },
  {
    title: 'a signature that any message has under a key of small order',
    reason: SIGNATURE,
    official: { why: 'OpenSSL takes it, the chain does not', reason: null, reasonV1: null },
    make: () => ({
      edit: (made) => {
        const bytes = Buffer.from(made, 'base64')
        const identity = Buffer.alloc(32)
        identity[0] = 1
        // The key is the identity of the curve, and so is R; s is 0.
        bytes.set(identity, SECOND_ACCOUNT)
        bytes.set([...identity, ...Buffer.alloc(32)], SECOND_SIGNATURE)
        return bytes.toString('base64')
      },
    }),
  },
  {
    title: 'an address lookup table',
    reason: 'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
    reasonV1: UNDECODABLE,
    make: ({ payer }) => ({
      edit: (made) =>
        svmEdited(made, payer, (message) => Uint8Array.from([...message.slice(0, -1), 1, ...Buffer.alloc(32, 7), 1, 0, 0])),
    }),
  },
]

const layoutTricks: Trick[] = [
  {
    title: 'two instructions',
    reason: LENGTH,
    proven: false,
    make: () => ({ transaction: { instructions: (usual) => usual.slice(1, 3) } }),
  },
  {
    title: 'eight instructions',
    reason: LENGTH,
    proven: true,
    make: ({ source }) => extra(...Array<Instruction>(4).fill(lighthouse([source]))),
  },
  {
    title: 'an advanced nonce in front',
    reason: LIMIT,
    make: (parties) => ({ transaction: { instructions: (usual) => [advanceNonce(parties), ...usual] } }),
  },
  {
    title: 'price and limit in the wrong order',
    reason: LIMIT,
    proven: true,
    make: () => ({
      transaction: { instructions: ([limit, price, ...rest]) => [price, limit, ...rest].flatMap((each) => each ?? []) },
    }),
  },
  {
    title: 'a limit of heap memory for one of compute units',
    reason: LIMIT,
    proven: true,
    make: () => ({ transaction: { instructions: replaced(0, instruction(PROGRAMS.computeBudget, [], [1, 0, 0, 1, 0])) } }),
  },
  {
    title: 'a limit cut short',
    reason: LIMIT,
    proven: true,
    make: () => ({ transaction: { instructions: replaced(0, instruction(PROGRAMS.computeBudget, [], [2, 0, 0])) } }),
  },
  {
    title: 'a limit with a byte too many',
    reason: LIMIT,
    proven: true,
    official: { why: 'it ignores what follows', reason: null, reasonV1: null },
    make: () => ({ transaction: { instructions: padded(0) } }),
  },
  {
    title: 'more compute units than are allowed',
    reason: `${LIMIT}_too_high`,
    proven: true,
    official: { why: 'its version 1 has no such limit', reasonV1: null },
    make: () => ({ transaction: { computeUnits: 60_001 } }),
  },
  {
    title: 'a second limit for the price',
    reason: PRICE,
    proven: true,
    make: () => ({ transaction: { instructions: replaced(1, setComputeUnitLimit(20_000)) } }),
  },
  {
    title: 'a price with a byte too many',
    reason: PRICE,
    proven: true,
    official: { why: 'it ignores what follows', reason: null, reasonV1: null },
    make: () => ({ transaction: { instructions: padded(1) } }),
  },
  {
    title: 'a price above the official cap',
    reason: `${PRICE}_too_high`,
    proven: true,
    make: () => ({ transaction: { computeUnits: 1, price: 5_000_001n } }),
  },
  {
    title: 'the highest price there is',
    reason: `${PRICE}_too_high`,
    proven: true,
    make: () => ({ transaction: { price: 2n ** 64n - 1n } }),
  },
  {
    title: 'a fee one lamport above what is paid',
    reason: `${PRICE}_too_high`,
    proven: true,
    official: { why: 'it caps the price alone, not what it comes to', reason: null, reasonV1: null },
    make: () => ({ transaction: { computeUnits: 50_000, price: 200_001n } }),
  },
]

const transferTricks: Trick[] = [
  {
    title: 'a Transfer that checks nothing',
    reason: NO_TRANSFER,
    make: ({ source, destination, payer }) => ({
      transaction: {
        instructions: replaced(
          2,
          instruction(PROGRAMS.token, [`${source}!`, `${destination}!`, `+${payer.address}`], [3, 232, 3, 0, 0, 0, 0, 0, 0]),
        ),
      },
    }),
  },
  {
    title: 'Token-2022',
    reason: NO_TRANSFER,
    proven: true,
    official: { why: 'it leaves to the simulation which program a mint belongs to', reason: null, reasonV1: null },
    make: async (parties) => {
      const destination = await svmTokenAccount(parties.payTo, SVM_USDC, PROGRAMS.token2022)
      return transferring(parties, { program: PROGRAMS.token2022, destination })
    },
  },
  {
    title: 'a multisig as the authority',
    reason: NO_TRANSFER,
    official: { why: 'it looks at the first four accounts', reason: null, reasonV1: null },
    make: ({ source, destination, payer, unrelated }) => ({
      transaction: {
        instructions: replaced(
          2,
          instruction(
            PROGRAMS.token,
            [`${source}!`, SVM_USDC, `${destination}!`, unrelated.address, `+${payer.address}`],
            [12, 232, 3, 0, 0, 0, 0, 0, 0, 6],
          ),
        ),
      },
    }),
  },
  {
    title: 'a transfer with a byte too many',
    reason: NO_TRANSFER,
    official: { why: 'it ignores what follows', reason: null, reasonV1: null },
    make: () => ({ transaction: { instructions: padded(2) } }),
  },
  {
    title: 'a transfer cut short',
    reason: NO_TRANSFER,
    make: ({ source, destination, payer }) => ({
      transaction: {
        instructions: replaced(
          2,
          instruction(PROGRAMS.token, [`${source}!`, SVM_USDC, `${destination}!`, `+${payer.address}`], [12, 232, 3]),
        ),
      },
    }),
  },
  {
    title: 'an account made before the transfer',
    reason: NO_TRANSFER,
    make: (parties) => ({ transaction: { instructions: (usual) => usual.toSpliced(2, 0, createAccount(parties)) } }),
  },
  {
    title: 'a transfer of SOL in its place',
    reason: NO_TRANSFER,
    make: (parties) => ({ transaction: { instructions: replaced(2, solTransfer(parties, parties.payTo)) } }),
  },
  {
    title: 'the fee payer as the authority',
    reason: OURS_PAYS,
    make: (parties) => ({
      transaction: {
        ...transferring(parties, { authority: parties.feePayer.address }).transaction,
        signers: [],
      },
    }),
  },
  {
    title: 'another fee payer of ours as the authority',
    reason: OURS_PAYS,
    proven: true,
    make: (parties) => ({
      transaction: { ...transferring(parties, { authority: parties.headroom.address }).transaction, signers: [parties.headroom] },
    }),
  },
  {
    title: 'an authority that has not signed',
    reason: SIGNATURE,
    official: { why: FROM_CHAIN, reason: null, reasonV1: null },
    make: (parties) => ({ transaction: { ...transferring(parties, { signs: false }).transaction, signers: [] } }),
  },
  {
    title: 'a signature of another account than the authority',
    reason: SIGNATURE,
    official: { why: FROM_CHAIN, reason: null, reasonV1: null },
    make: (parties) => ({
      transaction: {
        instructions: (usual) => [
          ...usual.slice(0, 2),
          transferChecked({
            source: parties.source,
            mint: SVM_USDC,
            destination: parties.destination,
            authority: parties.payer.address,
            amount: 1_000n,
            signs: false,
          }),
          memoOf('x', [`+${parties.unrelated.address}`]),
        ],
        signers: [parties.unrelated],
      },
    }),
  },
  {
    title: 'another mint',
    reason: `${P}_mint_mismatch`,
    proven: true,
    make: (parties) => transferring(parties, { mint: someAddress() }),
  },
  {
    title: 'other decimals',
    reason: `${P}_mint_mismatch`,
    proven: true,
    official: { why: FROM_CHAIN, reason: null, reasonV1: null },
    make: (parties) => transferring(parties, { decimals: 9 }),
  },
  {
    title: "another account than the merchant's",
    reason: `${P}_recipient_mismatch`,
    proven: true,
    make: (parties) => transferring(parties, { destination: someAddress() }),
  },
  {
    title: "the merchant's wallet itself",
    reason: `${P}_recipient_mismatch`,
    proven: true,
    make: (parties) => transferring(parties, { destination: parties.payTo }),
  },
  {
    title: 'the account that the money comes from',
    reason: `${P}_recipient_mismatch`,
    proven: true,
    official: { why: 'nothing would move', reason: null, reasonV1: null },
    make: ({ payer }) => ({ transaction: { payTo: payer.address }, terms: { payTo: payer.address } }),
  },
  ...[999n, 1_001n, 0n, 2n ** 64n - 1n].map(
    (amount): Trick => ({
      title: `${amount} for 1000`,
      reason: `${P}_amount_mismatch`,
      proven: true,
      make: () => ({ transaction: { amount } }),
    }),
  ),
]

const NTH = ['fourth', 'fifth', 'sixth', 'seventh'] as const

const extraTricks: Trick[] = [
  ...NTH.map(
    (nth, index): Trick => ({
      title: `a transfer of SOL as the ${nth} instruction`,
      reason: `${P}_unknown_${nth}_instruction`,
      ...(nth === 'seventh' ? { reasonV1: LENGTH } : {}),
      proven: true,
      make: (parties) => {
        const before = Array<Instruction>(index).fill(lighthouse([parties.source]))
        return { transaction: { extraInstructions: [...before, solTransfer(parties, someAddress())], memo: null } }
      },
    }),
  ),
  ...(
    [
      ['an account made', createAccount],
      ['an advanced nonce', advanceNonce],
      ['a second price', () => setComputeUnitPrice(4_000_000n)],
      ['a second limit', () => setComputeUnitLimit(1_400_000)],
      [
        'an approval',
        ({ source, payer, unrelated }) =>
          instruction(PROGRAMS.token, [`${source}!`, unrelated.address, `+${payer.address}`], [4]),
      ],
      [
        'an account closed',
        ({ source, payer }) => instruction(PROGRAMS.token, [`${source}!`, payer.address, `+${payer.address}`], [9]),
      ],
      [
        'a second transfer',
        ({ source, destination, payer }) =>
          transferChecked({ source, mint: SVM_USDC, destination, authority: payer.address, amount: 1n }),
      ],
      ['an unknown program', ({ source }) => instruction(someAddress(), [source], [0])],
      ['the first memo program', () => instruction('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', [], 'x')],
      [
        'a transfer of SOL from the fee payer',
        ({ feePayer }) => instruction(PROGRAMS.system, [`+${feePayer.address}!`, `${someAddress()}!`], [2]),
      ],
    ] satisfies [string, (parties: Parties) => Instruction][]
  ).map(
    ([what, make]): Trick => ({
      title: `${what} after the transfer`,
      reason: `${P}_unknown_fourth_instruction`,
      proven: true,
      make: (parties) => extra(make(parties)),
    }),
  ),
  {
    title: 'no memo where one is asked for',
    reason: `${P}_memo_count`,
    proven: true,
    make: () => ({ transaction: { memo: null }, terms: { memo: 'order 7' } }),
  },
  {
    title: 'the memo and another one',
    reason: `${P}_memo_count`,
    proven: true,
    make: () => ({ ...extra(memoOf('order 7')), terms: { memo: 'order 7' } }),
  },
  {
    title: 'another memo',
    reason: `${P}_memo_mismatch`,
    proven: true,
    make: () => ({ transaction: { memo: 'order 8' }, terms: { memo: 'order 7' } }),
  },
  {
    title: 'an empty memo',
    reason: `${P}_memo_mismatch`,
    proven: true,
    make: () => ({ transaction: { memo: '' }, terms: { memo: 'order 7' } }),
  },
  {
    title: 'a memo that is no UTF-8 for one that says so',
    reason: `${P}_memo_mismatch`,
    proven: true,
    official: { why: 'it reads any bytes as some text', reason: null, reasonV1: null },
    make: () => ({ transaction: { instructions: replaced(3, memoOf(Uint8Array.of(0xff))) }, terms: { memo: '\ufffd' } }),
  },
  {
    title: 'a memo with a mark in front that is not shown',
    reason: `${P}_memo_mismatch`,
    proven: true,
    official: { why: 'it drops the mark', reason: null, reasonV1: null },
    make: () => ({ transaction: { memo: '\ufefforder 7' }, terms: { memo: 'order 7' } }),
  },
  {
    title: 'a number as the memo that is asked for',
    reason: `${P}_memo_mismatch`,
    proven: true,
    make: ({ feePayer }) => ({ transaction: { memo: '7' }, requirements: { extra: { feePayer: feePayer.address, memo: 7 } } }),
  },
  {
    title: 'a memo that the fee payer would sign',
    reason: OURS_PAYS,
    proven: true,
    official: { why: 'its specification forbids it, its code does not', reason: null, reasonV1: null },
    make: ({ feePayer }) => ({ transaction: { instructions: replaced(3, memoOf('x', [`+${feePayer.address}`])) } }),
  },
  {
    title: 'an assertion of Lighthouse about another fee payer of ours',
    reason: OURS_PAYS,
    proven: true,
    official: { why: 'its specification forbids it, its code does not', reason: null, reasonV1: null },
    make: ({ headroom }) => extra(lighthouse([headroom.address])),
  },
]

/** Payments that we refuse, in the order of the refusing rules. */
export const svmTricks: Trick[] = [...formTricks, ...signingTricks, ...layoutTricks, ...transferTricks, ...extraTricks]
