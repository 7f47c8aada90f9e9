import type { Block } from './block'
import type { Chain } from './chain'
import type { Database } from './database'
import {
  type ActRow,
  frees,
  isOver,
  isPaid,
  readEvents,
  readFailures,
  readHistory,
  readLedger,
  type Settlement,
  spentIn,
} from './ledger'
import type { Oracle } from './oracle'
import type { Purchase } from './purchase'
import { spentBy } from './token'

/** Whether every settlement is final and every nonce is used. */
export function isQuiet(database: Database): boolean {
  const { settlements, acts, slots } = readLedger(database)
  return settlements.every(isOver) && acts.every(isOver) && slots.every(({ state }) => state === 'filled')
}

/** A description of the open settlements, for debugging. */
export function unfinished(database: Database, purchases: readonly Purchase[]): string {
  const { settlements, acts, slots } = readLedger(database)
  const names = new Map(purchases.map((one) => [spentBy(one.authorization), one.name] as const))
  const open = settlements
    .filter((one) => !isOver(one))
    .map((one) => `${names.get(spentIn(one))} ${one.state} returns ${one.returns}`)
  const acting = acts.filter((one) => !isOver(one)).map(({ kind, state }) => `${kind} ${state}`)
  return [...open, ...acting, ...slots.filter(({ state }) => state === 'open').map(({ nonce }) => `slot ${nonce}`)].join('; ')
}

/** Checks at the end that ledger, history and answers agree with the chain. */
export function checkEnd(database: Database, chain: Chain, oracle: Oracle, purchases: readonly Purchase[]): void {
  const { settlements, acts, lanes } = readLedger(database)
  for (const { address, nextNonce } of lanes) {
    const count = chain.head().nonces.get(`0x${address.slice(2)}`) ?? 0n
    if (count !== (nextNonce ?? 0n)) oracle.broken('I7', `the chain has ${count} of the ${nextNonce} nonces of ${address}`)
  }
  const byUse = new Map<string, Settlement>()
  for (const one of settlements) {
    const use = spentIn(one)
    // A later settlement may have claimed a freed intent.
    if (!frees(one) || (one.state === 'UNPAID' && !byUse.has(use))) byUse.set(use, one)
  }
  for (const purchase of purchases) {
    const { name, authorization } = purchase
    const settlement = byUse.get(spentBy(authorization))
    const paid = oracle.paidBy(purchase)
    if (paid.length > 1) oracle.broken('I1', `${name}: the money moved ${paid.length} times`)
    if (paid.length > 0 && settlement?.state !== 'FINAL')
      oracle.broken('I2', `${name}: ${paid.join()} is on the chain and its settlement is ${settlement?.state}`)
    if (settlement?.state === 'FINAL' && settlement.txHash !== paid[0])
      oracle.broken('I2', `${name}: FINAL by ${settlement.txHash}, and the chain has ${paid.join() || 'nothing'}`)
  }
  for (const { purchase, hash, amount } of oracle.successes()) {
    const settlement = byUse.get(spentBy(purchase.authorization))
    const stands = settlement?.state === (amount === 0n ? 'UNCHARGED' : 'FINAL') || settlement?.state === 'REVERSED'
    if (!stands || settlement?.amount !== String(amount))
      oracle.broken(
        'I2',
        `${purchase.name}: success answered (${hash}), but its settlement is ${settlement?.state} of ${settlement?.amount}`,
      )
    if (settlement && !settlement.delivered)
      oracle.broken('I1', `${purchase.name}: success answered, but not marked as delivered`)
  }
  oracle.channels.end(readLedger(database))
  checkHistory(database, settlements, oracle)
  checkFailures(database, settlements, oracle, purchases)
  checkEvents(database, settlements, oracle)
  checkCarried(chain, settlements, acts, oracle)
}

/** I11: one history row per final settlement, equal to the ledger. */
function checkHistory(database: Database, settlements: readonly Settlement[], oracle: Oracle): void {
  const rows = new Map(readHistory(database).map((row) => [row.settlementId, row]))
  for (const { id, state, txHash, logged } of settlements) {
    const row = rows.get(id)
    if (state === 'REJECTED' || !logged) {
      if (row) oracle.broken('I11', `${state} has a history row`)
    } else if (row?.success !== isPaid({ state }) || (state === 'FINAL' && row.txHash !== txHash))
      oracle.broken('I11', `${state} ${txHash} is ${JSON.stringify(row)} in the history`)
  }
}

/** I20: a revert counts against its payer, and so does money that left before our block; what a stranger did with the payer's signed transfer does not. */
function checkFailures(
  database: Database,
  settlements: readonly Settlement[],
  oracle: Oracle,
  purchases: readonly Purchase[],
): void {
  const byUse = new Map(purchases.map((purchase) => [spentBy(purchase.authorization), purchase] as const))
  const byId = new Map(settlements.map((one) => [one.id, byUse.get(spentIn(one))] as const))
  for (const { settlementId, state, txHash, alone, kind } of readFailures(database)) {
    const purchase = byId.get(settlementId)
    if (!purchase) continue
    if (state === 'UNPAID' && alone && kind === null)
      oracle.broken('I20', `${purchase.name} reverted at our cost and is not counted`)
    if (state !== 'USED_ELSEWHERE' && kind === null && oracle.wasDrained(purchase, txHash))
      oracle.broken('I20', `${purchase.name} was mined without its money, is ${state} and is not counted`)
    // Without the stranger's transaction, which a node may hide, it may count at its party.
    if (state === 'USED_ELSEWHERE' && oracle.wasStolen(purchase) && kind !== null && kind !== 'unclear')
      oracle.broken('I20', `${purchase.name} was submitted by a stranger and counts against its payer (${kind})`)
  }
}

const EVENTS: Record<string, readonly string[]> = {
  FINAL: ['payment.settled'],
  UNCHARGED: ['payment.settled'],
  REVERSED: ['payment.settled', 'payment.reversed'],
  REJECTED: [],
}

/** I12: the outbox has exactly one event per final settlement. */
function checkEvents(database: Database, settlements: readonly Settlement[], oracle: Oracle): void {
  const due = settlements.flatMap(({ id, state }) => (EVENTS[state] ?? ['payment.failed']).map((event) => `${event} ${id}`))
  const left = new Set(readEvents(database))
  for (const event of due) if (!left.delete(event)) oracle.broken('I12', `missing in the outbox: ${event}`)
  for (const event of left) oracle.broken('I12', `wrong in the outbox: ${event}`)
}

/** The ledger has each transfer that we sent and the chain executed. */
function checkCarried(chain: Chain, settlements: readonly Settlement[], acts: readonly ActRow[], oracle: Oracle): void {
  const deposits = acts.flatMap(({ payer, nonce }) => (nonce ? [spentBy({ method: 'eip3009', from: payer, nonce })] : []))
  const known = new Set([...settlements.map(spentIn), ...deposits])
  const carried = ({ executed }: Block) => executed.flatMap(({ ours }) => ours?.call.transfers ?? [])
  for (const authorization of chain.blocks.flatMap(carried))
    if (!known.has(spentBy(authorization))) oracle.broken('I4', `we sent a transfer of ${authorization.from} without a claim`)
}
