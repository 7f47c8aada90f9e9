import { z } from 'zod'
import type { TransactionErrorJson } from './transaction-errors'

const tokenBalance = z.object({
  accountIndex: z.number(),
  mint: z.string(),
  owner: z.string(),
  programId: z.string(),
  uiTokenAmount: z.object({
    amount: z.string(),
    decimals: z.number(),
    uiAmount: z.number().nullable(),
    uiAmountString: z.string(),
  }),
})
const landedSchema = z.object({
  signature: z.string(),
  slot: z.number(),
  blockTime: z.number(),
  err: z.custom<TransactionErrorJson | null>((value) => value !== undefined),
  /** Lamports, as are the balances, in decimal digits. */
  fee: z.string(),
  logs: z.array(z.string()),
  unitsConsumed: z.number(),
  /** The wire transaction in base64. */
  raw: z.string(),
  accounts: z.array(z.string()),
  preBalances: z.array(z.string()),
  postBalances: z.array(z.string()),
  preTokenBalances: z.array(tokenBalance),
  postTokenBalances: z.array(tokenBalance),
})

/** A transaction that is in a block, with what it did or why it failed. */
export type Landed = z.infer<typeof landedSchema>
export const historySchema = z.array(landedSchema)

/** The transactions of the last minutes. */
export type History = {
  add: (landed: Landed) => void
  find: (signature: string) => Landed | undefined
  /** Newest first: those that name an address. */
  of: (address: string) => Landed[]
  /** Oldest first. */
  newest: (count: number) => Landed[]
}

const most = 5_000

/** Keeps the newest transactions, so many and no more. */
export function createHistory(kept: readonly Landed[]): History {
  const known = new Map(kept.map((landed) => [landed.signature, landed]))
  return {
    add: (landed) => {
      known.set(landed.signature, landed)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
    find: (signature) => known.get(signature),
    of: (address) => [...known.values()].filter(({ accounts }) => accounts.includes(address)).reverse(),
    newest: (count) => [...known.values()].slice(-count),
  }
}
