import { z } from 'zod'
import {
  address,
  amount,
  component,
  decimals,
  idOf,
  maximum,
  networkId,
  payer,
  plan,
  REASONS_PAGE,
  resource,
  symbol,
  time,
  transaction,
} from '../http/schemas'

const agent = component(
  'Agent',
  z
    .strictObject({
      token_id: z.string().meta({ description: 'The ERC-721 token of the agent.', examples: ['7'] }),
      name: z
        .string()
        .nullable()
        .meta({ examples: ['Scout'] }),
      url: z
        .string()
        .meta({ description: "The agent's profile in the registry.", examples: ['https://registry.example/agents/base/7'] }),
    })
    .describe("An ERC-8004 agent that the payer's wallet owns."),
)

const entry = component(
  'HistoryEntry',
  z
    .strictObject({
      created_at: time,
      success: z.boolean().meta({ examples: [true] }),
      tx_hash: transaction,
      network: networkId,
      payer_amount: amount,
      maximum: maximum.optional(),
      asset: symbol,
      decimals,
      tenant_id: idOf('the tenant whose key settled it; all zeros in the sandbox'),
      payer,
      resource,
      pay_to: address,
      plan,
      error_reason: z
        .string()
        .nullable()
        .meta({ description: `Null on success; else a code explained at ${REASONS_PAGE}<code>.`, examples: [null] }),
      agents: z.array(agent).optional().describe('Absent when the payer has none.'),
    })
    .describe('A settlement that ended, or a payment that failed its judgement.'),
)

/** The responses of the history endpoints. */
export const historyPage = component(
  'HistoryPage',
  z
    .strictObject({
      settlements: z.array(entry).describe('Newest first, for both directions.'),
      cursor: z
        .string()
        .meta({ description: 'Pass it to get the next page; empty if there are no settlements.', examples: ['AZk1…'] }),
      has_more: z.boolean().meta({ description: 'Whether there are more in this direction.', examples: [false] }),
    })
    .describe('A page of settlements.'),
)
