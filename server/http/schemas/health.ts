import { z } from 'zod'
import { component } from './component'

/** What `GET /health?ready=1` answers. */
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
            .describe('Whether payments need it here: what is not required keeps nobody away.')
            .meta({ examples: [true] }),
          message: z.string().meta({ examples: ['is well'] }),
        }),
      ),
    })
    .describe('Whether payments can be sent here now.'),
)

const health = component('Health', z.strictObject({ status: z.literal('ok') }).describe('The process answers.'))

/** What `GET /health` answers, whichever of the two was asked. */
export const standing = component(
  'Standing',
  z.union([health, readiness]).describe('That it is up; with `ready=1`, that it is ready.'),
)
