import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type CallToolResult, type Tool as ListedTool, ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Caller } from '../accounts/caller'
import { balanceOf } from '../agents/credits'
import { wireBalance } from '../agents/present'
import type { App } from '../app'
import { isServiceError } from '../base/errors'
import { isUnavailable } from '../db/errors'
import { explainForVisitor, limitExplaining } from '../explain/endpoints'
import { lookUpPayment, seek } from '../payments/lookup'
import { wireSettlement, wireStanding } from '../payments/present'
import { supported } from '../payments/supported'
import { requireWallet } from '../sign-in/credentials'
import { malformed, parseJson } from '../x402/json'
import { environments, networkTitle } from '../x402/networks/networks'
import { priceOf, searchCatalog, searchInput } from './catalog'

/** One request of an agent: its caller is its IP address, as in the sandbox. */
export type Asking = { app: App; caller: Caller; request: Request; ip: string; requestId: string }

/** A tool that reads. */
type Tool = { listed: ListedTool; register: (server: McpServer, asking: Asking) => void }

function tool<Shape extends z.ZodRawShape>(
  name: string,
  { title, description, input }: { title: string; description: string; input: z.ZodObject<Shape> },
  run: (asking: Asking, input: z.output<z.ZodObject<Shape>>) => Promise<object>,
): Tool {
  // Of any shape: the tool itself parses what it gets.
  const schema: z.ZodObject = input
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  const inputSchema = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' })
  return {
    listed: ToolSchema.parse({ name, title, description, inputSchema, annotations }),
    register(server, asking) {
      const call = async (given: unknown) => answered(asking, name, async () => run(asking, input.parse(given)))
      server.registerTool(name, { title, description, inputSchema: schema, annotations }, call)
    },
  }
}

async function answered({ app, requestId }: Asking, name: string, run: () => Promise<object>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await run()) }] }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: refusalText(error) }] }
  }

  function refusalText(error: unknown): string {
    if (isServiceError(error)) return error.message
    app.log.error({ err: error, requestId, tool: name }, 'a tool failed')
    return isUnavailable(error)
      ? 'the service cannot reach its database; try again'
      : `internal error; quote request id ${requestId}`
  }
}

const search = tool(
  'search_catalog',
  {
    title: 'Search the catalog',
    description:
      'Finds paid APIs by words, price, network, payee and freshness: each with its prices and what its payments came to. Without words the last paid ones.',
    input: searchInput,
  },
  ({ app, caller }, input) => searchCatalog(app, caller, input),
)

const price = tool(
  'resource_price',
  {
    title: 'Price of a resource',
    description: 'The ways to pay for one listed resource, and how to call it. The URL itself is not fetched.',
    input: z.object({
      url: z.string().min(1).max(2_048).describe('The URL of the resource; its query is ignored.'),
      environment: z.enum(environments).optional().describe('Default: mainnet, then testnet.'),
    }),
  },
  ({ app, caller }, input) => priceOf(app, caller, input),
)

const explain = tool(
  'explain_refusal',
  {
    title: 'Explain a refusal',
    description:
      'Says what a text of x402 is, runs every check on it, and names the evidence and the remedy: a payment header, a 402 response, a body of verify or settle, or a reason code.',
    input: z.object({
      input: z.string().min(1).max(16_384).describe('The text to explain.'),
      payment_requirements: z
        .string()
        .max(16_384)
        .optional()
        .describe('JSON of the payment requirements, for a payment without them.'),
    }),
  },
  async ({ app, ip }, { input, payment_requirements }) => {
    await limitExplaining(app, ip)
    const given = payment_requirements === undefined ? {} : { paymentRequirements: jsonIn(payment_requirements) }
    return explainForVisitor(app, ip, { input, ...given })
  },
)

const settlement = tool(
  'settlement_state',
  {
    title: 'State of a settlement',
    description:
      'What became of a payment: of a signed one that you hold, or by the id or transaction of a sandbox settlement of your IP address.',
    input: z.object({
      payment: z
        .string()
        .max(16_384)
        .optional()
        .describe('JSON of the body that was sent to settle. Of version 2 the paymentPayload is enough.'),
      id: z.string().max(200).optional().describe('An x-settlement-id, or the hash of a transaction.'),
    }),
  },
  async ({ app, caller }, { payment, id }) => {
    if ((payment === undefined) === (id === undefined)) throw malformed('name the settlement in one way: payment or id')
    if (id !== undefined) return { settlements: (await seek(app, caller, id)).map((one) => wireSettlement(app, one)) }
    // An agent is not the merchant's server: what it learns counts as no answer.
    const found = await lookUpPayment(app, caller, jsonIn(payment ?? ''), { peek: true })
    return { settlements: found.map(({ settlement, own }) => (own ? wireSettlement(app, settlement) : wireStanding(settlement))) }
  },
)

const networks = tool(
  'networks',
  {
    title: 'Networks',
    description: 'The networks and tokens that this facilitator settles, and how certain a success is on each.',
    input: z.object({}),
  },
  async ({ app }) => {
    const { kinds, assets } = await supported(app)
    const current = kinds.filter(({ x402Version }) => x402Version === 2)
    return {
      networks: current.map(({ network, scheme, extra }) => ({
        network,
        title: networkTitle(network),
        scheme,
        finality: extra && 'finality' in extra ? extra.finality : undefined,
        assets: assets.flatMap(({ network: on, asset, symbol, decimals }) =>
          on === network ? [{ asset, symbol, decimals }] : [],
        ),
      })),
    }
  },
)

const balance = tool(
  'balance',
  {
    title: 'Remaining credits',
    description:
      'The credits of your wallet here. The connection must send a session as the header "Authorization: Bearer st_…" (POST /api/v1/auth/siwe), or SIWE headers.',
    input: z.object({ environment: z.enum(environments).optional() }),
  },
  async ({ app, request }, { environment }) => {
    const wallet = await requireWallet(app, request)
    return wireBalance(wallet, await balanceOf(app, wallet, environment ?? null))
  },
)

/** The tools, all of which only read. */
export const tools: readonly Tool[] = [search, price, explain, settlement, networks, balance]

function jsonIn(text: string): unknown {
  return parseJson(text, 'the JSON')
}
