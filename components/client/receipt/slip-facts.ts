import { z } from 'zod'
import { assetAt, tokenNamed } from '@/server/x402/networks/assets'
import { finalities } from '@/server/x402/networks/finality'
import { read } from './verify-receipt'

/** What a slip states of a payment. Amounts are atomic units as digits. */
export type SlipFacts = {
  /** What was paid. */
  amount: string
  /** What the payer signed at most, where the amount is what was charged of it. */
  maximum: string | null
  symbol: string
  decimals: number
  /** The address of the token. */
  asset: string | null
  network: string
  payer: string
  payTo: string
  resource: string
  transaction: string
  block: string | null
  logIndex: number | null
  state: (typeof states)[number] | 'uncharged'
  /** When it was accepted (ISO 8601). */
  at: string
  settlementId: string | null
}

const states = [...finalities, 'reversed', 'failed'] as const

const claims = z.object({
  iss: z.string(),
  settlement_id: z.string(),
  created_at: z.number(),
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  pay_to: z.string(),
  amount: z.string().regex(/^\d+$/),
  maximum: z.string().regex(/^\d+$/).optional(),
  resource: z.string(),
  transaction: z.string(),
  log_index: z.number().nullable(),
  block_number: z.number().nullable(),
  state: z.enum(states),
})

/** The facts that a signed receipt states, and who signed it. Nothing is verified. Throws for a text that is no receipt. */
export function factsIn(receipt: string): SlipFacts & { issuer: string } {
  const [, part = ''] = receipt.split('.')
  const said = claims.parse(read(part))
  const { symbol, decimals } = assetAt(said.network, said.asset) ?? tokenNamed(said.asset)
  return {
    issuer: said.iss,
    amount: said.amount,
    maximum: said.maximum ?? null,
    symbol,
    decimals,
    asset: said.asset,
    network: said.network,
    payer: said.payer,
    payTo: said.pay_to,
    resource: said.resource,
    transaction: said.transaction,
    block: said.block_number === null ? null : String(said.block_number),
    logIndex: said.log_index,
    state: said.state,
    at: new Date(said.created_at * 1_000).toISOString(),
    settlementId: said.settlement_id,
  }
}
