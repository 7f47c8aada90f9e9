import type { RefusalReason } from '../../base/errors'
import { type Sql, sql } from '../../db/sql'
import type { SignatureProof } from '../../x402/schemes/evm-signed'

/** What the bounds of a claim depend on. */
export type BoundFacts = {
  /** What proves the transfer: the payer's key or code, or bytes that the payer made, perhaps with a program of its own. */
  proof: SignatureProof | 'own bytes' | 'own program'
  /** The maximum gas cost of the transfer in the network's smallest unit; null when another facilitator pays it. */
  gasEach: bigint | null
  /** The part of it that pays for the payer's own approval; null for any other payment. */
  approving: bigint | null
  /** The most that one approval may cost on the network. */
  approvalMax: bigint
  /** The daily gas budgets: of the claim's owner and plan, and of all free keys; null for a key that does not spend that one. */
  budgets: { own: bigint; free: bigint | null }
  /** The decimals of the token. */
  decimals: number
  /** Whether the caller may get a preconfirmation as its answer. */
  preconfirmed: boolean
  /** For how many seconds an earlier payment on the same terms without an answer refuses this one; null: it does not. */
  secondChargeSeconds: number | null
  /** Where it opens a channel, whose rent the service fronts: how many may be open on its network; null for anything else. */
  opensChannel: number | null
  /** How long a payment in flight counts, milliseconds. */
  horizonMs: number
}

/** What the text of a refusal depends on. */
type RefusedClaim = {
  /** The title of the network. */
  title: string
  hasKey: boolean
  /** Whether the operator pays gas of free keys on the network at all. */
  paysFree: boolean
}

/** A count over `q`: a network, its payer or party, `horizonMs`, and the largest of these bounds. Counts stop at their bound. */
type Shared = { bounds: Sql; count: Sql }

/**
 * One limit of a claim. Its SQL becomes part of the statement that claims (`statements/claim-statement.ts`). There `asked` has the claims with
 * their bounds, and `counted` adds what the ledger holds. In both, a piece names its own claim `a`.
 */
export type Guard = {
  /** How a claim ends that breaks the limit. */
  rejection: string
  /** The bounds that a claim brings to the statement, by column. */
  limit?: (of: BoundFacts) => Readonly<Record<string, number | bigint | null>>
  /** Those columns with their types. */
  columns?: Sql
  /** Columns of `asked`: what earlier claims `c` of the same statement add. */
  ahead?: Sql
  /** Columns of `counted` that are counted once for all claims of a payer or party on a network. */
  perPayer?: Shared
  perParty?: Shared
  /** A common table expression over `asked`, for another count that claims share. */
  table?: Sql
  /** Joins the claim to what it counts. All those columns are columns of `counted`. */
  join?: Sql
  /** More columns of `counted`. */
  facts?: Sql
  /** The condition over `counted` under which the claim keeps the limit. */
  holds: Sql
  reason: RefusalReason
  text: (of: RefusedClaim) => string
  /** Seconds, or until the budgets of the next UTC day. */
  retryAfter: number | 'midnight'
}

/** A guard whose rejection and bounds the compiler knows by name. */
export const guard = <const One extends Guard>(one: One): One => one

/** A payment at another facilitator is in no queue of ours: it counts this long. */
const REMOTE_COUNTS_MS = 60_000

/** A payment `s` stops counting after the horizon of `q`, so that old ones do not block new ones. */
export const RECENT = sql`s."createdAt" > now() - CASE WHEN s."laneClass" = 'remote' THEN LEAST(q."horizonMs", ${REMOTE_COUNTS_MS}::int) ELSE q."horizonMs" END * interval '1 ms'`

/** Whether the payment `s` is in flight: not mined yet, and claimed within the horizon of `q`. */
export const IN_FLIGHT = sql`s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST') AND ${RECENT}`

/** Whether the failure `f` counts still. */
export const LATELY = sql`f."at" > now() - interval '1 hour'`
