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
              '`process`, `database`, `migrations`, a network with the class of its signers, or a facilitator with its tier.',
            )
            .meta({ examples: ['eip155:84532 sandbox'] }),
          ready: z.boolean().meta({ examples: [true] }),
          required: z
            .boolean()
            .describe('Whether payments need it here: other parts are reported only.')
            .meta({ examples: [true] }),
          message: z.string().meta({ examples: ['is well'] }),
        }),
      ),
    })
    .describe('Whether payments can be sent here now.'),
)

const health = component('Health', z.strictObject({ status: z.literal('ok') }).describe('The process answers.'))

/** The response of `GET /health`, in both forms. */
export const healthAnswer = component(
  'Standing',
  z.union([health, readiness]).describe('That it is up; with `ready=1`, that it is ready.'),
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
      class: z.enum(['sandbox', 'production']).describe('Whose payments it sends.'),
      status: z.enum(['ready', 'quarantined']).describe('`quarantined` signs nothing until it is released.'),
      quarantined_at: time.nullable().meta({ examples: [null] }),
      why: z
        .string()
        .nullable()
        .describe('Why it is quarantined.')
        .meta({ examples: [null] }),
      next_nonce: nonce('17')
        .nullable()
        .describe('The nonce of its next transaction, as the ledger has it; null before the first.'),
      chain: z
        .strictObject({ mined: nonce('17'), pending: nonce('17') })
        .nullable()
        .describe(
          'How many transactions of the signer its chain knows: in blocks, and with pending ones; null while no node answers.',
        ),
      unknown: z
        .strictObject({ from: nonce('17'), to: nonce('19') })
        .nullable()
        .describe('The nonces, first and last, whose transactions the chain knows and the ledger does not.')
        .meta({ examples: [null] }),
      release_at: nonce('20')
        .nullable()
        .describe('The `next_nonce` to release a quarantined lane with; null while an unknown transaction is not mined.')
        .meta({ examples: [null] }),
    })
    .describe('A signer on a network, with the transactions that the chain knows of it.'),
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
        .meta({ description: 'The `release_at` of the lane: you have looked at every transaction below it.', examples: ['20'] })
        .transform(BigInt),
    },
    expected('a JSON object'),
  ),
)
