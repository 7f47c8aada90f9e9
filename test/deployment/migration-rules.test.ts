import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { concurrentIndexIn } from '../../server/db/migrate'
import { ROOT } from '../support/source-files'

const FOLDER = path.join(ROOT, 'prisma/migrations')
/** The last migration of 0.1.0. Instances of it and of each later version go on while the next migration runs (docs/upgrade.md). */
const OF_0_1_0 = '20261126150000_listing_classes'
/** What CHANGELOG.md tells operators of, because old instances notice it. */
const TOLD = new Set(['20261126220000_no_memos: drops what old instances read'])

/** Tables that grow with payments: to build an index on one takes seconds per million rows. */
const LARGE =
  '(?:Settlement|Step|Slot|SlotMember|Attempt|SvmAttempt|History|Outbox|WebhookDelivery|WebhookAttempt|CreditEntry|PayerFailure|ReceiptLink)'

const RULES: [RegExp, string][] = [
  [/\bDROP (?:TABLE|COLUMN|TYPE|VIEW|SCHEMA)\b/i, 'drops what old instances read'],
  [/\bRENAME\b/i, 'renames what old instances read'],
  [/\bALTER COLUMN "\w+" (?:SET DATA )?TYPE\b/i, 'rewrites a table'],
  [/\bALTER COLUMN "\w+" SET NOT NULL\b/i, 'refuses rows of old instances'],
  [/\bADD COLUMN "\w+" (?![^,;]*\bDEFAULT\b)[^,;]*\bNOT NULL\b/i, 'refuses rows of old instances'],
  [/\bTRUNCATE\b/i, 'deletes rows'],
  [
    new RegExp(`\\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^;]*\\bON "${LARGE}"`),
    'builds an index on a large table and blocks its writers',
  ],
  [
    new RegExp(`\\bALTER TABLE "${LARGE}" ADD CONSTRAINT (?![^;]*\\bNOT VALID\\b)`),
    'checks a large table and blocks its writers',
  ],
  [new RegExp(`\\bALTER TABLE "${LARGE}" ADD COLUMN (?=[^;]*\\bCHECK\\b)`), 'checks a large table and blocks its writers'],
  [/\bINDEX CONCURRENTLY\b/i, 'builds an index beside other statements: give it a migration of its own, with IF NOT EXISTS'],
]

/** What in a migration's script old instances would not survive. Bodies of functions and tables that it makes itself are its own. */
function faultsIn(script: string): string[] {
  if (concurrentIndexIn(script) !== null) return []
  const text = script.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, '').replaceAll(/--.*$/gm, '')
  const made = [...text.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, name]) => name)
  const ofOthers = made.reduce<string>(
    (rest, name) => rest.replaceAll(new RegExp(`(?:ON|ALTER TABLE) "${name}"`, 'g'), 'NEW'),
    text,
  )
  return RULES.flatMap(([pattern, what]) => (pattern.test(ofOthers) ? [what] : []))
}

describe('migrations since 0.1.0', () => {
  const names = readdirSync(FOLDER)
    .filter((name) => /^\d+_/.test(name))
    .sort()

  test('keep old instances running', () => {
    expect(names).toContain(OF_0_1_0)
    const faults = names
      .filter((name) => name > OF_0_1_0)
      .flatMap((name) =>
        faultsIn(readFileSync(path.join(FOLDER, name, 'migration.sql'), 'utf8')).map((what) => `${name}: ${what}`),
      )
    expect(faults.filter((fault) => !TOLD.has(fault))).toEqual([])
    expect([...TOLD].filter((told) => !faults.includes(told))).toEqual([])
  })

  const bad: [string, string][] = [
    ['a dropped column', 'ALTER TABLE "Tenant" DROP COLUMN "x";'],
    ['a renamed column', 'ALTER TABLE "Tenant" RENAME COLUMN "x" TO "y";'],
    ['another type', 'ALTER TABLE "Tenant" ALTER COLUMN "x" TYPE bigint;'],
    ['a column that must have a value', 'ALTER TABLE "Tenant" ADD COLUMN "x" TEXT NOT NULL;'],
    ['a slow index', 'CREATE INDEX "a" ON "Settlement"("x");'],
    ['a slow check', 'ALTER TABLE "History" ADD CONSTRAINT "a" CHECK ("x" > 0);'],
    ['a slow check of a new column', 'ALTER TABLE "History" ADD COLUMN "x" int CHECK ("x" > 0);'],
    [
      'a concurrent index among others',
      'CREATE TABLE "A" ("x" int); CREATE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "Settlement"("x");',
    ],
    ['a concurrent index that cannot be retried', 'CREATE INDEX CONCURRENTLY "a" ON "Settlement"("x");'],
  ]
  test.each(bad)('the rules find %s', (_what, script) => {
    expect(faultsIn(script)).toHaveLength(1)
  })

  test('the rules allow what old instances do not notice', () => {
    const script = `CREATE TABLE "Slot" ("x" int); CREATE INDEX "a" ON "Slot"("x"); ALTER TABLE "Slot" ADD CONSTRAINT "b" CHECK ("x" > 0);
      ALTER TABLE "Tenant" ADD COLUMN "x" boolean NOT NULL DEFAULT false; CREATE INDEX "c" ON "Tenant"("x");
      CREATE FUNCTION "f"() RETURNS void LANGUAGE sql AS $$ DROP TABLE "Tenant" $$;`
    expect(faultsIn(script)).toEqual([])
    expect(faultsIn('-- why\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "a" ON "Settlement"("x");\n')).toEqual([])
  })
})
