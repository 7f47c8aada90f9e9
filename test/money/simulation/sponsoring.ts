import type { Hex } from 'viem'
import { APPROVAL_MAX } from './approval'
import type { Block } from './block'
import type { Chain } from './chain'
import type { Database } from './database'
import { type Ledger, readLedger, readSpent, readUnapproved, type Settlement, spentIn } from './ledger'
import type { Purchase } from './purchase'
import { spentBy } from './token'
import { readTransaction, type Transaction } from './transaction'

/** Checks the ether that we send to payers, and what we send of their own transactions. */
export type SponsoringOracle = {
  knows(purchase: Purchase): void
  /** A statement ran, and committed this slot if any. */
  ran(sql: string, slotId: string | null): void
  /** A payer's own transaction reached a node. */
  sent(transaction: Transaction): void
  block(block: Block): void
  look(ledger: Ledger): void
  /** An instance ended. */
  ended(): void
  /** What happened, as the coverage counts it. */
  paths(): string[]
}

export type SponsoringParts = {
  database: Database
  chain: Chain
  /** No node fails or lies in this run. */
  isTruthful: boolean
  broken: (number: string, what: string) => void
}

const SPENDS = /INTO "SponsorSpend"/

/** An oracle of sponsored approvals. It has nothing to check where payers have no ether. */
export function createSponsoringOracle({ database, chain, isTruthful, broken }: SponsoringParts): SponsoringOracle {
  const purchases = new Map<string, Purchase>()
  const costs = new Map<Hex, bigint>()
  /** The most of each that a payer had in any block that there ever was. */
  const most = { ether: new Map<Hex, bigint>(), allowance: new Map<Hex, bigint>(), nonce: new Map<Hex, bigint>() }
  const sent = new Set<Hex>()
  const paths = new Set<string>()
  let spent = 0n
  for (const block of chain.blocks) see(block)

  function see({ state, nonces }: Block): void {
    for (const [payer, ether] of state.ether) {
      raise(most.ether, payer, ether)
      raise(most.allowance, payer, state.allowances.get(payer) ?? 0n)
      raise(most.nonce, payer, nonces.get(payer) ?? 0n)
    }
  }

  const approvalOf = (one: Settlement) => purchases.get(spentIn(one))?.approval ?? null

  /** Returns what the ether of a slot costs at most; null for a slot without. */
  function checkFunding(slotId: string): bigint | null {
    const { slots, settlements } = readLedger(database)
    const raw = slots.find(({ id, kind }) => id === slotId && kind === 'fund')?.raw
    if (!raw) return null
    const { to, value, gas, maxFeePerGas } = readTransaction(raw)
    const claims = settlements.filter(({ fundedSlotId }) => fundedSlotId === slotId)
    for (const claim of claims) {
      const cost = approvalOf(claim)?.cost ?? 0n
      if (claim.state !== 'CLAIMED') broken('I9', `ether was committed for a claim that is ${claim.state}`)
      if (to !== claim.payer) broken('I4', `ether for ${claim.payer} goes to ${to}`)
      if (value > cost || cost > APPROVAL_MAX.wei) broken('I9', `${value} wei were committed for an approval of ${cost}`)
    }
    if (claims.length !== 1) broken('I9', `ether was committed for ${claims.length} claims`)
    return value + gas * maxFeePerGas
  }

  return {
    knows(purchase) {
      purchases.set(spentBy(purchase.authorization), purchase)
      if (purchase.approval) costs.set(purchase.approval.hash, purchase.approval.cost)
    },
    ran(sql, slotId) {
      if (!chain.hasEther || !SPENDS.test(sql)) return
      const before = spent
      spent = readSpent(database)
      const cost = slotId && checkFunding(slotId)
      if (cost && spent - before !== cost) broken('I9', `ether costs ${cost}, and ${spent - before} was charged`)
    },
    sent({ hash, sender }) {
      sent.add(hash)
      const cost = costs.get(hash)
      if (cost === undefined) broken('I4', `a transaction of ${sender} was sent that came with no payment`)
      else if ((most.ether.get(sender) ?? 0n) < cost) broken('I3', `an approval was sent before ${sender} had ether for it`)
    },
    block(block) {
      see(block)
      for (const { payers, ours, succeeded } of block.executed) {
        if (payers && succeeded && payers.call.kind === 'approval') paths.add('approval mined')
        if (payers && payers.call.kind === 'nothing') paths.add('approval displaced')
        const members = (isTruthful ? ours?.call.transfers : null) ?? []
        const refused = members.map((one) => purchases.get(spentBy(one))).filter((one) => one?.flaw === 'refused')
        for (const one of refused) broken('I9', `${one?.name} was sent, and every simulation shows that it fails`)
      }
    },
    look({ settlements, slots }) {
      if (!chain.hasEther) return
      const funded = new Set(settlements.map(({ fundedSlotId }) => fundedSlotId))
      if (slots.some(({ id, kind }) => kind === 'fund' && !funded.has(id))) broken('I9', 'ether was sent to a claim again')
      const counted = new Set(readUnapproved(database))
      for (const one of settlements.filter(({ fundedSlotId }) => fundedSlotId !== null)) {
        const { id, payer, amount, reason } = one
        const isUsed = (most.nonce.get(payer) ?? 0n) > (approvalOf(one)?.nonce ?? 0n)
        // One that is late is counted too, and was given up without a reason.
        const isLate = reason === null
        if (counted.has(id) && !isUsed && !isLate) broken('I6', `${payer} is counted as not approving, and may still approve`)
        // Given up before any block let Permit2 take it: so not in the simulation after the approval.
        const wasLeft = reason === 'insufficient_funds' && (most.allowance.get(payer) ?? 0n) < BigInt(amount)
        if (wasLeft && !counted.has(id)) broken('I9', `${payer} took ether, did not approve, and is not counted`)
      }
    },
    ended() {
      if (!chain.hasEther) return
      const waits = (one: Settlement) => one.state === 'CLAIMED' && one.fundedSlotId !== null
      const isBetween = (one: Settlement) => waits(one) && !sent.has(approvalOf(one)?.hash ?? '0x')
      if (readLedger(database).settlements.some(isBetween)) paths.add('approval crash')
    },
    paths: () => [...paths],
  }
}

function raise(all: Map<Hex, bigint>, payer: Hex, value: bigint): void {
  if (value > (all.get(payer) ?? 0n)) all.set(payer, value)
}
