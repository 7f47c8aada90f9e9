import { z } from 'zod'
import { chargingKeysOf } from '../accounts/tenant-queries'
import { isZone } from '../base/zones'
import { filterOf, listFilter } from '../history/filters'
import { as, scopeFor } from '../history/procedures'
import { dateInput, knownNetwork, symbolQuery } from '../http/schemas'
import { readCreditHistory } from '../sums/credit-days-queries'
import { readKeyActivity } from '../sums/key-activity-queries'
import { merchantProcedure, openProcedure, router, walletProcedure } from '../trpc/context'
import { environments, networksIn } from '../x402/networks/networks'
import { analyticsDays, merchantScope } from './analytics'
import { environmentOfPrincipal } from './environment'
import { figures, overview } from './figures'
import { summarizeList } from './list-summary'
import { readReached } from './queries'

/** A period of a screen: the last days, those of a month, or those from a date to another, both included. */
export const periodInput = z.object({
  days: z.literal([...analyticsDays]).default(30),
  from: dateInput.optional(),
  to: dateInput.optional(),
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
    .optional(),
  zone: z.string().refine(isZone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  within: z.union([z.enum(environments), knownNetwork]),
  asset: symbolQuery,
})

/** The selection of such an input. */
export function selectionOf({ days, from, to, month, zone, within, asset }: z.output<typeof periodInput>) {
  const range = month ? { month } : from && to ? { from, to } : { days }
  return { range, zone, within, asset }
}

/** What an overview has besides. */
export const overviewInput = z.object({ payersByDay: z.boolean().default(false) })

/** The days that a key's card shows, with today. */
const ACTIVE_DAYS = 14
/** The days that a key's own page shows, with today. */
const KEY_DAYS = 30
/** The days that an agent's screen shows, with today. */
const AGENT_DAYS = 30

const period = merchantProcedure.input(periodInput)

/** The figures of a merchant's keys, and how far its first steps are. */
export const merchantFigures = {
  figures: period.query(({ ctx, input }) => figures(ctx.app, merchantScope(ctx.owner, ctx.reader), selectionOf(input))),
  overview: period.input(overviewInput).query(({ ctx, input }) =>
    overview(ctx.app, merchantScope(ctx.owner, ctx.reader), selectionOf(input), {
      tenants: false,
      payersByDay: input.payersByDay,
    }),
  ),
  reached: merchantProcedure.query(({ ctx }) => ctx.app.lists(ctx.reader, (db) => readReached(db, chargingKeysOf(ctx.owner)))),
}

/** The sums of a reader's list of settlements. */
export const listSums = {
  summary: openProcedure
    .input(listFilter.extend(as.shape))
    .query(({ ctx, input: { reader, ...input } }) =>
      summarizeList(ctx, { ...filterOf(reader, input), ...scopeFor(ctx, reader) }),
    ),
}

/** What the keys of a merchant did lately, and the credits of a wallet's agent. */
export const activity = router({
  ofKeys: merchantProcedure
    .input(z.object({ environment: z.enum(environments) }))
    .query(({ ctx, input }) =>
      ctx.app.lists(ctx.reader, (db) =>
        readKeyActivity(db, chargingKeysOf(ctx.owner), ACTIVE_DAYS, networksIn(input.environment)),
      ),
    ),
  /** One key, also without history or revoked; null for the key of another owner. */
  ofKey: merchantProcedure
    .input(z.object({ id: z.uuid(), environment: z.enum(environments) }))
    .query(async ({ ctx, input: { id, environment } }) => {
      const [found = null] = await ctx.app.lists(ctx.reader, (db) =>
        readKeyActivity(db, chargingKeysOf(ctx.owner), KEY_DAYS, networksIn(environment), id),
      )
      return found
    }),
  /** How the credits of a wallet's agent came and went. */
  creditsOfAgent: walletProcedure
    .input(z.object({ environment: z.enum(environments) }))
    .query(({ ctx, input: { environment } }) =>
      ctx.app.lists(ctx.reader, (db) => readCreditHistory(db, { wallet: ctx.wallet, environment }, AGENT_DAYS)),
    ),
})

/** Where the money of the signed-in account is. */
export const environment = router({
  /** The environment to show first; null before the first settlement, and without an account. */
  first: openProcedure.query(({ ctx: { app, principal, reader } }) =>
    principal ? app.lists(reader, (db) => environmentOfPrincipal({ db }, principal)) : null,
  ),
})
