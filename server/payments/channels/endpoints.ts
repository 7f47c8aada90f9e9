import { z } from 'zod'
import type { Caller } from '../../accounts/caller'
import { type Under, underEachPrefix } from '../../accounts/prefixes'
import type { App } from '../../app'
import { ServiceError } from '../../base/errors'
import { type EndpointRate, endpoint } from '../../http/endpoint'
import { API_HEADERS } from '../../http/errors'
import { jsonResponse } from '../../http/json-response'
import { checked } from '../../http/request'
import { malformed } from '../../x402/json'
import {
  channelPage,
  deletedChannel,
  movedChannel,
  ofChannel,
  ofNetwork,
  storedChannel,
  storedChannels,
  writing,
  writtenChannel,
} from './schemas'
import { presentChannel, storeChannel, tagOf, versionIn } from './stored'
import { deleteStored, findStored, listStored, type StoredChannel } from './stored-queries'

/** A voucher takes three requests here where a payment takes two, and is to be cheap. */
const TIMES_OF_PAYMENTS = 40

const channelRate = {
  per: 'caller',
  take: (app: App, { id, limits }: Caller) => app.rateLimit(`channels:${id}`, TIMES_OF_PAYMENTS * limits.requestsPerSecond),
} as const satisfies EndpointRate<Caller>

/** A row with the longest signature of a wallet, in bytes. */
const BODY_LIMIT = 8_192

/** Below an API key only: who has none has no authorizer. */
const belowKey = <T>(declare: (under: Under) => T): T => underEachPrefix(declare).v1

const common = ({ caller }: Under) =>
  ({ tag: 'Channels', cors: 'open', credentials: caller, rate: channelRate, bodyLimit: BODY_LIMIT }) as const

export const getChannel = belowKey((under) =>
  endpoint({
    ...common(under),
    id: 'getChannel',
    summary: 'Read a channel',
    description: 'A channel that your server keeps here, with what the chain says of it.',
    params: z.object({ ...under.params, ...ofChannel }),
    responses: { 200: { description: 'The channel.', schema: storedChannel, headers: ['etag'] } },
    errors: [400, 401, 404, 429, 503],
    async handler({ app, who, params: { network, id } }) {
      const row = await findStored(app.db, { network, id, tenantId: who.tenantId })
      if (!row) throw notKept()
      return answer(row)
    },
  }),
)

export const putChannel = belowKey((under) =>
  endpoint({
    ...common(under),
    id: 'putChannel',
    summary: 'Keep a channel',
    description:
      'Writes a channel if it still has the version that you read, and is durable when it answers. We refuse a voucher whose signature does not hold, and a charge above it or below an earlier one.',
    params: z.object({ ...under.params, ...ofChannel }),
    reads: { headers: writing },
    body: writtenChannel,
    responses: {
      200: { description: 'The channel as it is now.', schema: storedChannel, headers: ['etag'] },
      412: { description: 'It has another version; the body has the channel as it is.', schema: movedChannel, headers: ['etag'] },
    },
    errors: [400, 401, 403, 409, 413, 429, 502, 503],
    async handler({ app, request, who, params: { network, id }, body }) {
      const { ifMatch, mutation } = conditionOf(request)
      const expected = ifMatch === null ? null : versionIn(ifMatch)
      const written = await storeChannel(app, who, { network, id, row: body }, { expected, mutation })
      return written.end === 'moved' ? moved(written.row) : answer(written.row)
    },
  }),
)

export const deleteChannel = belowKey((under) =>
  endpoint({
    ...common(under),
    id: 'deleteChannel',
    summary: 'Delete a channel',
    description: 'Deletes a channel if it still has the version that you read. What was charged of it is still claimed.',
    params: z.object({ ...under.params, ...ofChannel }),
    reads: { headers: writing.omit({ 'If-None-Match': true }) },
    responses: {
      200: { description: 'It is deleted.', schema: deletedChannel },
      412: { description: 'It has another version; the body has the channel as it is.', schema: movedChannel, headers: ['etag'] },
    },
    errors: [400, 401, 404, 429, 503],
    async handler({ app, request, who, params: { network, id } }) {
      const { ifMatch, mutation } = conditionOf(request)
      if (ifMatch === null) throw malformed('send If-Match with the etag of the channel')
      const expected = versionIn(ifMatch)
      const deleted = await deleteStored(app.db, { network, id, tenantId: who.tenantId, expected, mutation })
      if (deleted.end === 'absent') throw notKept()
      return deleted.end === 'moved' ? moved(deleted.row) : { deleted: true as const, unclaimed: deleted.kept ?? '0' }
    },
  }),
)

export const listChannels = belowKey((under) =>
  endpoint({
    ...common(under),
    id: 'listChannels',
    summary: 'List channels',
    description: 'The channels that your server keeps here on one network, by their ids.',
    params: z.object({ ...under.params, ...ofNetwork }),
    query: channelPage,
    responses: { 200: { description: 'A page of them.', schema: storedChannels } },
    errors: [400, 401, 429, 503],
    async handler({ app, who, params: { network }, query: { limit, cursor } }) {
      const rows = await listStored(app.db, { network, tenantId: who.tenantId, after: cursor, limit })
      return { channels: rows.map(presentChannel), cursor: rows.length < limit ? '' : (rows.at(-1)?.id ?? '') }
    },
  }),
)

const notKept = () => new ServiceError('not_found', 'no such channel is kept here by this API key')

const answer = (row: StoredChannel) => jsonResponse(presentChannel(row), { headers: { ...API_HEADERS, etag: tagOf(row) } })

function moved(row: StoredChannel | null): Response {
  const error = row ? 'the channel was changed meanwhile; change the row in this response' : 'there is no such channel any more'
  const headers = { ...API_HEADERS, ...(row ? { etag: tagOf(row) } : {}) }
  return jsonResponse({ error, channel: row && presentChannel(row) }, { status: 412, headers })
}

function conditionOf({ headers }: Request): { ifMatch: string | null; mutation: string } {
  const written = (name: string) => headers.get(name) ?? undefined
  const condition = checked(writing, {
    'If-Match': written('if-match'),
    'If-None-Match': written('if-none-match'),
    'Idempotency-Key': written('idempotency-key'),
  })
  const { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch, 'Idempotency-Key': mutation } = condition
  if ((ifMatch === undefined) === (ifNoneMatch === undefined))
    throw malformed('send either If-Match with the etag of the channel, or If-None-Match: *')
  return { ifMatch: ifMatch ?? null, mutation }
}
