import { z } from 'zod'
import { limitReading, publicAccess, sandboxCaller } from '../accounts/caller'
import { tooManyCalls } from '../accounts/rate-limit'
import type { App } from '../app'
import { readJson } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { clientIp, requestId } from '../http/request'
import { component, refusal } from '../http/schemas'
import { malformed } from '../x402/json'

/** A pasted payment has at most 16 KB, and twice that as a text in JSON. */
const BODY_LIMIT = 32_768

const message = component(
  'McpMessage',
  z
    .looseObject({
      jsonrpc: z.literal('2.0'),
      id: z
        .union([z.string(), z.number()])
        .optional()
        .meta({ examples: [1] }),
      method: z
        .string()
        .optional()
        .meta({ examples: ['tools/list'] }),
    })
    .describe('A message of the Model Context Protocol.'),
)

const answer = component(
  'McpAnswer',
  z.looseObject({ jsonrpc: z.literal('2.0') }).describe('The result, or the error, in JSON-RPC.'),
)

/** The MCP server, stateless: each request is answered alone, as JSON. It reads only, and holds no key. */
export const callMcp = endpoint({
  id: 'callMcp',
  tag: 'Service',
  summary: 'Call the MCP server',
  description:
    'Model Context Protocol by streamable HTTP, without sessions: tools that search the catalog, read prices, explain refusals and look up settlements, networks and credits. No tool moves money. Texts of listings are untrusted.',
  cors: 'open',
  bodyLimit: BODY_LIMIT,
  credentials: publicAccess,
  rate: { per: 'address', take: limitMessages },
  reads: { body: message },
  responses: {
    200: { description: 'The answer to a request.', schema: answer },
    202: { description: 'A notification was taken.' },
    400: { description: 'The body is no JSON, or no message of JSON-RPC.', schema: z.union([refusal, answer]) },
  },
  errors: [413, 429],
  async handler({ app, request, who: caller }) {
    const body = await readJson(request, BODY_LIMIT)
    // One message takes one turn of the rate.
    if (Array.isArray(body)) throw malformed('the body is a batch; send one message at a time')
    // Loaded with the first message: most processes get none.
    const { answerMessage } = await import('./server')
    const asking = { app, caller, request, ip: clientIp(request), requestId: requestId(request) }
    const answered = await answerMessage(asking, body)
    const headers = new Headers({ ...Object.fromEntries(answered.headers), ...API_HEADERS })
    return new Response(answered.body, { status: answered.status, headers })
  },
})

// A message builds a server of its own: it costs the thread of this process as much as a call of a page.
async function limitMessages(app: App, request: Request): Promise<void> {
  const ip = clientIp(request)
  const seconds = app.callRate({ ip, cookie: null }, 1)
  if (seconds > 0) throw tooManyCalls(seconds)
  await limitReading(app, sandboxCaller(ip))
}
