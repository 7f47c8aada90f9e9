import { z } from 'zod'
import { expected } from '../http/request'
import { address, component, idOf, networkId, time } from '../http/schemas'
import { NONCE_DIGITS } from './lanes'

/** The response of `GET /health?ready=1`. */
export const readiness = component(
  'Readiness',
  z
    .strictObject({
      status: z.enum(['ready', 'not ready']),
      parts: z.array(
        z.strictObject({
          part: z
            .string()
            .describe(
              '`process`, `database`, `migrations`, `production`, `sandbox`, a network with the class of its signers, or a facilitator with its tier.',
            )
            .meta({ examples: ['eip155:84532 sandbox'] }),
          ready: z.boolean().meta({ examples: [true] }),
          required: z
            .boolean()
            .describe('Whether payments need this part; others are only reported.')
            .meta({ examples: [true] }),
          message: z.string().meta({ examples: ['is ready'] }),
          since: time.describe('Since when this process has seen the part as it is.'),
        }),
      ),
    })
    .describe('Whether this process can send payments now.'),
)

const health = component('Health', z.strictObject({ status: z.literal('ok') }).describe('The process runs.'))

/** The response of `GET /health`, in both forms. */
export const healthAnswer = component(
  'Standing',
  z.union([health, readiness]).describe('The health of the process; with `ready=1`, its readiness.'),
)

const nonce = (example: string) =>
  z
    .string()
    .regex(/^\d{1,20}$/)
    .meta({ examples: [example] })

/** A lane as the admin sees it. */
export const lane = component(
  'Lane',
  z
    .strictObject({
      id: idOf('the lane'),
      network: networkId,
      address,
      class: z.enum(['sandbox', 'production']).describe('The class of payments that it sends.'),
      status: z.enum(['ready', 'quarantined']).describe('`quarantined` signs nothing until it is released.'),
      quarantined_at: time.nullable().meta({ examples: [null] }),
      why: z
        .string()
        .nullable()
        .describe('Why it is quarantined.')
        .meta({ examples: [null] }),
      next_nonce: nonce('17').nullable().describe('The nonce of its next transaction, by the ledger; null before the first.'),
      chain: z
        .strictObject({ mined: nonce('17'), pending: nonce('17') })
        .nullable()
        .describe("The chain's transaction counts of the signer: mined, and with pending ones; null while no node answers."),
      unknown: z
        .strictObject({ from: nonce('17'), to: nonce('19') })
        .nullable()
        .describe('The first and last nonce of transactions that the chain has and the ledger does not.')
        .meta({ examples: [null] }),
      release_at: nonce('20')
        .nullable()
        .describe('The `next_nonce` for the release of a quarantined lane; null while an unknown transaction is not mined.')
        .meta({ examples: [null] }),
    })
    .describe('A signer on a network, with its transaction counts.'),
)

/** All lanes. */
export const laneList = component('LaneList', z.strictObject({ lanes: z.array(lane) }).describe('The lanes of the ledger.'))

/** The body of `POST /admin/lanes/:id/release`. */
export const release = component(
  'Release',
  z.strictObject(
    {
      next_nonce: z
        .string(expected('a nonce as digits'))
        .regex(NONCE_DIGITS, 'must be a nonce as digits')
        .meta({
          description: 'The `release_at` of the lane. You confirm that you checked every transaction below it.',
          examples: ['20'],
        })
        .transform(BigInt),
    },
    expected('a JSON object'),
  ),
)
