import { z } from 'zod'
import { component, count, networkId, time } from '../../http/schemas'
import type { Cause } from '../../x402/reasons/causes'
import { CLAIM_MIN } from './figures'
import { impacts } from './incident-queries'

const fraction = (example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ examples: [example] })

const share = (about: string) =>
  z
    .strictObject({
      of: count.meta({ examples: [1204] }).describe('The payments in the denominator.'),
      share: fraction(0.9967).nullable().describe(`Null with fewer than ${CLAIM_MIN} payments.`),
      lower_bound: fraction(0.9915).nullable().describe('The lower end of the 95% Wilson interval of the share.'),
    })
    .describe(about)

const failed = (about: string, reason: string) =>
  z
    .strictObject({
      count,
      reasons: z
        .array(z.strictObject({ reason: z.string().meta({ examples: [reason] }), count }))
        .describe('The codes of the failures, the most frequent first.'),
    })
    .describe(about)

const figures = component(
  'StatusFigures',
  z
    .strictObject({
      settled: count.meta({ examples: [1200] }),
      failed: z
        .strictObject({
          payer: failed('Payments that the payer or its merchant made fail.', 'insufficient_funds'),
          chain: failed('Accepted payments that failed on the chain or at its nodes.', 'invalid_exact_evm_transaction_failed'),
          facilitator: failed(
            'Accepted payments that we failed to settle. `not_sent`: we gave them up before anything was signed.',
            'not_sent',
          ),
        } satisfies Record<Cause, z.ZodType>)
        .describe('Failed payments by cause.'),
      success: share('Settled payments, without failures of payers and their merchants.'),
      success_of_all: share('Settled payments, all failures included.'),
      settle_ms: z
        .strictObject({
          of: count.meta({ examples: [1200] }).describe('The payments whose time is known.'),
          p50: count.nullable().meta({ examples: [1450] }),
          p95: count.nullable().meta({ examples: [2980] }),
        })
        .describe(
          `Milliseconds from acceptance to inclusion in a block; on flash to the preconfirmation. Within a tenth. Null with fewer than ${CLAIM_MIN} payments.`,
        ),
    })
    .describe('What the payments of a window came to.'),
)

const lastDays = component(
  'StatusDays',
  z
    .strictObject({
      success: share('Settled payments, without failures of payers and their merchants.'),
      median_ms: count
        .nullable()
        .meta({ examples: [1450] })
        .describe('Milliseconds from acceptance to inclusion in a block, without flash.'),
      days: z
        .array(
          z.strictObject({
            date: z.iso.date().meta({ examples: ['2026-11-24'] }),
            settled: count.meta({ examples: [120] }),
            failed: count.describe('Accepted payments that the chain or we made fail.'),
            median_ms: count.nullable().meta({ examples: [1380] }),
          }),
        )
        .describe('The UTC days with payments, oldest first.'),
    })
    .describe('The last 89 completed UTC days and today, without failures of payers and their merchants.'),
)

const incident = component(
  'Incident',
  z
    .strictObject({
      id: z.uuid().meta({ examples: ['5f0c1d5e-8d1b-4a0e-9f3c-2b7a6c4d1e90'] }),
      title: z.string().meta({ examples: ['Slow settlements on Base'] }),
      impact: z.enum(impacts),
      networks: z.array(networkId).describe('Empty: all networks.'),
      started_at: time,
      resolved_at: time.nullable().describe('Null while it lasts.'),
      updates: z
        .array(z.strictObject({ at: time, text: z.string().meta({ examples: ['The nodes of Base answer slowly.'] }) }))
        .describe('Newest first.'),
    })
    .describe('A failure in words of the operator.'),
)

const since = time.describe('Since when this process has seen it so.')

const span = (about: string) =>
  z
    .strictObject({ from: time.describe('Payments count since then.'), until: time })
    .nullable()
    .describe(about)

const tier = component(
  'TierStatus',
  z
    .strictObject({
      tier: z.enum(['standard', 'flash', 'sandbox']),
      available: z
        .boolean()
        .nullable()
        .meta({ examples: [true] })
        .describe('Whether it can take payments now; null if it is no longer configured.'),
      since: since.nullable(),
      pending: z
        .strictObject({
          count,
          oldest_ms: count
            .nullable()
            .meta({ examples: [840] })
            .describe('The age of the oldest; null without any.'),
        })
        .nullable()
        .describe('Accepted payments without an outcome. Null while counts cannot be read, as are both windows.'),
      last_24_hours: figures.nullable(),
      last_30_days: figures.nullable(),
    })
    .describe('A tier on a network.'),
)

/** The response of `GET /status.json`. */
export const statusAnswer = component(
  'Status',
  z
    .strictObject({
      checked_at: time.describe('When availability was checked.'),
      counted_at: time.nullable().describe('When payments were counted; null while they cannot be.'),
      claim_min: count.meta({ examples: [CLAIM_MIN] }).describe('With fewer payments, shares and times are null.'),
      available: z
        .boolean()
        .meta({ examples: [true] })
        .describe('Whether this process and its database can take payments now.'),
      since,
      last_24_hours: span('The last 24 hours; shorter if there were more than 50,000 payments.'),
      last_30_days: span('The last 30 completed UTC days.'),
      incidents: z
        .array(incident)
        .nullable()
        .describe('Incidents of the last 90 days, newest first, at most 50. Null while they cannot be read.'),
      networks: z.array(
        z.strictObject({
          network: networkId,
          name: z.string().meta({ examples: ['Base'] }),
          testnet: z.boolean().meta({ examples: [false] }),
          last_90_days: lastDays.nullable(),
          tiers: z.array(tier),
        }),
      ),
    })
    .describe('Availability, and the outcomes of payments of all keys that keep a history.'),
)
