import {
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__TRANSACTION__ADDRESSES_CANNOT_SIGN_TRANSACTION,
} from '@solana/kit'
import fc from 'fast-check'
import { signerOf } from '../../../devnet/solana/keys'
import { changed } from '../../support/payloads/bodies'
import { PROGRAMS, someAddress, svmEdited, svmTokenAccount } from '../../support/svm/forge'
import { blockhashOf, type SvmHarness, startSvmHarness } from '../../support/svm/harness'
import { createMint, type TestMint } from '../../support/svm/mints'
import { type Attempt, type Parties, soundPayments, svmBody, svmTricks, type Trick } from '../../support/svm/tricks'

type Json = Record<string, unknown>

/** The properties of a Solana devnet payment; most equal those of a valid one. */
export type SvmPlan = {
  version: 1 | 2
  /** Titles of valid payments and tricks; of two changes to the same part the later one wins. */
  tricks: string[]
  payer: 'rich' | 'short' | 'poor' | 'without an account'
  payTo: 'merchant' | 'without an account'
  blockhash: 'new' | 'unknown'
  amount: 'usual' | 'tiny' | 'huge'
  /** Changes a byte of the message before the payer signs. */
  flip: { at: number; mask: number } | null
  transaction: 'there' | 'empty' | 'missing'
  /** The token of transfer and requirements. */
  token: 'USDC' | 'Token-2022'
}

const TRICKS = new Map([...soundPayments, ...svmTricks].map((trick) => [trick.title, trick]))

/** The tricks of a plan. */
function tricksOf({ tricks }: SvmPlan): Trick[] {
  return tricks.flatMap((title) => TRICKS.get(title) ?? [])
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Random plans; most differ from a valid payment in one or two properties. */
export const svmPlan: fc.Arbitrary<SvmPlan> = fc.record(
  {
    version: fc.constantFrom<1 | 2>(1, 2),
    tricks: fc.array(fc.constantFrom(...TRICKS.keys()), { maxLength: 2 }),
    payer: mostly<SvmPlan['payer']>('rich', 'short', 'poor', 'without an account'),
    payTo: mostly<SvmPlan['payTo']>('merchant', 'without an account'),
    blockhash: mostly<SvmPlan['blockhash']>('new', 'unknown'),
    amount: mostly<SvmPlan['amount']>('usual', 'tiny', 'huge'),
    flip: fc.option(fc.record({ at: fc.nat(600), mask: fc.integer({ min: 1, max: 255 }) }), { freq: 4, nil: null }),
    transaction: mostly<SvmPlan['transaction']>('there', 'empty', 'missing'),
    token: fc.constantFrom<SvmPlan['token']>('USDC', 'Token-2022'),
  },
  { noNullPrototype: true },
)

/** The plan of a valid payment. */
export const soundSvmPlan: SvmPlan = {
  version: 2,
  tricks: [],
  payer: 'rich',
  payTo: 'merchant',
  blockhash: 'new',
  amount: 'usual',
  flip: null,
  transaction: 'there',
  token: 'USDC',
}

const AMOUNTS = { usual: 1_000n, tiny: 99n, huge: 10n ** 15n }

/** A service with fee payers on both clusters and a Token-2022 mint on devnet, and a function that turns a plan into a body. */
export async function startSvmStage(): Promise<{ harness: SvmHarness; bodyOf: (plan: SvmPlan) => Promise<Json> }> {
  let dollar: TestMint | undefined
  const harness = await startSvmHarness({
    mainnet: true,
    async prepare(solana) {
      dollar = await createMint(solana)
      return { SOLANA_DEVNET_MINTS: `USDT:${dollar.mint}` }
    },
  })
  if (!dollar) throw new Error('the mint is made before the service')
  return { harness, bodyOf: await createSvmStage(harness, dollar) }
}

// Makes the accounts that plans need.
async function createSvmStage(harness: SvmHarness, dollar: TestMint): Promise<(plan: SvmPlan) => Promise<Json>> {
  const [rich, short, poor, unrelated, merchant, unopened] = await Promise.all([
    harness.payer(10n ** 12n),
    harness.payer(99n),
    emptied(harness),
    harness.payer(),
    harness.recipient(),
    harness.payer(0n),
  ])
  await Promise.all([
    dollar.mintTo(rich.address, 10n ** 12n),
    dollar.mintTo(short.address, 99n),
    dollar.mintTo(poor.address, 0n),
    dollar.mintTo(merchant, 0n),
  ])
  const payers = { rich, short, poor, 'without an account': unopened }
  const [feePayer, headroom] = await Promise.all([
    signerOf(harness.env.SOLANA_SANDBOX_SIGNER_KEYS ?? ''),
    signerOf(harness.env.SOLANA_SIGNER_KEYS ?? ''),
  ])
  return async (plan) => {
    const payer = payers[plan.payer]
    const payTo = plan.payTo === 'merchant' ? merchant : someAddress()
    const token = plan.token === 'USDC' ? { mint: harness.solana.mint, program: PROGRAMS.token } : dollar
    const { mint, program } = token
    const [source, destination] = await Promise.all([payer.address, payTo].map((owner) => svmTokenAccount(owner, mint, program)))
    if (!source || !destination) throw new Error('two owners have two accounts')
    const parties: Parties = { payer, unrelated, feePayer, headroom, payTo, source, destination }
    const blockhash = plan.blockhash === 'new' ? await blockhashOf(harness.solana) : someAddress()
    const amount = AMOUNTS[plan.amount]
    const usual: Attempt = { transaction: { blockhash, amount, mint, program }, terms: { amount }, requirements: { asset: mint } }
    const attempts = await Promise.all(tricksOf(plan).map(({ make }) => make(parties)))
    const made = (some: Attempt[]) => svmBody(parties, flipped(plan, payer, some.reduce(both, usual)), plan.version)
    const body = await made(attempts).catch((error: unknown) => {
      // The second change removed a signer that the first needs: use the first alone.
      if (isSolanaError(error, SOLANA_ERROR__TRANSACTION__ADDRESSES_CANNOT_SIGN_TRANSACTION)) return made(attempts.slice(0, 1))
      throw error
    })
    return plan.transaction === 'there' ? body : without(plan.transaction, body)
  }
}

function without(how: 'empty' | 'missing', body: Json): Json {
  return changed(body, 'paymentPayload.payload.transaction', how === 'empty' ? '' : undefined)
}

// The changes to the instructions apply in sequence.
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
    requirements: { ...first.requirements, ...second.requirements },
  }
}

function flipped({ flip }: SvmPlan, payer: KeyPairSigner, attempt: Attempt): Attempt {
  if (!flip || attempt.edit) return attempt
  const { at, mask } = flip
  const change = (message: Uint8Array) => message.map((byte, index) => (index === at % message.length ? byte ^ mask : byte))
  return { ...attempt, edit: (made) => svmEdited(made, payer, change) }
}

/** A wallet with an empty USDC account. */
async function emptied({ payer, solana }: SvmHarness): Promise<KeyPairSigner> {
  const wallet = await payer(0n)
  await solana.openAccount(wallet.address)
  return wallet
}
