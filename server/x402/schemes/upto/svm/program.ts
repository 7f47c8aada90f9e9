import { bytes32 } from '../../../encodings'
import type { SvmNetworkId } from '../../../networks/networks'
import { associatedAccount } from '../../exact/svm/associated-account'
import { derivedAddress } from '../../exact/svm/derived-address'

/** The program that holds what payers of `upto` deposit on Solana. */
export const CHANNEL_PROGRAM = 'CHNLxYvVA28MJP9PrFuDXccuoGXAx7jBacfLEkahyGsX'

/** A channel may name a slot that is at most this old; its account can end only behind that. */
export const OPEN_SLOT_WINDOW = 1_500n

/** What a token account costs, lamports: 165 bytes. */
const TOKENS_RENT = 2_039_280n

/** What two accounts of a channel cost while it is open, lamports: 256 bytes, and its token account. */
export const CHANNEL_RENT = 2_672_640n + TOKENS_RENT

/** What the steps behind an open cost, lamports: the signatures of a charge, of its voucher and of the reclaim, with the price of their units. */
export const LATER_FEES = 3n * 5_000n + 2n

/** The bytes of an address. Throws for another text: callers have checked it. */
export function keyBytes(address: string): Uint8Array {
  const bytes = bytes32(address)
  if (bytes) return bytes
  throw new Error('not an address of Solana')
}

const PROGRAM_KEY = keyBytes(CHANNEL_PROGRAM)

/** The account by which the program writes its events. */
export const EVENT_AUTHORITY = derivedAddress([Buffer.from('event_authority')], PROGRAM_KEY).address

const TREASURY_OF_DEVNET = '4zTeC5mVqWLruDexgU2mV66p9t5vCA9JyiZqdGDUspap'
const TREASURY = 'Cs2zdfUNonRdRGsiZUQQLdTxzxVvJZmgiX2mpLYKuEqP'

/** Whose token account must exist for a channel to be paid out, though it gets nothing. */
export const treasuryOf = (network: SvmNetworkId): string =>
  network === 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' ? TREASURY_OF_DEVNET : TREASURY

/** A number as the program reads it. */
export function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** What makes a channel: its address derives from it. */
type ChannelSeeds = {
  payer: string
  payee: string
  mint: string
  authorizer: string
  nonce: bigint
  openSlot: bigint
}

/** The address of a channel. */
export function channelAddress({ payer, payee, mint, authorizer, nonce, openSlot }: ChannelSeeds): string {
  const parties = [payer, payee, mint, authorizer].map(keyBytes)
  return derivedAddress([Buffer.from('channel'), ...parties, u64(nonce), u64(openSlot)], PROGRAM_KEY).address
}

/** The token account of an owner that is an address. */
export function tokensOf(owner: string, mint: string, tokenProgram: string): string {
  const account = associatedAccount(owner, mint, tokenProgram)
  if (account) return account
  throw new Error('not an address of Solana')
}

/** The identity of a step on a channel: each step succeeds once. */
export const stepIdentity = (network: string, channelId: string, step: 'open' | 'claim' | 'reclaim'): string[] => [
  network,
  CHANNEL_PROGRAM,
  channelId,
  step,
]
