import { z } from 'zod'
import { DAY_MS } from '../../base/durations'
import type { Db } from '../../db/database'
import { merchantProcedure, walletProcedure } from '../../trpc/context'
import { displayAddress } from '../../x402/addresses'
import { storable } from '../../x402/json'
import { assetAt, type Token } from '../../x402/networks/assets'
import { environments, isEvmNetwork, type NetworkId, networkIds, networksIn } from '../../x402/networks/networks'
import {
  type ChannelPlace,
  type ChannelScope,
  channelStates,
  findListed,
  type ListedChannel,
  listChannels,
  listClaims,
  sumChannels,
  sumUsage,
} from './list-queries'

const PAGE = 50
const CLAIMS = 50
/** The most characters of the beginning of a payer's address. */
const PAYER_MAX = 64
/** The days of usage beside the channels: today and the 29 before. */
const USAGE_DAYS = 29

const place = z
  .string()
  .regex(/^\d{1,15}\.0x[0-9a-f]{64}$/, 'must be the cursor of an earlier page')
  .transform((text): ChannelPlace => ({ at: Number(text.slice(0, text.indexOf('.'))), id: text.slice(text.indexOf('.') + 1) }))

const within = { environment: z.enum(environments), network: z.array(z.enum(networkIds)).max(networkIds.length).optional() }
const filter = z.object({ ...within, state: z.enum(channelStates).optional(), payer: storable.max(PAYER_MAX).optional() })
const page = filter.extend({ cursor: place.optional() })
const named = z.object({ network: z.enum(networkIds), id: z.string().regex(/^0x[0-9a-f]{64}$/, 'must be the id of a channel') })

type Filter = z.output<typeof filter>

const filterOf = ({ environment, network, state, payer }: Filter) => ({
  networks: networksIn(environment).filter((one) => isEvmNetwork(one) && (network?.includes(one) ?? true)),
  state,
  payer: payer?.trim().toLowerCase(),
})

/** Channels for a merchant: those whose claims its keys can make. */
export const merchantChannels = {
  channels: merchantProcedure
    .input(page)
    .query(({ ctx, input }) => ctx.app.lists(ctx.reader, (db) => pageOf(db, { owner: ctx.owner }, input, wireChannel))),
  channelSums: merchantProcedure.input(filter).query(({ ctx: { app, reader, owner }, input }) =>
    app.lists(reader, async (db) => {
      const read = filterOf(input)
      const since = new Date(app.now().getTime() - USAGE_DAYS * DAY_MS)
      const sums = await sumChannels(db, owner, read)
      // Usage is kept per token: no filter narrows it to a payer's channels or those in a state.
      const usage = read.payer || read.state ? [] : await sumUsage(db, owner, { ...read, since })
      return { sums: sums.map(withToken), usage: usage.map(withToken) }
    }),
  ),
  channel: merchantProcedure
    .input(named)
    .query(({ ctx, input }) => ctx.app.lists(ctx.reader, (db) => detailsOf(db, { owner: ctx.owner }, input))),
}

/** Channels for a wallet: those that it paid into. */
export const payerChannels = {
  channels: walletProcedure
    .input(page)
    .query(({ ctx, input }) => ctx.app.lists(ctx.reader, (db) => pageOf(db, { payer: ctx.wallet }, input, payersChannel))),
}

async function pageOf<Row>(
  db: Db,
  scope: ChannelScope,
  { cursor, ...input }: z.output<typeof page>,
  shown: (row: ListedChannel) => Row,
) {
  const found = await listChannels(db, scope, filterOf(input), { below: cursor ?? null, limit: PAGE + 1 })
  const rows = found.slice(0, PAGE)
  const last = rows.at(-1)
  return {
    channels: rows.map(shown),
    next: last && found.length > PAGE ? `${last.createdAt.getTime()}.${last.id}` : null,
  }
}

async function detailsOf(db: Db, scope: ChannelScope, input: z.output<typeof named>) {
  const found = await findListed(db, scope, input)
  if (!found) return null
  const claims = await listClaims(db, input, CLAIMS)
  return {
    channel: wireChannel(found),
    claims: claims.map(({ createdAt, ...claim }) => ({ ...claim, createdAt: createdAt.toISOString() })),
  }
}

/** A channel for a screen. */
function wireChannel({ createdAt, usedAt, claimBy, withdrawAt, withdrawBy, ...row }: ListedChannel) {
  const { payer, receiver, charged, claimed } = row
  return {
    ...withToken(row),
    payer: displayAddress(payer),
    receiver: displayAddress(receiver),
    atRisk: String(BigInt(charged) > BigInt(claimed) ? BigInt(charged) - BigInt(claimed) : 0n),
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    claimBy: claimBy?.toISOString() ?? null,
    withdrawAt: withdrawAt?.toISOString() ?? null,
    withdrawBy: withdrawBy?.toISOString() ?? null,
  }
}

/** A channel for its payer: without its merchant's key, charges and plans. */
function payersChannel(row: ListedChannel) {
  const {
    keyId: _id,
    keyName: _name,
    charged: _charged,
    requests: _requests,
    atRisk: _risk,
    claimBy: _by,
    stored: _stored,
    ...rest
  } = wireChannel(row)
  const { unclaimable: _why, usedAt: _used, ...shown } = rest
  return shown
}

/** The same with its token's symbol and decimals: a token that is not settled here any more has neither. */
function withToken<Row extends { network: string; token: string }>(row: Row): Row & { network: NetworkId; asset: Token } {
  const network = networkIds.find((id) => id === row.network)
  if (network === undefined) throw new Error(`a channel is on the unknown network ${row.network}`)
  return { ...row, network, asset: assetAt(network, row.token) ?? { symbol: '', decimals: 0 } }
}
