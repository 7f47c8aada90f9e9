import { randomBytes } from 'node:crypto'
import { OPERATOR_TENANT } from '../../../server/accounts/caller'
import type { Db } from '../../../server/db/database'
import { type Claimed, rejectClaim } from '../../../server/ledger/statements/claims'
import { type CreditKey, PREPAID, subjectOfCredits, takeVerification } from '../../../server/ledger/statements/credits'
import { recordFinal } from '../../../server/ledger/statements/finality'
import {
  recordFailed,
  recordIncluded,
  recordPreconfirmed,
  recordUnlanded,
  recordUnpreconfirmed,
  type SlotPosition,
} from '../../../server/ledger/statements/landings'
import { commitSlot, markSent } from '../../../server/ledger/statements/slots'
import { environments, networksIn } from '../../../server/x402/networks/networks'
import { claimEnd, newAttempt, newClaim, newClaimed, newLanding, newLease } from './ledger'

/** Verifications per credit in these tests. */
export const EACH = 5

/** The target of an action: account indexes, and an index from the newest claim or purchase. */
export type Choice = { accounts: number[]; at: number }

type Sent = { slotId: string; hash: string; blockHash: string; settlementIds: string[] }

const OVERTAKEN = { to: 'USED_ELSEWHERE', counts: 'everywhere', reason: 'authorization_used_elsewhere', landing: null } as const

export type CreditLedger = ReturnType<typeof creditLedger>

/** Four accounts of two new wallets, and every action on the credits of a purchase or a settlement. */
export function creditLedger(db: Db) {
  const wallets = [1, 2].map(() => `0x${randomBytes(20).toString('hex')}`)
  const accounts: CreditKey[] = wallets.flatMap((wallet) => environments.map((environment) => ({ wallet, environment })))
  // Its own: open claims of all runs together would fill the queue of one party or payer.
  const caller = `test:${randomBytes(8).toString('hex')}`
  const payer = `0x${randomBytes(20).toString('hex')}`
  const purchases: Sent[] = []
  const claims: { id: string; waiter: string }[] = []

  async function send(settlementIds: string[]): Promise<Sent | null> {
    const attempt = newAttempt()
    const slot = await commitSlot(db, await newLease(db), 7n, settlementIds, attempt, 1_000)
    if (!('slotId' in slot)) return null
    await markSent(db, slot.slotId, attempt.hash)
    const { blockHash } = newLanding(attempt.hash)
    return { slotId: slot.slotId, hash: attempt.hash, blockHash, settlementIds }
  }

  const membersOf = (settlementIds: readonly string[]) =>
    settlementIds.map((settlementId, at) => ({ settlementId, logIndex: 2 * at + 1 }))

  const fail = ({ slotId, settlementIds, hash }: Sent) =>
    inTurn(settlementIds, (settlementId) => recordFailed(db, { settlementId, slotId }, { ...OVERTAKEN, txHash: hash }))

  async function claim(account: CreditKey): Promise<Claimed> {
    const wanted = newClaim({ caller, payer, subject: subjectOfCredits(account), period: PREPAID, returnCap: 0 })
    const end = await claimEnd(db, wanted)
    if (end === 'claimed' || end === 'claimed alone') claims.push(wanted)
    return end
  }

  const account = (what: (account: CreditKey) => Promise<unknown>) => async (choice: Choice) => {
    for (const which of choice.accounts.slice(0, 1)) await what(accounts[which % accounts.length] ?? NO_ACCOUNT)
  }
  const purchase =
    (what: (sent: Sent) => Promise<unknown>) =>
    async ({ at }: Choice) => {
      const sent = purchases.at(-1 - (at % purchases.length))
      if (sent) await what(sent).catch(unlessOvertaken)
    }
  const place = (what: (place: SlotPosition) => Promise<unknown>) =>
    purchase(({ slotId, settlementIds }) => inTurn(settlementIds, (settlementId) => what({ settlementId, slotId })))
  const claimed =
    (what: (one: { id: string; waiter: string }) => Promise<unknown>) =>
    async ({ at }: Choice) => {
      const one = claims.at(-1 - (at % claims.length))
      if (one) await what(one)
    }

  /** Each action does nothing without a target. Purchases of several accounts share one transaction. */
  const acts = {
    async buy(choice: Choice) {
      const buyers = choice.accounts.map((which) => accounts[which % accounts.length] ?? NO_ACCOUNT)
      const bought = await Promise.all(
        buyers.map(({ wallet, environment }, at) => {
          const [network = ''] = networksIn(environment)
          const terms = { payer: wallet, network, credits: BigInt(at + 1), subject: 'service', period: 'none' }
          return newClaimed(db, { tenantId: OPERATOR_TENANT, caller, ...terms })
        }),
      )
      const sent = await send(bought.map(({ id }) => id))
      if (sent) purchases.push(sent)
    },
    include: purchase((sent) =>
      recordIncluded(db, sent.slotId, membersOf(sent.settlementIds), newLanding(sent.hash, sent), 1_000),
    ),
    preconfirm: purchase(({ slotId, settlementIds, hash }) => recordPreconfirmed(db, slotId, settlementIds, hash)),
    unpreconfirm: place((one) => recordUnpreconfirmed(db, one)),
    unland: place((one) => recordUnlanded(db, one)),
    reverse: purchase(fail),
    final: purchase(({ settlementIds, blockHash }) =>
      recordFinal(
        db,
        settlementIds.map((settlementId) => ({ settlementId, blockHash })),
      ),
    ),
    claim: account(claim),
    reject: claimed(({ id, waiter }) => rejectClaim(db, id, waiter)),
    sendInVain: claimed(async ({ id }) => {
      const sent = await send([id])
      if (sent) await fail(sent)
    }),
    verify: account((key) => takeVerification(db, key, EACH)),
  } satisfies Record<string, (choice: Choice) => Promise<void>>
  return { accounts, acts, claim, books: (): Promise<Books> => booksOf(db, accounts) }
}

const NO_ACCOUNT: CreditKey = { wallet: '', environment: 'testnet' }

async function inTurn<T>(all: readonly T[], what: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of all) await what(one)
}

// The database refuses a move that another instance made first; then the engine reads the state again.
function unlessOvertaken(error: unknown): void {
  if (!String(error).includes('illegal settlement move')) throw error
}

/** The numbers of an account, each computed from its own table. */
export type Book = {
  purchased: bigint
  used: bigint
  verifications: bigint
  /** The sum of its entries (`entered`) and the sum of its purchases that hold or may hold (`standing`). */
  entered: bigint
  standing: bigint
  /** The sum of its purchase entries. */
  landed: bigint
  /** Its settlements that keep their unit. */
  settlements: bigint
}
export type Books = Book[]

// A purchase counts from its first possible success answer until a proven failure.
async function booksOf(db: Db, accounts: readonly CreditKey[]): Promise<Books> {
  return Promise.all(
    accounts.map(async ({ wallet, environment }) => {
      const [book] = await db.$queryRaw<Book[]>`
        SELECT COALESCE(a."purchased", 0)::bigint AS "purchased", COALESCE(a."used", 0)::bigint AS "used", COALESCE(a."verifications", 0)::bigint AS "verifications",
          (SELECT COALESCE(sum(e."delta"), 0)::bigint FROM "CreditEntry" e WHERE e."wallet" = w AND e."environment" = ${environment}) AS "entered",
          (SELECT COALESCE(sum(e."delta"), 0)::bigint FROM "CreditEntry" e WHERE e."wallet" = w AND e."environment" = ${environment} AND e."kind" = 'purchase') AS "landed",
          (SELECT COALESCE(sum(s."credits"), 0)::bigint FROM "Settlement" s WHERE s."payer" = w AND s."network" = ${networksIn(environment)[0]}
            AND s."state" NOT IN ('REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'REVERSED')
            AND EXISTS (SELECT 1 FROM "Step" t WHERE t."settlementId" = s."id" AND t."to" IN ('PRECONFIRMED', 'INCLUDED'))) AS "standing",
          (SELECT count(*) FROM "Settlement" s WHERE s."subject" = ${subjectOfCredits({ wallet, environment })} AND s."state" <> 'REJECTED') AS "settlements"
        FROM (SELECT ${wallet}::text AS w) one LEFT JOIN "CreditAccount" a ON a."wallet" = w AND a."environment" = ${environment}`
      if (!book) throw new Error('an account has no book')
      return book
    }),
  )
}
