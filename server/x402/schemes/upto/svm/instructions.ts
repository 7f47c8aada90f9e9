import type { SvmNetworkId } from '../../../networks/networks'
import { COMPUTE_BUDGET_PROGRAM } from '../../exact/svm/programs'
import type { BuiltInstruction } from './message'
import { CHANNEL_PROGRAM, EVENT_AUTHORITY, keyBytes, tokensOf, treasuryOf } from './program'
import type { UptoChannel } from './transfers'
import { signatureBytes, type UptoVoucher, voucherMessage } from './voucher'

const ED25519_PROGRAM = 'Ed25519SigVerify111111111111111111111111111'
const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111'

/** The compute units of what we send for channels, and their price in micro-lamports, as the official facilitator sets them. */
const UNITS = 100_000
const UNIT_PRICE = 1n

function unitLimit(units: number): BuiltInstruction {
  const data = Buffer.alloc(5)
  data.writeUInt8(2, 0)
  data.writeUInt32LE(units, 1)
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}

function unitPrice(microLamports: bigint): BuiltInstruction {
  const data = Buffer.alloc(9)
  data.writeUInt8(3, 0)
  data.writeBigUInt64LE(microLamports, 1)
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}

/** The limit of compute units of a simulation. */
const MOST_UNITS = 1_400_000

/** A limit of compute units without a price, for simulations. */
export const simulatedUnits = (): BuiltInstruction => unitLimit(MOST_UNITS)

/** The instructions before ours in what we send. */
export const sentUnits = (): BuiltInstruction[] => [unitLimit(UNITS), unitPrice(UNIT_PRICE)]

const OWN_INSTRUCTION = 0xffff

/** The check of a voucher's signature by the chain, directly before the program reads it. */
function signatureCheck(authorizer: string, signature: string, voucher: UptoVoucher): BuiltInstruction {
  const bytes = signatureBytes(signature)
  if (!bytes) throw new Error('not a signature of a voucher')
  const message = voucherMessage(voucher)
  const head = Buffer.alloc(16)
  const words = [1, 48, OWN_INSTRUCTION, 16, OWN_INSTRUCTION, 112, message.length, OWN_INSTRUCTION]
  for (const [at, word] of words.entries()) head.writeUInt16LE(word, 2 * at)
  return { program: ED25519_PROGRAM, accounts: [], data: Buffer.concat([head, keyBytes(authorizer), bytes, message]) }
}

type SealedChannel = Pick<UptoChannel, 'id' | 'feePayer' | 'authorizer' | 'expiresAt'>

/** Settles a charge and ends the channel; without a signature nothing is charged. */
export function settleAndSeal(
  { id, feePayer, authorizer, expiresAt }: SealedChannel,
  charge: { amount: bigint; signature: string } | null,
): BuiltInstruction[] {
  const seal = {
    program: CHANNEL_PROGRAM,
    accounts: [{ address: feePayer, signs: true }, { address: id, writes: true }, { address: INSTRUCTIONS_SYSVAR }],
    data: Uint8Array.of(4, charge ? 1 : 0),
  }
  if (!charge) return [seal]
  return [signatureCheck(authorizer, charge.signature, { channelId: id, amount: charge.amount, expiresAt }), seal]
}

/** Seals a channel whose payer's delay is over. */
export const seal = ({ id }: Pick<UptoChannel, 'id'>): BuiltInstruction => ({
  program: CHANNEL_PROGRAM,
  accounts: [{ address: id, writes: true }],
  data: Uint8Array.of(6),
})

/** The part of a distribution that goes to one account: all of it. */
export function wholeShare(payTo: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(1, 0, 0, 0), keyBytes(payTo), Uint8Array.of(0x10, 0x27)])
}

/** Pays what was charged to its payee, the rest back to the payer, and the rent to the fee payer. */
export function distribute(
  network: SvmNetworkId,
  {
    id,
    payer,
    payTo,
    asset,
    tokenProgram,
    feePayer,
  }: Omit<SealedChannel & UptoChannel, 'maximum' | 'withdrawDelay' | 'openSlot'>,
): BuiltInstruction {
  const tokens = (owner: string) => ({ address: tokensOf(owner, asset, tokenProgram), writes: true })
  return {
    program: CHANNEL_PROGRAM,
    accounts: [
      { address: id, writes: true },
      { address: payer, writes: true },
      { address: feePayer, writes: true },
      tokens(id),
      tokens(payer),
      tokens(feePayer),
      tokens(treasuryOf(network)),
      { address: asset },
      { address: tokenProgram },
      { address: EVENT_AUTHORITY },
      { address: CHANNEL_PROGRAM },
      tokens(payTo),
    ],
    data: Buffer.concat([Uint8Array.of(7), wholeShare(payTo)]),
  }
}

/** Ends the account of a channel that was paid out, and gives its rent back. */
export function reclaim({ id, feePayer }: Pick<UptoChannel, 'id' | 'feePayer'>): BuiltInstruction {
  return {
    program: CHANNEL_PROGRAM,
    accounts: [
      { address: id, writes: true },
      { address: feePayer, writes: true },
    ],
    data: Uint8Array.of(9),
  }
}
