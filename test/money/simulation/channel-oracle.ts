import type { Hex } from 'viem'
import { z } from 'zod'
import type { Chain } from './chain'
import { type Act, CLAIMED, REFUNDED, WITHDRAW_ASKED, WITHDRAWN } from './channel-contract'
import type { Database } from './database'
import { type ActRow, frees, type Ledger, readHistory } from './ledger'
import type { Heard } from './purchase'
import type { Selling } from './selling'
import { spentBy } from './token'
import type { Transaction } from './transaction'

type Answer = Exclude<Heard, 'nothing'>

/** Checks what is promised of channels, from outside. */
export type ChannelOracle = {
  knows(selling: Selling): void
  /** These rows were claimed for their merchant, with this answer. */
  claimed(rows: readonly { id: Hex; total: bigint }[], heard: Answer): void
  /** The merchant with the channel asks for its refund now, and shows a voucher over so much. */
  refundAsked(selling: Selling, shown: bigint): void
  refunded(selling: Selling, heard: Answer): void
  /** Another merchant asked for something of the channel. */
  cheated(selling: Selling, heard: Answer): void
  /** Whether something that was charged is not claimed, and the balance has it. */
  isUnclaimed(sellings: readonly Selling[]): boolean
  /** Whether something that was claimed for a receiver of these channels is not paid out. */
  isUnpaid(sellings: readonly Selling[]): boolean
  sent(transaction: Transaction): void
  look(ledger: Ledger): void
  end(ledger: Ledger): void
  broken(number: string, what: string): void
}

type ChannelOracleParts = {
  database: Database
  chain: Chain
  /** Milliseconds since 1970. */
  now: () => number
  /** Whether no fault has acted for so long that the service must have claimed what is urgent. */
  isCalm: () => boolean
  broken: ChannelOracle['broken']
}

const digits = z.string().transform(BigInt)
const chargedSchema = z.array(
  z.object({
    id: z.string(),
    charged: digits,
    presented: digits,
    signed: digits,
    stored: z.boolean(),
    pending: z.object({ signedMaxClaimable: digits, expiresAt: z.number() }).nullable(),
  }),
)

const rowSchema = z.array(z.object({ settlementId: z.string(), channelId: z.string(), total: digits }))

/** An oracle over the channels of one run. */
export function createChannelOracle({ database, chain, now, isCalm, broken }: ChannelOracleParts): ChannelOracle {
  const sellings = new Map<Hex, Selling>()
  /** What was known to be charged, and the newest voucher, when a refund was first asked for; and the highest voucher that was shown for one. */
  const asked = new Map<Hex, { charged: bigint; signed: bigint; shown: bigint }>()
  /** Channels whose refund a node has seen. */
  const refunding = new Set<Hex>()
  const before = new Map<string, { charged: bigint; presented: bigint }>()

  const readCharged = () =>
    chargedSchema.parse(
      database.rows(`SELECT "id", "charged"::text, "presented"::text, "signed"::text, "stored", "pending" FROM "Channel"`),
    )
  const rowWith = (id: Hex) => readCharged().find((one) => one.id === id)
  /** What is charged of a channel: of a kept one, what the service has written. */
  const chargedOf = ({ id, charged, kept }: Selling): bigint => (kept ? (rowWith(id)?.charged ?? 0n) : charged)
  const owedTo = ({ config }: Selling): bigint => {
    const { claimed, settled } = chain.head().state.receivers.get(config.receiver) ?? { claimed: 0n, settled: 0n }
    return claimed - settled
  }
  const bookOf = (id: Hex) => chain.head().state.channels.get(id)
  const claimedOf = (id: Hex): bigint => bookOf(id)?.claimed ?? 0n

  /** I21: what is claimed was charged, and its row was committed before anything was signed. */
  function checkClaim(hash: Hex, { rows }: Extract<Act, { kind: 'claim' }>): void {
    for (const { id, total } of rows) {
      const selling = sellings.get(id)
      if (!selling || total > selling.charged || total > chargedOf(selling))
        broken('I21', `${hash} claims ${total} of ${selling?.name}, charged ${selling?.charged}`)
      const [row] = database.rows(
        `SELECT 1 FROM "ChannelClaim" WHERE "channelId" = $1 AND "total" = $2::numeric`,
        id,
        String(total),
      )
      if (!row) broken('I21', `${hash} claims ${total} of ${selling?.name}, and no row says so`)
    }
  }

  /** I22: only the channel's merchant has it refunded, and not before what is known to be charged is claimed. */
  function checkRefund(hash: Hex, { id }: Extract<Act, { kind: 'refund' }>, acts: readonly Act[]): void {
    const known = asked.get(id)
    if (known === undefined) {
      broken('I22', `${hash} refunds ${sellings.get(id)?.name}, and its merchant did not ask`)
      return
    }
    const rows = acts.flatMap((one) => (one.kind === 'claim' ? one.rows : []))
    const total = rows.reduce((most, row) => (row.id === id && row.total > most ? row.total : most), highest(id))
    const name = sellings.get(id)?.name
    if (total < known.charged)
      broken('I22', `${hash} refunds ${name} behind ${total}, and ${known.charged} was known to be charged`)
    if (refunding.has(id)) return
    refunding.add(id)
    const row = rowWith(id)
    if (sellings.get(id)?.kept) {
      checkServing(hash, id, row)
      return
    }
    const shown = [row?.presented ?? 0n, ...rows.map(({ most }) => most)].reduce(largest, known.shown)
    if (total < known.signed && shown < known.signed)
      broken('I22', `${hash} refunds ${name} behind ${total}, and its voucher over ${known.signed} was not shown`)
  }

  /** I22: no refund of a kept channel is sent while a request of it is served, whose charge is not known yet. */
  function checkServing(hash: Hex, id: Hex, row: ReturnType<typeof rowWith>): void {
    const { pending = null, charged = 0n } = row ?? {}
    if (pending && pending.signedMaxClaimable > charged && pending.expiresAt > now())
      broken('I22', `${hash} refunds ${sellings.get(id)?.name} while a request over ${pending.signedMaxClaimable} is served`)
  }

  /** The most that was ever claimed of a channel on some chain. */
  const most = new Map<Hex, bigint>()
  const highest = (id: Hex): bigint => {
    const claimed = claimedOf(id)
    return claimed > (most.get(id) ?? 0n) ? claimed : (most.get(id) ?? 0n)
  }
  chain.onBlock(({ executed, timestamp }) => {
    for (const { logs } of executed)
      for (const { topics, data } of logs) {
        const [event, id] = topics
        const total = event === CLAIMED && id ? BigInt(`0x${data.slice(66, 130)}`) : 0n
        if (id && total > (most.get(id) ?? 0n)) most.set(id, total)
        if (id && event === WITHDRAW_ASKED) noteWithdrawal(id, timestamp)
        if (id && event === WITHDRAWN) checkWithdrawal(id)
      }
  })

  /** What was stored of kept channels, from when, and what of it when their payers asked to withdraw. */
  const histories = new Map<Hex, { since: number; charged: bigint }[]>()
  const promised = new Map<Hex, bigint>()

  function noteWithdrawal(id: Hex, timestamp: bigint): void {
    const before = histories.get(id)?.filter(({ since }) => since <= Number(timestamp) * 1_000) ?? []
    promised.set(id, before.at(-1)?.charged ?? 0n)
  }

  /** I27: once the delay is over, all that was charged before is claimed, as far as the balance went. */
  function checkWithdrawal(id: Hex): void {
    const [before] = chain.blocks.slice(-2)
    const { balance = 0n } = before?.state.channels.get(id) ?? {}
    const due = least(promised.get(id) ?? 0n, balance)
    if (isCalm() && claimedOf(id) < due)
      broken('I27', `${sellings.get(id)?.name} was charged ${due}, is claimed to ${claimedOf(id)}, and its payer took the rest`)
  }

  /** Our transactions on the current chain whose logs have this event of a channel. */
  const eventsOf = (event: string, id: Hex): Hex[] =>
    chain.blocks.flatMap(({ executed }) =>
      executed.flatMap(({ hash, logs }) => logs.flatMap(({ topics }) => (topics[0] === event && topics[1] === id ? [hash] : []))),
    )

  return {
    broken,
    knows: (selling) => void sellings.set(selling.id, selling),
    claimed(rows, { status, body }) {
      const hash = String(body.transaction)
      // A reorganisation may have undone it meanwhile: then it is sent again.
      if (status === 200 && body.success === true && !isKnownHash(hash))
        broken('I23', `a claim of ${rows.length} rows was answered with ${hash}, which nobody sent`)
    },
    refundAsked({ id }, shown) {
      const { charged = 0n, signed = 0n } = rowWith(id) ?? {}
      const first = asked.get(id) ?? { charged, signed, shown }
      // A late voucher may be lower than the newest one.
      asked.set(id, { ...first, signed: least(first.signed, signed), shown: largest(first.shown, shown) })
    },
    refunded({ name }, { status, body }) {
      if (status === 200 && body.success === true && !isKnownHash(String(body.transaction)))
        broken('I23', `the refund of ${name} was answered with ${String(body.transaction)}, which nobody sent`)
    },
    cheated({ name }, { status, body }) {
      if (status === 200 && body.success === true) broken('I22', `another merchant acted on ${name}`)
    },
    isUnclaimed: (some) =>
      some.some((selling) => {
        const { balance = 0n, claimed = 0n } = bookOf(selling.id) ?? {}
        return claimed < least(chargedOf(selling), balance)
      }),
    isUnpaid: (some) => some.some((selling) => owedTo(selling) > 0n),
    sent({ hash, call }) {
      for (const act of call.acts ?? []) {
        if (act.kind === 'claim') checkClaim(hash, act)
        if (act.kind === 'refund') checkRefund(hash, act, call.acts ?? [])
      }
    },
    look({ acts, usages, settlements }) {
      for (const { id, charged, presented, signed, stored } of readCharged()) {
        if (stored) checkStored(id, charged, signed)
        const known = before.get(id)
        if (known && (charged < known.charged || presented < known.presented))
          broken('I24', `${id} was charged ${known.charged}, and now ${charged}`)
        before.set(id, { charged, presented })
      }
      const live = new Set<string>()
      for (const one of acts) {
        if (frees(one)) continue
        if (live.has(one.intent)) broken('I1', `two settlements of one ${one.kind}`)
        live.add(one.intent)
      }
      for (const { subject, used } of usages) {
        const accepted = [...acts, ...settlements].filter((one) => one.subject === subject && !GIVEN_BACK.has(one.state)).length
        if (accepted > used) broken('I10', `${subject} has ${accepted} settlements with acts, and used ${used} units`)
      }
    },
    end({ acts }) {
      const rows = rowSchema.parse(database.rows(`SELECT "settlementId"::text, "channelId", "total"::text FROM "ChannelClaim"`))
      for (const one of acts) if (one.state === 'FINAL') checkFinal(one, rows)
      const history = new Set(readHistory(database).map(({ settlementId }) => settlementId))
      for (const { id, kind } of acts) if (history.has(id)) broken('I11', `a ${kind} has a history row`)
      for (const selling of sellings.values()) {
        const { id, name, authorization } = selling
        const charged = chargedOf(selling)
        const { balance = 0n, claimed = 0n } = bookOf(id) ?? {}
        if (claimed > charged) broken('I21', `${name} is claimed to ${claimed}, and charged ${charged}`)
        if (claimed < least(charged, balance))
          broken('I25', `${name} is charged ${charged} and has ${balance}, and ${claimed} is claimed`)
        if (selling.kept && owedTo(selling) > 0n) broken('I25', `${owedTo(selling)} of ${name} is claimed and not paid out`)
        const opened = chain.blocks.flatMap(({ executed }) =>
          executed.filter(({ uses }) => uses.includes(spentBy(authorization))),
        )
        if (opened.length > 1) broken('I1', `the deposit of ${name} was made ${opened.length} times`)
        if (eventsOf(REFUNDED, id).length > 1) broken('I1', `${name} was refunded ${eventsOf(REFUNDED, id).length} times`)
      }
    },
  }

  /** I26: each charge that was confirmed is stored once, and the payer signed for all of them. */
  function checkStored(id: string, charged: bigint, signed: bigint): void {
    const selling = sellings.get(`0x${id.slice(2)}`)
    if (!selling?.kept) return
    const { name, kept } = selling
    const history = histories.get(selling.id) ?? []
    histories.set(selling.id, history)
    if (history.at(-1)?.charged !== charged) history.push({ since: now(), charged })
    if (charged < kept.confirmed || charged > selling.charged)
      broken('I26', `${name} is stored with ${charged}; confirmed were ${kept.confirmed}, sent ${selling.charged}`)
    if (charged > signed || signed > selling.signed)
      broken('I26', `${name} is charged ${charged} by a voucher over ${signed}, and its payer signed ${selling.signed}`)
  }

  function isKnownHash(hash: string): boolean {
    return database.rows(`SELECT 1 FROM "Attempt" WHERE "hash" = $1`, hash).length > 0
  }

  /** I2: a final act is on the chain, by the transaction that the ledger names. */
  function checkFinal({ id, kind, txHash, channel }: ActRow, rows: z.output<typeof rowSchema>): void {
    const executed = chain.blocks.flatMap((block) => block.executed).find(({ hash }) => hash === txHash)
    if (!executed?.succeeded) broken('I2', `a ${kind} is FINAL by ${txHash}, which is not on the chain`)
    if (kind === 'refund' && !executed?.logs.some(({ topics }) => topics[0] === REFUNDED && topics[1] === channel))
      broken('I2', `a refund is FINAL by ${txHash}, which refunds nothing`)
    for (const { channelId, total } of rows.filter(({ settlementId }) => settlementId === id))
      if (claimedOf(`0x${channelId.slice(2)}`) < total)
        broken('I2', `a ${kind} is FINAL, and ${channelId} is not claimed to ${total}`)
  }
}

/** What was never signed, or failed on the chain, costs no unit. */
const GIVEN_BACK = new Set(['REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID'])

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const largest = (a: bigint, b: bigint) => (a > b ? a : b)
