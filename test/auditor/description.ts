import { z } from 'zod'

const text = z.string()
const milliseconds = z.number().int().nonnegative()

/** What the auditor is told: where to read, and what nobody but the tester can know. */
export const descriptionSchema = z.object({
  databaseUrl: text,
  chains: z.array(
    z.object({
      ...{ network: text, rpcUrl: text, usdc: text },
      /** The fee payers of a cluster of Solana. */
      sponsors: z.array(text).optional(),
    }),
  ),
  /** A file of JSON lines, each an `Answered`. */
  answers: text,
  /** Files with what the services printed. */
  logs: z.array(text),
  secrets: z.array(text),
  /** Monthly settlements by subject; `ip` stands for every address of the sandbox. */
  quotas: z.record(text, z.number().int()),
  bounds: z.object({
    /** A settlement is answered, dead or on the chain within this. */
    settlementMs: milliseconds,
    /** A nonce is used within this. */
    slotMs: milliseconds,
  }),
})

export type Description = z.infer<typeof descriptionSchema>

/** One settle request as its client saw it. `status` is null when the connection ended without an answer. */
export const answeredSchema = z.object({
  at: text,
  subject: text,
  tier: z.enum(['sandbox', 'standard', 'flash']),
  network: text,
  payer: text,
  /** The authorization's; of a message of Solana its SHA-256. */
  nonce: text,
  payTo: text,
  value: text,
  settlementId: text.nullable(),
  /** The answer says of itself that it repeats one that was given under the same `Idempotency-Key`. */
  replayed: z.boolean(),
  status: z.number().int().nullable(),
  body: z.record(text, z.unknown()),
})

export type Answered = z.infer<typeof answeredSchema>
/** A transfer as the chain itself tells it: of an authorization, or of a message of Solana. */
export type Transfer = {
  network: string
  payer: string
  /** The authorization's; of a message its SHA-256. */
  nonce: string
  payTo: string
  value: bigint
  txHash: string
  /** Who sent the transaction. */
  sender: string
}
