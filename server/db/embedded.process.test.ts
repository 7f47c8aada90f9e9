import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { bundled } from '../../devnet/bundle'
import { embeddedFolder } from '../../test/support/database/embedded'
import { casesOf } from '../../test/support/long-run'
import { connect } from './database'
import { EMBEDDED_LIMITS, openEmbedded } from './embedded'

/** How often the writer is killed: each time it opens the database anew, for seconds. */
const RUNS = casesOf([0, 1], [2, 3, 4]).length

let folder: string
const quiet = { warn: () => {} }

beforeEach(async () => {
  folder = await embeddedFolder()
})
afterEach(() => rm(folder, { recursive: true }))

type Writer = { child: ChildProcess; acknowledged: string[]; stopped: Promise<unknown> }

async function startWriter(run: number): Promise<Writer> {
  const script = await bundled(fileURLToPath(new URL('../../test/support/database/embedded-writer.ts', import.meta.url)))
  const child = spawn(process.execPath, ['--liftoff-only', script, folder, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const acknowledged: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => acknowledged.push(line))
  return { child, acknowledged, stopped: new Promise((stopped) => lines.on('close', stopped)) }
}

describe('openEmbedded', () => {
  test('keeps what was written, privately, and warns once that it does not fsync', async () => {
    const warnings: string[] = []
    const first = await openEmbedded(folder, { warn: (message) => warnings.push(message) })
    const writer = connect({ url: first.url, ...EMBEDDED_LIMITS })
    await writer.db.$executeRaw`CREATE TABLE kept AS SELECT 7 AS n`
    await expect(openEmbedded(folder, quiet)).rejects.toThrow(
      `the embedded database in ${folder} is in use by process ${process.pid}`,
    )
    const sockets = new URL(first.url).searchParams.get('host') ?? ''
    expect((await stat(sockets)).mode & 0o777).toBe(0o700)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    await writer.close()
    await first.close()
    expect(warnings).toEqual([expect.stringContaining('does not fsync')])
    await expect(stat(sockets)).rejects.toThrow('ENOENT')
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^lock\.\d+$/), 'postgres'])

    const second = await openEmbedded(folder, quiet)
    const reader = connect({ url: second.url, ...EMBEDDED_LIMITS })
    expect(await reader.db.$queryRaw`SELECT n FROM kept`).toEqual([{ n: 7 }])
    await reader.close()
    await second.close()
  })

  test("concurrent clients never run each other's statements, not even with parameters that arrive in pieces", async () => {
    const embedded = await openEmbedded(folder, quiet)
    const pool = new pg.Pool({ connectionString: embedded.url, max: EMBEDDED_LIMITS.poolMax })
    const sizes = [1, 10, 1_000_000]
    const work = Array.from({ length: 300 }, async (_, n) => {
      const text = 'x'.repeat(sizes[n % 3] ?? 1)
      const two = () => pool.query('SELECT length($1::text) AS length, $2::int AS n', [text, n])
      const one = () => pool.query('SELECT $1::int AS n', [n])
      expect((await (n % 2 ? two() : one())).rows).toEqual([n % 2 ? { length: text.length, n } : { n }])
    })
    await Promise.all(work)
    await pool.end()
    await embedded.close()
  })

  test('a client that fails or leaves inside a transaction does not hold up the others', async () => {
    const embedded = await openEmbedded(folder, quiet)
    const { db, close } = connect({ url: embedded.url, ...EMBEDDED_LIMITS })
    await db.$executeRaw`CREATE TABLE kept (n int PRIMARY KEY)`
    const failed = db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO kept VALUES (1)`
      await tx.$executeRaw`INSERT INTO kept VALUES (1)`
    })
    await expect(failed).rejects.toThrow('kept_pkey')
    const leaving = connect({ url: embedded.url, ...EMBEDDED_LIMITS, poolMax: 1 })
    const left = leaving.db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO kept VALUES (2)`
      throw new Error('left')
    })
    await expect(left).rejects.toThrow('left')
    await leaving.close()
    expect(await db.$queryRaw`SELECT n FROM kept`).toEqual([])
    await close()
    await embedded.close()
  })

  test('kill -9 at random moments loses no acknowledged row and needs no help to start again', { timeout: 120_000 }, async () => {
    const acknowledged: string[] = []
    for (let run = 0; run < RUNS; run++) {
      const writer = await startWriter(run)
      const enough = 20 + Math.floor(Math.random() * 400)
      await expect.poll(() => writer.acknowledged.length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(enough)
      writer.child.kill('SIGKILL')
      await writer.stopped
      acknowledged.push(...writer.acknowledged)
    }
    const embedded = await openEmbedded(folder, quiet)
    const { db, close } = connect({ url: embedded.url, ...EMBEDDED_LIMITS })
    const rows = await db.$queryRaw<{ id: string }[]>`SELECT id FROM "Written"`
    const kept = new Set(rows.map(({ id }) => id))
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
    await close()
    await embedded.close()
  })
})
