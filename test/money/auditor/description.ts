import { z } from 'zod'

const text = z.string()
const milliseconds = z.number().int().nonnegative()

/** The auditor's input: where to read, and the facts that only the test knows. */
export const descriptionSchema = z.object({
  databaseUrl: text,
  chains: z.array(
    z.object({
      network: text,
      rpcUrl: text,
      usdc: text,
      /** The fee payers of a Solana cluster. */
      sponsors: z.array(text).optional(),
    }),
  ),
  /** A file of JSON lines, one `Answered` each. */
  answers: text,
  /** Files with the services' output. */
  logs: z.array(text),
  secrets: z.array(text),
  /** Monthly settlements by subject; `ip` stands for every address of the sandbox. */
  quotas: z.record(text, z.number().int()),
  /** What merchants charged by the vouchers of their channels, as they counted it. At the end all of it must be claimed. */
  charges: z.array(z.object({ network: text, channelId: text, charged: text })).optional(),
  bounds: z.object({
    /** A settlement must be final or on-chain within this time. */
    settlementMs: milliseconds,
    /** A nonce must be used within this time. */
    slotMs: milliseconds,
  }),
})

export type Description = z.infer<typeof descriptionSchema>

/** One settle request and its answer, as the client saw it. `status` is null for a connection without an answer. */
export const answeredSchema = z.object({
  at: text,
  subject: text,
  tier: z.enum(['sandbox', 'standard', 'flash']),
  network: text,
  payer: text,
  /** The authorization's nonce, in hex or for Permit2 in digits; on Solana the SHA-256 of the message. */
  nonce: text,
  payTo: text,
  /** The contract of the token, or on Solana its mint. */
  asset: text,
  value: text,
  settlementId: text.nullable(),
  /** True for an answer that replays an earlier one under the same `Idempotency-Key`. */
  replayed: z.boolean(),
  status: z.number().int().nullable(),
  body: z.record(text, z.unknown()),
})

/** One settle request about channels and its answer, as the merchant's server saw it. */
export const actedSchema = z.object({
  act: z.enum(['claim', 'refund', 'sweep']),
  network: text,
  /** The channels of a claim or refund; of a sweep the receiver and its token, with a space between. */
  of: z.array(text),
  status: z.number().int().nullable(),
  body: z.record(text, z.unknown()),
})

export type Acted = z.infer<typeof actedSchema>
export type Answered = z.infer<typeof answeredSchema>
/** An on-chain transfer by an authorization or by a Solana message. */
export type Transfer = {
  network: string
  payer: string
  /** The authorization's nonce, in hex or for Permit2 in digits; on Solana the message's SHA-256. */
  nonce: string
  payTo: string
  /** The token that moved, by the log or the balances that prove it. */
  asset: string
  value: bigint
  txHash: string
  /** The sender of the transaction. */
  sender: string
  /** Of a charge by `upto`: what its payer signed at most, and the only account that may send it. */
  signed?: { maximum: bigint; facilitator: string }
}
