import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { instruction, memoOf, PROGRAMS, setComputeUnitLimit, setComputeUnitPrice, svmPayment, svmV2Body } from './forge'
import { blockhashOf, type SvmHarness } from './harness'

/**
 * A payment through a program that transfers by itself: the one of associated accounts empties a "nested" account, which belongs to
 * another token account, into the account of the wallet above both. The token account in between is the payer, the wallet the payee.
 */
export type SmartPurchase = {
  /** The token account that owns the money: an address of a program, without a key. */
  payer: string
  payTo: string
  source: string
  member: KeyPairSigner
  transaction: string
  body: Record<string, unknown>
}

type SmartOptions = {
  /** What the account holds, atomic units, and what the merchant asks for. */
  held?: bigint
  amount?: bigint
  /** Changes the instructions: limit, price, wallet, memo. */
  instructions?: (usual: Instruction[]) => Instruction[]
  /** The wallet above both accounts; a new one if unset. */
  member?: KeyPairSigner
  signers?: (member: KeyPairSigner) => KeyPairSigner[]
  memo?: string
  wantedMemo?: string
}

/** A signed payment of a smart wallet in USDC on devnet. */
export async function smartPurchase(harness: SvmHarness, options: SmartOptions = {}): Promise<SmartPurchase> {
  const { held = 1_000n, amount = 1_000n } = options
  const { mint } = harness.solana
  const member = options.member ?? (await generateKeyPairSigner())
  const payTo = member.address
  const destination = await harness.solana.openAccount(payTo)
  // The same mint for both: the account between is the payee's own, and owns the nested one.
  const payer = destination
  const source = await harness.solana.mintTo(payer, held)
  const recover = instruction(
    PROGRAMS.associatedToken,
    [`${source}!`, mint, `${destination}!`, payer, mint, `+${payTo}!`, PROGRAMS.token],
    [2],
  )
  const feePayer = harness.feePayers[0]?.address ?? ''
  const usual = [setComputeUnitLimit(60_000), setComputeUnitPrice(1n), recover, memoOf(options.memo ?? 'a purchase')]
  const transaction = await svmPayment({
    payer: member,
    feePayer,
    payTo,
    blockhash: await blockhashOf(harness.solana),
    instructions: () => options.instructions?.(usual) ?? usual,
    ...(options.signers ? { signers: options.signers(member) } : {}),
  })
  const terms = { feePayer, payTo, amount, ...(options.wantedMemo === undefined ? {} : { memo: options.wantedMemo }) }
  return { payer, payTo, source, member, transaction, body: svmV2Body(transaction, terms) }
}

/** The instruction of the wallet's program among the usual ones. */
export const WALLET_AT = 2
