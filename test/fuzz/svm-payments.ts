import {
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__TRANSACTION__ADDRESSES_CANNOT_SIGN_TRANSACTION,
} from '@solana/kit'
import fc from 'fast-check'
import { signerOf } from '../../devnet/solana/keys'
import { changed } from '../bodies'
import { someAddress, svmEdited, svmTokenAccount } from '../svm-forge'
import { blockhashOf, type SvmHarness } from '../svm-harness'
import { type Attempt, type Parties, soundPayments, svmBody, svmTricks, type Trick } from '../svm-tricks'

type Json = Record<string, unknown>

/** A payment on Solana devnet that differs from a sound one in a few things, each of which is named. */
export type SvmPlan = {
  version: 1 | 2
  /** Titles of sound payments and tricks; of two that want the same thing changed the later one wins. */
  tricks: string[]
  payer: 'rich' | 'short' | 'poor' | 'without an account'
  payTo: 'shop' | 'without an account'
  blockhash: 'new' | 'unknown'
  amount: 'usual' | 'tiny' | 'huge'
  /** A byte of the signed message is another one, and the payer signs that. */
  flip: { at: number; mask: number } | null
  transaction: 'there' | 'empty' | 'missing'
}

const TRICKS = new Map([...soundPayments, ...svmTricks].map((trick) => [trick.title, trick]))

/** The tricks of a plan, by their titles. */
function tricksOf({ tricks }: SvmPlan): Trick[] {
  return tricks.flatMap((title) => TRICKS.get(title) ?? [])
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Plans for payments: most differ from a sound one in one or two things. */
export const svmPlan: fc.Arbitrary<SvmPlan> = fc.record(
  {
    version: fc.constantFrom<1 | 2>(1, 2),
    tricks: fc.array(fc.constantFrom(...TRICKS.keys()), { maxLength: 2 }),
    payer: mostly<SvmPlan['payer']>('rich', 'short', 'poor', 'without an account'),
    payTo: mostly<SvmPlan['payTo']>('shop', 'without an account'),
    blockhash: mostly<SvmPlan['blockhash']>('new', 'unknown'),
    amount: mostly<SvmPlan['amount']>('usual', 'tiny', 'huge'),
    flip: fc.option(fc.record({ at: fc.nat(600), mask: fc.integer({ min: 1, max: 255 }) }), { freq: 4, nil: null }),
    transaction: mostly<SvmPlan['transaction']>('there', 'empty', 'missing'),
  },
  { noNullPrototype: true },
)

/** A plan with nothing wrong in it. */
export const soundSvmPlan: SvmPlan = {
  ...{
    version: 2,
    tricks: [],
    payer: 'rich',
    payTo: 'shop',
    blockhash: 'new',
    amount: 'usual',
    flip: null,
    transaction: 'there',
  },
}

const AMOUNTS = { usual: 1_000n, tiny: 99n, huge: 10n ** 15n }

/** Who plays the parts of plans on the chain of a harness with fee payers on both clusters, and how a plan becomes a body. */
export async function createSvmStage(harness: SvmHarness): Promise<(plan: SvmPlan) => Promise<Json>> {
  const [rich, short, poor, stranger, shop, unopened] = await Promise.all([
    harness.payer(10n ** 12n),
    harness.payer(99n),
    emptied(harness),
    harness.payer(),
    harness.recipient(),
    harness.payer(0n),
  ])
  const payers = { rich, short, poor, 'without an account': unopened }
  const [feePayer, headroom] = await Promise.all([
    signerOf(harness.env.SOLANA_SANDBOX_SIGNER_KEYS ?? ''),
    signerOf(harness.env.SOLANA_SIGNER_KEYS ?? ''),
  ])
  return async (plan) => {
    const payer = payers[plan.payer]
    const payTo = plan.payTo === 'shop' ? shop : someAddress()
    const [source, destination] = await Promise.all([svmTokenAccount(payer.address), svmTokenAccount(payTo)])
    const parties: Parties = { payer, stranger, feePayer, headroom, payTo, source, destination }
    const blockhash = plan.blockhash === 'new' ? await blockhashOf(harness.solana) : someAddress()
    const amount = AMOUNTS[plan.amount]
    const usual: Attempt = { transaction: { blockhash, amount }, terms: { amount } }
    const attempts = await Promise.all(tricksOf(plan).map(({ make }) => make(parties)))
    const made = (some: Attempt[]) => svmBody(parties, flipped(plan, payer, some.reduce(both, usual)), plan.version)
    const body = await made(attempts).catch((error: unknown) => {
      // One wants a signature of somebody whom the other leaves out: then the first stands alone.
      if (isSolanaError(error, SOLANA_ERROR__TRANSACTION__ADDRESSES_CANNOT_SIGN_TRANSACTION)) return made(attempts.slice(0, 1))
      throw error
    })
    return plan.transaction === 'there' ? body : without(plan.transaction, body)
  }
}

function without(how: 'empty' | 'missing', body: Json): Json {
  return changed(body, 'paymentPayload.payload.transaction', how === 'empty' ? '' : undefined)
}

// What both do to the instructions is done one after the other.
function both(first: Attempt, second: Attempt): Attempt {
  const [one, other] = [first.transaction ?? {}, second.transaction ?? {}]
  const instructions = (usual: Instruction[]) => [one, other].reduce((all, each) => each.instructions?.(all) ?? all, usual)
  return {
    ...first,
    ...second,
    transaction: {
      ...one,
      ...other,
      instructions,
      extraInstructions: [...(one.extraInstructions ?? []), ...(other.extraInstructions ?? [])],
    },
    terms: { ...first.terms, ...second.terms },
  }
}

function flipped({ flip }: SvmPlan, payer: KeyPairSigner, attempt: Attempt): Attempt {
  if (!flip || attempt.edit) return attempt
  const { at, mask } = flip
  const change = (message: Uint8Array) => message.map((byte, index) => (index === at % message.length ? byte ^ mask : byte))
  return { ...attempt, edit: (made) => svmEdited(made, payer, change) }
}

/** A wallet that has an account for the money, and none in it. */
async function emptied({ payer, solana }: SvmHarness): Promise<KeyPairSigner> {
  const wallet = await payer(0n)
  await solana.openAccount(wallet.address)
  return wallet
}
