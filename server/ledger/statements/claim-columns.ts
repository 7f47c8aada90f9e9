import type { Hex } from 'viem'
import type { EffectKind } from '../../db/outbox'
import { sql } from '../../db/sql'
import { stepKey } from '../../x402/intent'
import { symbolOf } from '../../x402/networks/assets'
import type { Finality } from '../../x402/networks/finality'
import type { UptoChannel } from '../../x402/schemes/upto/svm/transfers'
import type { ClaimLimits } from '../guards/guards'
import type { Submitter } from './lanes'

/**
 * What a settlement is: a payment, or of a channel a deposit, claims, a refund, or the payment of what was claimed. On Solana an
 * `escrow` takes the maximum into a channel, a `close` returns an uncharged deposit, and a `reclaim` returns the rent.
 */
export type SettlementKind = 'payment' | 'deposit' | 'claim' | 'refund' | 'sweep' | 'escrow' | 'close' | 'reclaim'

/** A row of a channel that an act claims: its total, and what its voucher covers. Atomic units. */
export type ClaimedRow = { channelId: Hex; total: bigint; signed: bigint }

/** A channel whose refunds are signed here, and what a deposit says of it. Atomic units. */
export type DepositedChannel = { id: Hex; config: object; signed: bigint; signature: Hex }

/** A claim: everything the ledger must know to finish this settlement without the request that made it. */
export type Claim = {
  id: string
  /** Unset: a payment. */
  kind?: SettlementKind
  intentKey: Uint8Array
  requestHash: Uint8Array
  tenantId: string
  /** The key that was used, null in the sandbox, and the version of its tenant by which the payment was admitted. */
  key: { id: string; version: number } | null
  /** Who may join, ask for and repeat this settlement. */
  caller: string
  /** Whose queue it counts against: one owner's keys of a plan together, a key with a quota of its own, a sandbox address. */
  party: string
  /** The block of addresses that made its free key, whose share of the common gas budget it spends; null for any other key. */
  freeFrom: string | null
  /** Who pays for it; `MONTHLY` with one of so many units of a month, of which some may come back, `PREPAID` with a credit. */
  subject: string
  period: string
  unitsMax: number
  returnCap: number
  tier: string
  /** Whose signers may send it. */
  laneClass: Submitter
  /** Whether it may share its transaction with other payments. */
  shares: boolean
  /** The finality for which its answer waits; null: the usual one of its tier. */
  waitUntil: Finality | null
  /** The id that its client gave it. */
  paymentIdentifier: string | null
  /** The instance in whose queue it waits; null: it is left to any that has a lane. */
  queuedBy: string | null
  network: string
  asset: string
  payer: string
  payTo: string
  amount: bigint
  /** What its payer signed at most, where the amount is only what was charged. */
  maximum?: bigint | null
  /** The only signer that may send it; unset: any. */
  sender?: string | null
  resource: string
  /** The rows of channels that it claims, each channel once; unset: none. */
  claimRows?: readonly ClaimedRow[]
  /** The channel into which it deposits, with the voucher that came with it; unset: none is kept. What it charges is known once it landed. */
  channel?: DepositedChannel | null
  /** The channel on Solana that it opens; unset: none. */
  opens?: UptoChannel | null
  /** What its payer buys with it. */
  credits: bigint
  transfer: object
  declared: object
  /** What has to follow its success. */
  effects: readonly EffectKind[]
  /** Unix seconds after which the chain refuses the transfer. */
  expiresAt: bigint
  waiter: string
  deadlineMs: number
  /** Whether the next thing that may happen for it is the write-ahead of its transaction here. */
  signedNext: boolean
  limits: ClaimLimits
}

// A validBefore of 2^256 - 1 is legal; the column is a 64-bit integer and the year 292 billion is late enough.
const FAR_FUTURE = 2n ** 63n - 1n

/** Everything of a claim but its bounds, as columns of one statement. */
export const ASKED = sql`
  "at" int, "id" uuid, "kind" text, "intentKey" bytea, "requestHash" bytea, "tenantId" uuid, "keyId" uuid, "keyVersion" int, "caller" text, "party" text, "freeFrom" text,
  "subject" text, "period" text, "unitsMax" int, "returnCap" int, "tier" text, "laneClass" text, "shares" boolean, "waitUntil" text, "paymentIdentifier" text, "queuedBy" text, "network" text, "asset" text, "symbol" text, "payer" text,
  "payTo" text, "amount" numeric, "maximum" numeric, "sender" text, "resource" text, "claimRows" jsonb, "channel" jsonb, "opens" jsonb, "credits" int, "transfer" jsonb, "declared" jsonb, "effects" text[], "expiresAt" bigint,
  "waiter" text, "deadlineMs" int, "horizonMs" int`

/** The fields of a claim that are columns as they are. An order has more fields than its claim, so each is named. */
const UNCHANGED: readonly (keyof Claim)[] = [
  'id',
  'tenantId',
  'caller',
  'party',
  'freeFrom',
  'subject',
  'period',
  'unitsMax',
  'returnCap',
  'tier',
  'laneClass',
  'queuedBy',
  'network',
  'asset',
  'payer',
  'payTo',
  'resource',
  'transfer',
  'declared',
  'effects',
  'waiter',
  'deadlineMs',
  'shares',
  'waitUntil',
  'paymentIdentifier',
  'sender',
]

/** The columns of a claim, the one at this place of its statement. */
export function columnsOf(claim: Claim, at: number): Record<string, unknown> {
  return {
    at,
    ...Object.fromEntries(UNCHANGED.map((name) => [name, claim[name]])),
    intentKey: bytes(claim.intentKey),
    requestHash: bytes(claim.requestHash),
    kind: claim.kind ?? 'payment',
    keyId: claim.key?.id,
    keyVersion: claim.key?.version,
    symbol: symbolOf(claim.network, claim.asset),
    amount: String(claim.amount),
    maximum: claim.maximum?.toString() ?? null,
    claimRows: claim.claimRows?.map(({ channelId, total, signed }) => ({
      channelId,
      total: String(total),
      signed: String(signed),
    })),
    channel: claim.channel ? depositedIn(claim.channel) : undefined,
    opens: claim.opens ? openedIn(claim.network, claim.opens) : undefined,
    credits: String(claim.credits),
    expiresAt: String(claim.expiresAt > FAR_FUTURE ? FAR_FUTURE : claim.expiresAt),
    ...Object.fromEntries(Object.entries(claim.limits).map(([name, bound]) => [name, inJson(bound)])),
  }
}

const depositedIn = ({ signed, ...channel }: DepositedChannel) => ({
  ...channel,
  signed: String(signed),
})

const openedIn = (
  network: string,
  { id, tokenProgram, feePayer, authorizer, withdrawDelay, openSlot, expiresAt }: UptoChannel,
) => ({
  id,
  claimKey: stepKey(network, id, 'claim').slice(2),
  tokenProgram,
  feePayer,
  authorizer,
  withdrawDelay,
  openSlot: String(openSlot),
  expiresAt: String(expiresAt),
})

const inJson = (bound: number | bigint | null) => (typeof bound === 'bigint' ? String(bound) : bound)

/** The form in which PostgreSQL reads bytes from text. */
const bytes = (raw: Uint8Array) => `\\x${Buffer.from(raw).toString('hex')}`
