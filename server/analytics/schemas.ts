import { z } from 'zod'
import { address, amount, component, count, decimals, networkId, resource, symbol } from '../http/schemas'

const day = (example: string) => z.iso.date().meta({ examples: [example] })
const rate = z.number().min(0).max(1)
const volume = amount.describe('Atomic units of successful settlements.')
const earlier = 'of the period of the same length before; null when it had no settlements'

const summary = z.strictObject({
  total_settlements: count,
  successful_settlements: count,
  failed_settlements: count,
  success_rate: rate.meta({
    description: 'The part of all settlements that succeeded, from 0 to 1; 0 without settlements.',
    examples: [0.75],
  }),
  total_volume_atomic: volume,
  unique_payers: count.describe('Distinct payer addresses; one on several networks counts once.'),
  prev_total_settlements: count.nullable().describe(`The count ${earlier}.`),
  prev_success_rate: rate.nullable().meta({ description: `The rate ${earlier}.`, examples: [0.5] }),
  prev_total_volume_atomic: amount.nullable().describe(`The volume ${earlier}.`),
  prev_unique_payers: count.nullable().describe(`The payers ${earlier}.`),
})

/** The responses of the analytics endpoints. */
export const analytics = component(
  'Analytics',
  z
    .strictObject({
      summary,
      asset: symbol.describe('The token of all volumes of this answer but `volumes`.'),
      decimals,
      volumes: z
        .array(z.strictObject({ asset: symbol, decimals, volume_atomic: volume }))
        .describe('The volume of each token in the period. Sums of different tokens are never added.'),
      timeseries: z
        .array(
          z.strictObject({
            date: day('2026-11-20'),
            success_count: count,
            failed_count: count,
            total_volume_atomic: volume,
          }),
        )
        .describe('Only days with settlements, oldest first.'),
      top_resources: z
        .array(
          z.strictObject({
            resource,
            pay_to: address,
            network: networkId,
            settlement_count: count,
            success_count: count,
            total_volume_atomic: volume,
          }),
        )
        .describe('The ten resources with the most settlements.'),
      errors: z.array(z.strictObject({ error_reason: z.string().meta({ examples: ['insufficient_funds'] }), count })),
      networks: z.array(z.strictObject({ network: networkId, count, total_volume_atomic: volume })),
      period: z.strictObject({
        start_date: day('2026-10-22').describe('The first day.'),
        end_date: day('2026-11-21').describe('Today, which is excluded.'),
        days: z.union([z.literal(7), z.literal(30), z.literal(90)]).meta({ examples: [30] }),
        timezone: z.literal('UTC'),
      }),
    })
    .describe('Sums of completed UTC days.'),
)
