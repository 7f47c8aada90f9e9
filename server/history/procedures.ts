import { z } from 'zod'
import { type Side, sides } from '../ledger/statements/receipt-links'
import { administers, ownerOf, type Principal } from '../sign-in/principal'
import { AS_MERCHANT, type Context, forbidden, openProcedure, router, signIn, walletProcedure } from '../trpc/context'
import { storable } from '../x402/json'
import { findInput, listFilter, listPage, type Reader, readers } from './filters'
import { findSettlements } from './find'
import { paidMonths, scopeOf } from './history'
import { detailsOf, listChoices, listPending, listSettlements } from './lists'
import type { HistoryFilter } from './queries'
import { type Party, restoreReceipt, shareReceipt, withdrawReceipt } from './receipt-links'
import { choiceNames } from './tally-queries'

/** Whose settlements. */
export const as = z.object({ reader: z.enum(readers) })

const FIND_MAX = 200
const choice = z.object({ of: z.enum(choiceNames), find: storable.max(FIND_MAX).default('') })

/** Settlements for a signed-in reader: of its keys (merchant, agent), of its payments (payer), or all (administrator). */
export const settlements = {
  list: openProcedure
    .input(listPage.extend(as.shape))
    .query(({ ctx, input }) => listSettlements(ctx, input.reader, scopeFor(ctx, input.reader), input)),
  choices: openProcedure
    .input(listFilter.extend(as.shape).extend(choice.shape))
    .query(({ ctx, input }) => listChoices(ctx, input.reader, scopeFor(ctx, input.reader), input)),
  pending: openProcedure
    .input(listFilter.extend(as.shape))
    .query(({ ctx, input }) => listPending(ctx, input.reader, scopeFor(ctx, input.reader), input)),
  /** What the command palette finds. */
  find: openProcedure
    .input(findInput.extend(as.shape))
    .query(({ ctx, input }) => findSettlements(ctx, input.reader, scopeFor(ctx, input.reader), input)),
  details: openProcedure
    .input(as.extend({ id: z.uuid() }))
    .query(({ ctx, input }) => detailsOf(ctx.app, input.reader, scopeFor(ctx, input.reader), input.id)),
}

/** The history that a reader may see. Throws when the reader lacks the role. */
export function scopeFor({ principal }: Pick<Context, 'principal'>, reader: Reader): HistoryFilter {
  return SCOPES[reader](principal)
}

const SCOPES = {
  merchant(who) {
    const owner = ownerOf(who)
    if (!owner) throw signIn(AS_MERCHANT)
    return scopeOf.merchant(owner)
  },
  payer(who) {
    if (who?.kind !== 'wallet') throw signIn('with a wallet')
    return scopeOf.payer(who.wallet)
  },
  agent(who) {
    if (who?.kind !== 'wallet') throw signIn('with a wallet')
    return scopeOf.agent(who.wallet)
  },
  admin(who) {
    if (!who) throw signIn('as an administrator')
    if (!administers(who)) throw forbidden()
    return {}
  },
} satisfies Record<Reader, (who: Principal | null) => HistoryFilter>

const shared = z.object({ reader: z.enum(sides), id: z.uuid() })

/** The public pages of receipts, for their payers and merchants. */
export const receipts = router({
  share: openProcedure.input(shared).mutation(({ ctx, input }) => shareReceipt(ctx.app, partyIn(ctx, input.reader), input.id)),
  withdraw: openProcedure
    .input(shared)
    .mutation(({ ctx, input }) => withdrawReceipt(ctx.app, partyIn(ctx, input.reader), input.id)),
  restore: openProcedure
    .input(shared)
    .mutation(({ ctx, input }) => restoreReceipt(ctx.app, partyIn(ctx, input.reader), input.id)),
})

function partyIn({ principal }: Pick<Context, 'principal'>, side: Side): Party {
  const scope = scopeFor({ principal }, side)
  const owner = ownerOf(principal)
  if (!owner) throw signIn(AS_MERCHANT)
  return { scope, sharer: { side, id: `${owner.kind}:${owner.id}` } }
}

/** The payments of a wallet. */
export const payer = router({
  months: walletProcedure.query(({ ctx }) => paidMonths(ctx.app, ctx.wallet, ctx.reader)),
})
