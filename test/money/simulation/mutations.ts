import type { Edit } from '../../../devnet/bundle'

/** The removal of one protection, and the recorded seed that catches it. `scripts/mutations.mjs` finds such a seed. */
export type Mutation = { name: string; seed: number; edits: readonly Edit[]; schema: readonly string[] }

const METHOD = 'server/x402/schemes/permit2/method.ts'

/** The engine without each of its protections, the last ones those of Permit2, upto, approvals, channels and kept channels. An edit whose text no longer exists fails the run. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'no unique index over the intents of the ledger',
    seed: 16,
    edits: [
      {
        file: 'server/ledger/statements/claim-statement.ts',
        from: `ON CONFLICT ("intentKey") WHERE "state" NOT IN ('REJECTED', 'UNPAID') DO NOTHING`,
        to: '',
      },
    ],
    schema: ['DROP INDEX "Settlement_intentKey_key"'],
  },
  {
    name: 'sent before it is committed',
    seed: 8,
    edits: [
      {
        file: 'server/ledger/evm/lane.ts',
        from: 'const slotId = await writeAhead(',
        to: 'void chain.send(signed.raw)\n    const slotId = await writeAhead(',
      },
    ],
    schema: [],
  },
  {
    name: 'the requirements are not checked again',
    seed: 45,
    edits: [
      { file: 'server/payments/duplicates.ts', from: ' && Buffer.compare(known.requestHash, hash) === 0', to: '' },
      { file: 'server/payments/duplicates.ts', from: 'if (identical && keepsTerms(payment))', to: 'if (identical)' },
      { file: 'server/ledger/statements/settlements.ts', from: ` AND "requestHash" = \${by.requestHash}`, to: '' },
    ],
    schema: [],
  },
  {
    name: 'the epoch of the lease is not checked',
    seed: 8,
    edits: [
      {
        file: 'server/ledger/statements/slots.ts',
        from: ` AND "holder" = \${lease.holder} AND "epoch" = \${lease.epoch} AND "leaseUntil" > now()`,
        to: '',
      },
    ],
    schema: [],
  },
  {
    name: 'the status of a receipt is enough, without its logs',
    seed: 9008,
    edits: [
      {
        file: 'server/chains/evm/receipts.ts',
        from: 'return receipt.succeeded && namesOf(transfer).some((name) => proofsOf(receipt).has(name))',
        to: 'return receipt.succeeded || namesOf(transfer).some((name) => proofsOf(receipt).has(name))',
      },
    ],
    schema: [],
  },
  {
    name: 'the quota is read and then written',
    seed: 15,
    edits: [
      {
        file: 'server/ledger/statements/claim-statement.ts',
        from: `DO UPDATE SET "used" = \${within(sql\`u."used" + EXCLUDED."used"\`, LIMIT)}`,
        to: 'DO UPDATE SET "used" = u."used" + EXCLUDED."used"',
      },
      {
        file: 'server/ledger/statements/claim-statement.ts',
        from: `NOT a."monthly" OR (a."settlementsBefore" + a."unitsAhead" < a."unitsMax" AND \${HAS_WIDER})`,
        to: 'true',
      },
    ],
    schema: [],
  },
  {
    name: 'a returned member is never ended',
    seed: 267,
    edits: [
      {
        file: 'server/ledger/returned.ts',
        from: 'await fail(options, claim, short(claim, transfer, expired))',
        to: 'continue',
      },
      {
        file: 'server/ledger/returned.ts',
        from: 'else if (claim.overdue || claim.returns > RETURNS_MAX) {',
        to: 'else if (false) {',
      },
      { file: 'server/ledger/evm/lane.ts', from: 'options.endReturned(settlementId)', to: 'void settlementId' },
    ],
    schema: [],
  },
  {
    name: 'what was delivered is not marked',
    seed: 1,
    edits: [
      { file: 'server/ledger/statements/settlements.ts', from: `"deliveredAt" = now(), "deliveredTo"`, to: `"deliveredTo"` },
      {
        file: 'server/ledger/statements/landings.ts',
        from: `"deliveredAt" = CASE WHEN m."answered" THEN now() ELSE s."deliveredAt" END,`,
        to: '',
      },
    ],
    schema: [],
  },
  {
    name: 'equal transfers by Permit2 share a transaction',
    seed: 3304,
    edits: [
      {
        file: 'server/ledger/evm/preflight.ts',
        from: 'const isAlike = moved.has(what) && !(named && moved.get(what))',
        to: 'const isAlike = false',
      },
    ],
    schema: [],
  },
  {
    name: 'any transfer before the event of the proxy is taken, the first one and not the last',
    seed: 3020,
    edits: [
      { file: METHOD, from: 'if (moved && !byEip3009.has(at)) {', to: 'if (moved) {' },
      { file: METHOD, from: 'last = [proofOf(moved.asset', to: 'last ??= [proofOf(moved.asset' },
    ],
    schema: [],
  },
  {
    name: 'the bit beside that of a nonce is read',
    seed: 3143,
    edits: [
      { file: METHOD, from: '((word >> (nonce % BITS)) & 1n) === 1n', to: '((word >> ((nonce + 1n) % BITS)) & 1n) === 1n' },
    ],
    schema: [],
  },
  {
    name: 'a deadline is over in its last second',
    seed: 3041,
    edits: [{ file: METHOD, from: 'transfer.authorization.deadline + 1n', to: 'transfer.authorization.deadline - 1n' }],
    schema: [],
  },
  {
    name: 'any signer sends what one alone may send',
    seed: 20020,
    edits: [
      {
        file: 'server/ledger/engine.ts',
        from: 'const all = lanesFor(network, laneClass).filter((lane) => isSender(lane, sender))',
        to: 'const all = lanesFor(network, laneClass)',
      },
    ],
    schema: [],
  },
  {
    name: 'a claim may get ether again, as after a crash',
    seed: 6012,
    edits: [{ file: 'server/ledger/statements/approvals.ts', from: ' AND s."fundedSlotId" IS NULL', to: '' }],
    schema: [],
  },
  {
    name: 'a payment that reverted alone is not counted',
    seed: 5,
    edits: [
      {
        file: 'server/ledger/evm/failing.ts',
        from: `const counts = isShort ? 'everywhere' : ours ? 'nowhere' : unexplained(transfer)`,
        to: `const counts = ours || isShort ? 'nowhere' : 'nowhere'`,
      },
    ],
    schema: [],
  },
  {
    name: 'a payment mined without its money is not counted once its time has ended',
    seed: 9159,
    edits: [
      {
        file: 'server/ledger/evm/failing.ts',
        from: `const common = { to: 'UNPAID', txHash: hash, counts } as const`,
        to: `const common = { to: 'UNPAID', txHash: hash, counts: expired ? 'nowhere' : counts } as const`,
      },
    ],
    schema: [],
  },
  {
    name: "a stranger's use of an authorization counts against its payer",
    seed: 3010,
    edits: [{ file: 'server/ledger/uses.ts', from: `paid && !byPayer ? 'nowhere' : 'everywhere'`, to: `'everywhere'` }],
    schema: [],
  },
  {
    name: 'a claim that is over gets ether',
    seed: 6160,
    edits: [
      { file: 'server/ledger/statements/approvals.ts', from: ` AND s."state" = 'CLAIMED' AND`, to: ' AND' },
      { file: 'server/ledger/evm/lane.ts', from: 'if (next.until > performance.now()) return next', to: 'return next' },
    ],
    schema: [],
  },
  {
    name: 'the ether for an approval is not charged',
    seed: 6012,
    edits: [{ file: 'server/ledger/evm/signing.ts', from: 'cost: value + signed.gas', to: 'cost: signed.gas' }],
    schema: [],
  },
  {
    name: 'the approval is sent before the ether is committed',
    seed: 6012,
    edits: [
      {
        file: 'server/ledger/evm/approvals.ts',
        from: 'entry.fundedAt = clock()',
        to: 'entry.fundedAt = clock()\n      await chain.send(approval.raw)',
      },
    ],
    schema: [],
  },
  {
    name: 'the payment is not simulated again after the approval',
    seed: 6157,
    edits: [
      {
        file: 'server/ledger/evm/approvals.ts',
        from: 'judgedAt: Number.NEGATIVE_INFINITY',
        to: 'judgedAt: clock()',
      },
    ],
    schema: [],
  },
  {
    name: 'claims of channels are signed without their rows',
    seed: 30010,
    edits: [
      {
        file: 'server/payments/orders.ts',
        from: 'claimRows: act.rows,',
        to: 'claimRows: [],',
      },
    ],
    schema: [],
  },
  {
    name: 'a refund is signed without its newest voucher, claimed with it or before it',
    seed: 30170,
    edits: [{ file: 'server/payments/channels/refunds.ts', from: 'if (uncovered) return', to: `if (uncovered === '') return` }],
    schema: [],
  },
  {
    name: 'what is stored as charged may fall',
    seed: 40076,
    edits: [
      {
        file: 'server/payments/channels/stored-queries.ts',
        from: `WHEN a."charged" < k."charged" THEN 'falls'`,
        to: `WHEN false THEN 'falls'`,
      },
    ],
    schema: ['DROP TRIGGER "Channel_keep" ON "Channel"'],
  },
  {
    name: 'two servers of a merchant write from one version',
    seed: 40024,
    edits: [
      {
        file: 'server/payments/channels/stored-queries.ts',
        from: `WHEN a."expected" <> k."version" THEN 'moved'`,
        to: `WHEN false THEN 'moved'`,
      },
    ],
    schema: [],
  },
  {
    name: 'what is reserved is claimed as if it were charged',
    seed: 40004,
    edits: [
      {
        file: 'server/payments/channels/managed/due-queries.ts',
        from: `LEAST(c."charged", c."signed") AS "total"`,
        to: `c."signed" AS "total"`,
      },
      {
        file: 'server/payments/channels/claims.ts',
        from: 'return channel?.kept && channel.charged < totalClaimed ? channel.charged : totalClaimed',
        to: 'return totalClaimed',
      },
    ],
    schema: [],
  },
  {
    name: 'a refund of a kept channel is signed without our claim of its charge',
    seed: 40004,
    edits: [
      {
        file: 'server/payments/channels/refunds.ts',
        from: 'const kept = known?.kept ? claimOfKept(network, payload, known, state) : null',
        to: 'const kept = null',
      },
    ],
    schema: [],
  },
  {
    name: 'the events of channels are not read, so no withdrawal is seen',
    seed: 40008,
    edits: [
      {
        file: 'server/payments/channels/managed/watching.ts',
        from: 'await touchedSince(watching, last, head)',
        to: 'new Set<Hex>()',
      },
    ],
    schema: [],
  },
  {
    name: 'a channel that its server deleted is forgotten before its deposit comes',
    seed: 800_007_756,
    edits: [
      {
        file: 'server/payments/channels/stored-queries.ts',
        from: 'k."charged" > 0 AND k."presented" = 0',
        to: 'k."presented" = 0',
      },
    ],
    schema: [],
  },
]
