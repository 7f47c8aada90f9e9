import { z } from 'zod'
import { type Caller, ipSubject, sandboxCaller, widerSubject } from '../accounts/caller'
import { underEachPrefix } from '../accounts/prefixes'
import type { App } from '../app'
import { isServiceError } from '../base/errors'
import { PAYMENT_BODY_LIMIT } from '../http/bodies'
import { type EndpointRate, endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { refusal } from '../http/schemas'
import { seek } from '../payments/lookup'
import { readerOf } from '../sign-in/principal'
import { principalOf } from '../sign-in/session-cookie'
import { networkRow } from '../x402/networks/networks'
import type { Explanation } from './checks'
import { type Asker, explain as explainPasted, type Question } from './explain'
import { seenBy } from './own-settlements'
import { explanation, question } from './schemas'
import type { SeenSettlement } from './settlement'

/** Explanations per second of one caller; each may cost a read of the chain. */
const PER_SECOND = 5

const rate = {
  per: 'caller',
  take: (app, { id }) => app.rateLimit(`explain:${id}`, PER_SECOND),
} as const satisfies EndpointRate<Caller>

export const explain = underEachPrefix(({ suffix, where, params, caller, errors }) =>
  endpoint({
    tag: 'Payments',
    cors: 'open',
    bodyLimit: PAYMENT_BODY_LIMIT,
    id: `explain${suffix}`,
    group: { address: '{prefix}/explain', summary: 'Explain a payment' },
    summary: `Explain a payment ${where}`,
    description:
      'Says what a pasted text is, runs every check of verify on it, and names the evidence and the remedy. Nothing is counted, screened, written or moved. No URL is fetched.',
    rate,
    credentials: caller,
    params: z.object(params),
    body: question,
    responses: {
      200: { description: 'What it is, and every check. A failed check and an unknown text are a 200 too.', schema: explanation },
      413: { description: 'The body is larger than 16 KB.', schema: refusal },
    },
    errors: [400, ...errors, 429, 503],
    handler: ({ app, who, body }) =>
      app.explanations.routes(widerSubject(who.id) ?? who.id, () => explainPasted(app, askerWith(app, who), body)),
  }),
)

/** Explains a pasted text on the page `/explain`: anyone may ask, on any network, and a signed-in reader finds its own settlements. */
export const explainOnPage = endpoint({
  unlisted: 'own pages',
  bodyLimit: PAYMENT_BODY_LIMIT,
  rate: {
    per: 'address',
    take: (app, request) => limitExplaining(app, clientIp(request)),
  },
  body: question,
  responses: { 200: { description: 'What it is, and every check.', schema: explanation } },
  handler: async ({ app, request, body }) =>
    explainForVisitor(app, clientIp(request), body, async (named) => {
      const principal = await principalOf(app, request)
      return principal ? seenBy(app, principal, named) : []
    }),
})

/**
 * Explains a pasted text to a visitor without a key, on any network. `ownSettlements` finds those of its account, which go before those of
 * its address in the sandbox. Throws `too_many` and `unavailable` as `ReadSlots`.
 */
export function explainForVisitor(
  app: App,
  ip: string,
  question: Question,
  ownSettlements: Asker['settlementsOf'] = async () => [],
): Promise<Explanation> {
  const visitor = sandboxCaller(ip)
  const { settlementsOf } = askerWith(app, visitor)
  const asker: Asker = {
    callerOf: ({ network }) => (networkRow(network).testnet ? visitor : { ...visitor, prefix: 'v1', tier: 'standard' }),
    async settlementsOf(named) {
      const own = await ownSettlements(named)
      return own.length > 0 ? own : settlementsOf(named)
    },
  }
  return app.explanations.page(readerOf(null, ip), () => explainPasted(app, asker, question))
}

/** Counts an explanation of an address. Throws `too_many`. */
export function limitExplaining(app: App, ip: string): Promise<void> {
  return app.rateLimit(`explain:${ipSubject(ip)}`, PER_SECOND)
}

function askerWith(app: App, caller: Caller): Asker {
  return { callerOf: () => caller, settlementsOf: (named) => settlementsOf(app, caller, named) }
}

async function settlementsOf(app: App, caller: Caller, named: string): Promise<SeenSettlement[]> {
  try {
    const found = await seek(app, caller, named)
    return found.map(({ detail, txHash, block, ...one }) => ({
      ...one,
      message: detail,
      transaction: txHash ?? '',
      block: block === null ? null : String(block),
    }))
  } catch (error) {
    if (isServiceError(error) && error.refusal === 'not_found') return []
    throw error
  }
}
