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
  innerInstructions: z
    .array(
      z.object({
        index: z.number(),
        instructions: z.array(
          z.object({ programIdIndex: z.number(), accounts: z.array(z.number()), data: z.string(), stackHeight: z.number() }),
        ),
      }),
    )
    .default([]),
  /** The wire transaction in base64. */
  raw: z.string(),
  accounts: z.array(z.string()),
  preBalances: z.array(z.string()),
  postBalances: z.array(z.string()),
  preTokenBalances: z.array(tokenBalance),
  postTokenBalances: z.array(tokenBalance),
})

/** A transaction in a block, with its effects or its error. */
export type Landed = z.infer<typeof landedSchema>
export const historySchema = z.object({ landed: z.array(landedSchema), firstSlot: z.number() })

/** Transactions, oldest first, and the first slot whose transactions are complete. */
export type Kept = { landed: Landed[]; firstSlot: number }

/** The transactions of the last minutes. */
export type History = {
  add: (landed: Landed) => void
  find: (signature: string) => Landed | undefined
  /** The transactions that name an address, newest first. */
  of: (address: string) => Landed[]
  newest: (count: number) => Kept
  firstSlot: () => number
}

const most = 5_000

/** Keeps the newest 5,000 transactions. */
export function createHistory({ landed: kept, firstSlot: first }: Kept): History {
  const known = new Map(kept.map((landed) => [landed.signature, landed]))
  let firstSlot = first
  return {
    add: (landed) => {
      known.set(landed.signature, landed)
      const [oldest] = known.values()
      if (known.size <= most || oldest === undefined) return
      known.delete(oldest.signature)
      firstSlot = after(oldest)
    },
    find: (signature) => known.get(signature),
    of: (address) => [...known.values()].filter(({ accounts }) => accounts.includes(address)).reverse(),
    newest: (count) => {
      const all = [...known.values()]
      const left = all.at(-count - 1)
      return { landed: all.slice(-count), firstSlot: left === undefined ? firstSlot : after(left) }
    },
    firstSlot: () => firstSlot,
  }
}

// The same slot may have lost other transactions too.
const after = ({ slot }: Landed): number => slot + 1
