import type { Hex } from 'viem'
import type { Block, Executed } from './block'
import type { Chain } from './chain'
import { type ChannelOracle, createChannelOracle } from './channel-oracle'
import type { Database, Statement } from './database'
import { frees, type Ledger, readLedger, type Settlement, spentIn } from './ledger'
import { MERCHANTS } from './merchants'
import type { Asking, Heard, Purchase } from './purchase'
import type { Owner, Schedule } from './schedule'
import { createSponsoringOracle, type SponsoringOracle, type SponsoringParts } from './sponsoring'
import { type Authorization, spentBy, transferLog } from './token'
import type { Transaction } from './transaction'
import type { Result } from './wire'

/** A broken invariant: its number and a description. */
export type Violation = string

/** An answered success, with the amount that its request asked for. */
type Success = { purchase: Purchase; flash: boolean; hash: string; amount: bigint }

/** Checks the invariants from outside, with the clients' answers, the chain, and the ledger after every change. */
export type Oracle = {
  /** Registers a payment. */
  knows(purchase: Purchase): void
  /** Registers a client's answer. */
  answered(asking: Asking, heard: Exclude<Heard, 'nothing'>): void
  /** Registers a completed statement of an instance. */
  done(owner: Owner, statement: Statement, result: Result): void
  /** Registers a transaction that reached a node. */
  sent(transaction: Transaction): void
  block(block: Block): void
  /** Checks the ledger if it changed since the last check. */
  look(): void
  /** Our transactions on the current chain that moved this purchase's money. */
  paidBy(purchase: Purchase): Hex[]
  /** Whether only others submitted this purchase, exactly as its payer signed it. */
  wasStolen(purchase: Purchase): boolean
  /** Whether our transaction came in time, and no order of its block would have paid: the payer had too little before and after it. */
  wasDrained(purchase: Purchase, hash: string | null): boolean
  successes(): Success[]
  broken(number: string, what: string): void
  /** Registers that an instance ended. */
  ended: SponsoringOracle['ended']
  paths: SponsoringOracle['paths']
  /** What is checked of channels. */
  channels: ChannelOracle
  violations: Violation[]
}

const WRITES = /(INSERT INTO|UPDATE) "(Settlement|Slot|Attempt|Usage|Channel)"/
/** Updates of these columns only schedule work, so no invariant depends on them. */
const PLANS = /^\s*UPDATE "Settlement" s SET "(nextCheckAt|queuedBy)"/

type OracleParts = {
  database: Database
  chain: Chain
  schedule: Schedule
  isExact: boolean
  /** Milliseconds after its start from which a run must have claimed what is urgent. */
  calmFromMs: number
} & Pick<SponsoringParts, 'isTruthful'>

/** An oracle over one run. It shares only the chain and the database with the service. */
export function createOracle({ database, chain, schedule, isTruthful, isExact, calmFromMs }: OracleParts): Oracle {
  const violations: Violation[] = []
  const purchases = new Map<string, Purchase>()
  /** Transactions that ever used an authorization on the chain, by authorization: ours, and those of others, with whether they paid. */
  const ours = new Map<string, Set<Hex>>()
  const theirs = new Map<string, Map<Hex, boolean>>()
  const answers = new Map<string, { names: Set<string>; times: number }>()
  const failed = new Set<string>()
  const successes: Success[] = []
  const holders = new Map<Owner, string>()
  let changed = true
  const isCalm = () => schedule.elapsed() >= calmFromMs
  const channels = createChannelOracle({ database, chain, now: schedule.now, isCalm, broken })
  const sponsoring = createSponsoringOracle({ database, chain, isTruthful, broken })

  function broken(number: string, what: string): void {
    violations.push(`${number}: ${what} (after ${(schedule.elapsed() / 1_000).toFixed(3)} s)`)
    schedule.note(`VIOLATION ${number}: ${what}`)
  }

  function paidBy({ authorization }: Purchase): Hex[] {
    const use = spentBy(authorization)
    // After a reorganisation the same transaction may have failed in another block.
    const moved = (one: Executed) => one.ours !== null && ours.get(use)?.has(one.hash) && one.uses.includes(use)
    return chain.blocks.flatMap(({ executed }) => executed.filter(moved).map(({ hash }) => hash))
  }

  function success({ purchase, variant, idempotencyKey }: Asking, heard: Exclude<Heard, 'nothing'>): void {
    const { name, flaw, merchant, authorization } = purchase
    const hash = String(heard.body.transaction)
    const flash = merchant.prefix === 'flash'
    const amount = purchase.asked.amount + (variant === 'other amount' ? 1n : 0n)
    const { upto } = authorization
    if (upto && (amount > upto.maximum || heard.body.amount !== String(amount)))
      broken('I5', `${name}: success answered with ${String(heard.body.amount)} to a charge of ${amount}`)
    // A merchant may charge another part of a maximum.
    const isOther = variant === 'other payee' || (variant === 'other amount' && !upto)
    if (isOther || flaw === 'other amount' || flaw === 'other payee')
      broken('I5', `${name}: success answered to a request with other terms (${variant})`)
    if (flaw === 'forged') broken('I4', `${name}: success answered for a payment that its payer did not sign`)
    if (failed.has(spentBy(authorization))) broken('I6', `${name}: success answered after a failure`)
    if (heard.replayed) return
    const before = answers.get(name) ?? { names: new Set(), times: 0 }
    answers.set(name, before)
    // A retry with the same Idempotency-Key may get the same answer.
    if (idempotencyKey !== null) before.names.add(idempotencyKey)
    else before.times++
    if (before.times + before.names.size > 1) broken('I1', `${name}: success answered more than once`)
    successes.push({ purchase, flash, hash, amount })
    if (amount === 0n) {
      if (hash !== '') broken('I2', `${name}: a charge of nothing was answered with ${hash}`)
      return
    }
    if (!flash && ![...(ours.get(spentBy(authorization)) ?? [])].some((one) => one === hash))
      broken('I2', `${name}: success answered, but ${hash} never moved the money`)
  }

  function failure({ purchase, variant }: Asking, { body }: Exclude<Heard, 'nothing'>): void {
    const { name, authorization } = purchase
    if (body.errorReason === 'settlement_pending' && body.transaction === '' && isSigned(authorization))
      broken('I6', `${name}: pending answered without its transaction`)
    if (variant !== 'honest' || body.errorReason === 'settlement_pending') return
    checkNamed(purchase, String(body.errorMessage))
    const paid = paidBy(purchase)
    if (paid.length > 0)
      broken('I6', `${name}: failure answered (${String(body.errorReason)}), but ${paid.join()} is on the chain`)
    if (body.transaction !== '' && body.errorReason !== 'settlement_reversed' && !isUnpaid(authorization, body.transaction))
      failed.add(spentBy(authorization))
  }

  /** I6: a failure that names another transaction names one that used the authorization, and says whether it paid. */
  function checkNamed({ name, authorization }: Purchase, said: string): void {
    const [, hash, paid] = /was used by transaction (0x[0-9a-f]{64}), .*\. It (paid|did not)/.exec(said) ?? []
    const uses = [...(theirs.get(spentBy(authorization)) ?? [])]
    if (hash && !uses.some(([use, pays]) => use === hash && pays === (paid === 'paid')))
      broken('I6', `${name}: the answer says "${said}", and the chain says otherwise`)
  }

  const settlementsOf = (authorization: Authorization) =>
    readLedger(database).settlements.filter((one) => spentIn(one) === spentBy(authorization))

  /** Whether the failure allows a retry, so that a success may follow. */
  const isUnpaid = (authorization: Authorization, hash: unknown) =>
    settlementsOf(authorization).some((one) => one.txHash === hash && one.state === 'UNPAID')

  const isSigned = (authorization: Authorization) =>
    settlementsOf(authorization).some((one) => one.state !== 'REJECTED' && one.txHash !== null)

  function checkLedger({ settlements, slots, lanes, usages }: Ledger): void {
    const live = new Set<string>()
    for (const one of settlements) {
      const purchase = purchases.get(spentIn(one))
      if (!purchase || purchase.flaw === 'forged' || purchase.flaw === 'other amount' || purchase.flaw === 'other payee')
        broken('I4', `${purchase?.name ?? 'something unknown'} was claimed and should not have been`)
      else if (one.payTo !== purchase.authorization.to || !isAsked(one, purchase))
        broken('I5', `${purchase.name} was claimed with other terms than its payer signed`)
      if (!frees(one) && live.has(one.intent)) broken('I1', `${purchase?.name}: two settlements of one intent`)
      if (!frees(one)) live.add(one.intent)
      if (purchase) checkEnd(one, purchase)
    }
    for (const one of settlements) {
      const purchase = purchases.get(spentIn(one))
      if (one.state !== 'UNPAID' || !purchase || live.has(one.intent)) continue
      if (paidBy(purchase).length > 0) broken('I6', `${purchase.name} is UNPAID, and its money has moved`)
    }
    for (const { id, address, nextNonce, status } of lanes) {
      const nonces = slots.filter(({ laneId }) => laneId === id).map(({ nonce }) => nonce)
      if (nonces.some((nonce, at) => nonce !== BigInt(at)) || (nonces.length > 0 && nextNonce !== BigInt(nonces.length)))
        broken('I8', `the nonces of ${address} are ${nonces.join()}, the next one ${nextNonce}`)
      if ((chain.head().nonces.get(asHex(address)) ?? 0n) > (nextNonce ?? 0n)) broken('I8', `the chain is ahead of ${address}`)
      if (status === 'quarantined') broken('I8', `${address} was given up`)
    }
    if (slots.some(({ attempts }) => attempts === 0)) broken('I3', 'a slot without signed bytes')
    for (const { subject, used } of usages) {
      const limit = Object.values(MERCHANTS).find((one) => one.subject === subject)?.limit ?? 0
      if (used > limit) broken('I10', `${subject} used ${used} of ${limit}`)
      const accepted = settlements.filter((one) => one.subject === subject && !givesBack(one.state)).length
      if (accepted > used) broken('I10', `${subject} has ${accepted} settlements and used ${used} units`)
    }
  }

  /** I4: a charge is what was claimed, and comes from the account that its payer named. */
  function checkCharge({ hash, sender, call }: Transaction, transfer: Authorization): void {
    const { upto, value } = transfer
    if (!upto) return
    if (sender !== upto.facilitator || call.kind !== 'one')
      broken('I4', `${hash} of ${sender} charges what only ${upto.facilitator} may send`)
    if (!settlementsOf(transfer).some(({ amount }) => amount === String(value)))
      broken('I4', `${hash} charges ${value}, and no claim does`)
  }

  /** A claim that was freed and a payment that failed on the chain give their unit back; one answered as a success keeps it. */
  const givesBack = (state: string) => ['REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID'].includes(state)

  /** I6: a final failure needs its proof on the chain. */
  function checkEnd({ state, returns, slotId }: Settlement, purchase: Purchase): void {
    const { name, authorization } = purchase
    const use = spentBy(authorization)
    if (returns > 2) broken('I9', `${name} was mined in vain ${returns} times`)
    if (state === 'UNPAID' && returns === 0 && slotId === null) broken('I6', `${name} is UNPAID and never was in a transaction`)
    if (!['REVERTED', 'USED_ELSEWHERE', 'EXPIRED'].includes(state)) return
    if (!failed.has(use) && paidBy(purchase).length > 0) broken('I6', `${name} is ${state}, and its money has moved`)
    failed.add(use)
    if (state === 'EXPIRED' && chain.head().timestamp < authorization.validBefore) broken('I6', `${name} is EXPIRED too early`)
    if (state === 'USED_ELSEWHERE' && !theirs.has(use)) broken('I6', `${name} is USED_ELSEWHERE without another use`)
  }

  return {
    violations,
    channels,
    broken,
    paidBy,
    wasStolen({ authorization }) {
      const uses = [...(theirs.get(spentBy(authorization))?.values() ?? [])]
      return uses.length > 0 && uses.every((pays) => pays)
    },
    wasDrained({ authorization: { from, value, validBefore } }, hash) {
      const at = chain.blocks.findIndex(({ executed }) => executed.some((one) => one.ours !== null && one.hash === hash))
      const around = chain.blocks.slice(Math.max(0, at - 1), at + 1)
      const isShort = ({ state }: Block) => (state.balances.get(from) ?? 0n) < value
      return isExact && at > 0 && around.every((block) => isShort(block) && block.timestamp < validBefore)
    },
    successes: () => successes,
    knows(purchase) {
      purchases.set(spentBy(purchase.authorization), purchase)
      sponsoring.knows(purchase)
      // The token accepts a signed authorization from any sender.
      if (purchase.flaw !== 'forged' && purchase.flaw !== 'refused') chain.signed(purchase.authorization)
    },
    answered(asking, heard) {
      if (heard.status === 200 && heard.body.success === true) success(asking, heard)
      else if (heard.status === 200) failure(asking, heard)
      else if (heard.status === 500) broken('500', `${asking.purchase.name}: ${JSON.stringify(heard.body)}`)
    },
    done(owner, { sql }, { rows }) {
      if (sql.includes('INSERT INTO "Lane" AS l') && rows[0]) holders.set(owner, String(rows[0].holder))
      if (!WRITES.test(sql) || PLANS.test(sql)) return
      changed = true
      const slotId = sql.includes('INSERT INTO "Slot"') ? rows[0]?.slotId : null
      if (slotId) fence(owner, String(slotId))
      sponsoring.ran(sql, slotId ? String(slotId) : null)
    },
    sent(transaction) {
      const { hash, raw, sender, gas, call, nonce } = transaction
      schedule.note(`${hash.slice(0, 8)} of ${sender.slice(0, 8)} with nonce ${nonce} comes to a node`)
      if (chain.head().state.ether.has(sender)) return sponsoring.sent(transaction)
      const [known] = database.rows(`SELECT 1 FROM "Attempt" WHERE "hash" = $1 AND "raw" = $2`, hash, raw)
      if (!known) broken('I3', `${hash} came to a node and is not committed (from ${sender})`)
      for (const one of call.transfers) checkCharge(transaction, one)
      channels.sent(transaction)
      if (!call.acts && gas > call.transfers.reduce((sum, one) => sum + gasOf(one), 60_000n))
        broken('I9', `${hash} may burn ${gas} gas`)
    },
    block(block) {
      const { number, executed } = block
      sponsoring.block(block)
      const done = executed.map(
        ({ hash, succeeded, ours: mine, logs }) =>
          `${mine ? 'ours' : 'theirs'} ${hash.slice(0, 8)} ${succeeded} ${logs.length} logs`,
      )
      schedule.note(`block ${number}: ${done.join(', ')}`)
      for (const one of executed) {
        for (const use of one.uses) {
          if (!one.ours) theirs.set(use, new Map(theirs.get(use)).set(one.hash, pays(one, purchases.get(use))))
          else ours.set(use, (ours.get(use) ?? new Set()).add(one.hash))
          if (one.ours && failed.has(use)) broken('I6', `${purchases.get(use)?.name} got a failure and then moved by ${one.hash}`)
        }
      }
      changed = true
    },
    look() {
      if (!changed) return
      changed = false
      const ledger = readLedger(database)
      checkLedger(ledger)
      sponsoring.look(ledger)
      channels.look(ledger)
    },
    ended: sponsoring.ended,
    paths: sponsoring.paths,
  }

  /** I8: only the holder of an unexpired lease allocates a lane's nonces. */
  function fence(owner: Owner, slotId: string): void {
    const [lane] = database.rows(
      `SELECT l."holder", l."leaseUntil" > now() AS "held" FROM "Slot" s JOIN "Lane" l ON l."id" = s."laneId" WHERE s."id" = $1::uuid`,
      slotId,
    )
    if (lane?.holder !== holders.get(owner) || lane?.held !== true)
      broken('I8', `${owner.name} took a nonce of a lane that it does not hold`)
  }
}

const asHex = (value: string): Hex => `0x${value.slice(2)}`

/** Whether a settlement has the amount that its merchant asked for: of a maximum any charge that a client tries. */
function isAsked({ amount, maximum }: Settlement, { authorization: { upto, value }, asked }: Purchase): boolean {
  if (!upto) return amount === String(value) && maximum === null
  const charge = BigInt(amount)
  const isTried = charge === asked.amount || charge === asked.amount + 1n
  return isTried && charge <= upto.maximum && maximum === String(upto.maximum)
}

/** Whether a transaction's logs have a purchase's transfer. */
function pays({ logs }: Executed, purchase: Purchase | undefined): boolean {
  if (!purchase) return false
  const { from, to, value } = purchase.authorization
  const wanted = JSON.stringify(transferLog(from, to, value))
  return logs.some((log) => JSON.stringify(log) === wanted)
}

/** The most gas of a transfer: Permit2 takes more, and so does a permit. */
function gasOf({ method, permit, deposit }: Authorization): bigint {
  if (deposit) return 260_000n
  if (method === 'eip3009') return 120_000n
  return permit ? 280_000n : 200_000n
}
