// CPU of this process per statement, three ways to the same PostgreSQL: `node scripts/bench.mjs statements [times]`
import { randomBytes } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { v7 as uuidv7 } from 'uuid'
import { PrismaClient } from '../generated/prisma/client'
import { findKeys } from '../server/accounts/key-queries'
import { connect } from '../server/db/database'
import { migrate } from '../server/db/migrate'
import { type Statements, statementsBy } from '../server/db/statements'
import { writeClaims } from '../server/ledger/statements/claim-statement'
import { findIntent } from '../server/ledger/statements/settlements'
import { finish } from '../server/payments/queries'
import { newClaim } from '../test/support/database/ledger'
import { startCluster } from '../test/support/database/postgres'

const times = Number(process.argv[2] ?? 2_000)
const AT_ONCE = 8
const BATCH = 16

const cluster = await startCluster()
const url = cluster.url('postgres')
await migrate(url)
const ours = connect({ url, ownSessions: true, waitMs: 60_000 })
const typed = ours.db
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })

/** Statements as raw ones of Prisma. */
const raw: Statements = statementsBy(async ({ text, values }) => {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(text, ...values)
  return { rows, affected: rows.length }
})
const rawDb = Object.assign(new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) }), raw, {
  transaction: ours.db.transaction,
})

type Way = 'Prisma raw' | 'Prisma typed' | 'pg, named'
type Row = { what: string; by: Partial<Record<Way, (at: number) => Promise<unknown>>> }

const scope = 'bench'
const hashes = Array.from({ length: 100 }, () => randomBytes(32))
const tenantId = uuidv7()
await typed.tenant.create({ data: { id: tenantId, ownerKind: 'system', ownerId: 'quittance', plan: 'growth' } })
for (const hash of hashes) await typed.apiKey.create({ data: { id: uuidv7(), tenantId, hash, prefix: 'qt_bench' } })
const lock = { token: uuidv7(), again: false }
await typed.idempotency.createMany({
  data: hashes.map((bodyHash, at) => ({ scope, key: `${at}`, bodyHash, token: lock.token, lockedUntil: new Date() })),
})
const hashAt = (at: number) => hashes[at % hashes.length] ?? randomBytes(32)
const key = (at: number) => ({ scope, key: `${at % hashes.length}`, bodyHash: hashAt(at) })
// Each payer and caller once: what counts is the statement, not the length of a queue.
const claim = () => {
  const who = randomBytes(20).toString('hex')
  return newClaim({ payer: `0x${who}`, caller: `ip:${who}` })
}
const intents: Buffer<ArrayBuffer>[] = []
for (let count = 0; count < 200; count++) {
  const made = claim()
  await writeClaims(typed, [made])
  intents.push(Buffer.from(made.intentKey))
}
const someIntents = (at: number) =>
  Array.from({ length: BATCH }, (_, more) => intents[(at + more) % intents.length] ?? randomBytes(32))
const write = (at: number, db: typeof typed) => finish(db, key(at), lock, `{"answer":${at}}`)

const rows: Row[] = [
  {
    what: 'a claim',
    by: { 'Prisma raw': () => writeClaims(rawDb, [claim()]), 'pg, named': () => writeClaims(typed, [claim()]) },
  },
  {
    what: `${BATCH} claims in one statement`,
    by: {
      'Prisma raw': () => writeClaims(rawDb, Array.from({ length: BATCH }, claim)),
      'pg, named': () => writeClaims(typed, Array.from({ length: BATCH }, claim)),
    },
  },
  {
    what: 'one row written',
    by: {
      'Prisma raw': (at) => write(at, rawDb),
      'Prisma typed': (at) =>
        typed.idempotency.updateMany({
          where: { scope, key: `${at % hashes.length}`, token: lock.token },
          data: { answer: `{"answer":${at}}` },
        }),
      'pg, named': (at) => write(at, typed),
    },
  },
  {
    what: 'a key looked up',
    by: {
      'Prisma raw': (at) => findKeys(rawDb, [hashAt(at)]),
      'Prisma typed': (at) => typed.apiKey.findUnique({ where: { hash: hashAt(at) }, include: { tenant: true } }),
      'pg, named': (at) => findKeys(typed, [hashAt(at)]),
    },
  },
  {
    what: `${BATCH} intents looked up together`,
    by: {
      'Prisma raw': (at) => Promise.all(someIntents(at).map((intent) => findIntent(rawDb, intent))),
      'Prisma typed': (at) =>
        typed.settlement.findMany({
          where: { intentKey: { in: someIntents(at) }, state: { notIn: ['REJECTED', 'UNPAID'] } },
          select: {
            id: true,
            intentKey: true,
            tenantId: true,
            caller: true,
            requestHash: true,
            state: true,
            txHash: true,
            deliveredAt: true,
          },
        }),
      'pg, named': (at) => Promise.all(someIntents(at).map((intent) => findIntent(typed, intent))),
    },
  },
]

/** CPU microseconds of this process per call, with several calls in flight. */
async function cpuOf(act: (at: number) => Promise<unknown>, calls: number): Promise<number> {
  const since = process.cpuUsage()
  for (let at = 0; at < calls; at += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => act(at + more)))
  const { user, system } = process.cpuUsage(since)
  return (user + system) / calls
}

const ways: readonly Way[] = ['Prisma raw', 'Prisma typed', 'pg, named']
console.log(`microseconds of CPU per call, ${times} calls, ${AT_ONCE} at once, the better of two rounds\n`)
console.log(`| | ${ways.join(' | ')} |\n|---|${ways.map(() => '---|').join('')}`)
for (const { what, by } of rows) {
  const cells: string[] = []
  for (const way of ways) {
    const act = by[way]
    if (!act) {
      cells.push('–')
      continue
    }
    await cpuOf(act, Math.ceil(times / 4))
    const rounds = [await cpuOf(act, times), await cpuOf(act, times)]
    cells.push(Math.round(Math.min(...rounds)).toString())
  }
  console.log(`| ${what} | ${cells.join(' | ')} |`)
}

await Promise.all([ours.close(), prisma.$disconnect(), rawDb.$disconnect()])
await cluster.remove()
