import type { Edit } from '../../devnet/bundle'

/** The removal of one protection, and the recorded seed that catches it. `scripts/mutations.mjs` finds such a seed. */
export type Mutation = { name: string; seed: number; edits: readonly Edit[]; schema: readonly string[] }

/** The engine without each of its eight protections. An edit whose text no longer exists fails the run. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'no unique index over the intents of the ledger',
    seed: 5,
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
    seed: 3,
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
    seed: 33,
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
    seed: 119,
    edits: [
      {
        file: 'server/chains/evm/receipts.ts',
        from: 'return receipt.succeeded && proofsOf(receipt).has(methodFor(transfer).proof(transfer))',
        to: 'return receipt.succeeded || proofsOf(receipt).has(methodFor(transfer).proof(transfer))',
      },
    ],
    schema: [],
  },
  {
    name: 'the quota is read and then written',
    seed: 9,
    edits: [
      {
        file: 'server/ledger/statements/claim-statement.ts',
        from: `DO UPDATE SET "used" = \${within(sql\`u."used" + EXCLUDED."used"\`, LIMIT)}`,
        to: 'DO UPDATE SET "used" = u."used" + EXCLUDED."used"',
      },
      {
        file: 'server/ledger/statements/claim-statement.ts',
        from: 'NOT "monthly" OR ("settlementsBefore" + "unitsAhead" < "unitsMax" AND "hasWider") AS "hasUnit"',
        to: 'true AS "hasUnit"',
      },
    ],
    schema: [],
  },
  {
    name: 'a returned member is never ended',
    seed: 194,
    edits: [
      {
        file: 'server/ledger/returned.ts',
        from: 'else if (left < 0n) await fail(options, claim, leftBefore(claim, transfer))',
        to: 'else if (left < 0n) continue',
      },
      {
        file: 'server/ledger/returned.ts',
        from: "else if (left >= 0n && (claim.overdue || claim.returns > RETURNS_MAX)) await fail(options, claim, tooLate(claim), 'ours')",
        to: '',
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
    ],
    schema: [],
  },
]
