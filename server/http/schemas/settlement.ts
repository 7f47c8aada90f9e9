import { z } from 'zod'
import { component } from './component'
import { address, amount, idOf, networkId, payer, resource, time, transaction } from './words'

const settlement = component(
  'Settlement',
  z
    .strictObject({
      id: idOf('the settlement: its `x-settlement-id`'),
      state: z.enum(['pending', 'succeeded', 'failed']).meta({ examples: ['succeeded'] }),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Why it failed; null otherwise.', examples: [null] }),
      message: z
        .string()
        .nullable()
        .meta({ description: 'The facts of a failure in a sentence or two, where the reason does not say them; else null.', examples: [null] }),
      transaction,
      network: networkId,
      payer,
      pay_to: address,
      amount,
      resource,
      created_at: time,
    })
    .describe('A settlement as the caller who made it may see it.'),
)

/** The answer of a lookup: more than one only by a transaction that carried several. */
export const settlements = component(
  'Settlements',
  z.strictObject({ settlements: z.array(settlement) }).describe('The caller’s settlements by an id or a transaction.'),
)
