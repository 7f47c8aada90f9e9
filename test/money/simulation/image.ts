import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { ROOT } from '../../support/source-files'

const FOLDER = path.join(ROOT, 'node_modules', '.cache', 'quittance-tests', 'image')
const PACKAGE = path.join(ROOT, 'node_modules', '@electric-sql', 'pglite', 'package.json')

/**
 * Returns the files of a migrated embedded database. Creating one takes seconds of CPU time, so the files are cached on disk under a hash
 * of the migrations and of the package.
 */
export async function migratedImage(): Promise<Blob> {
  const migrations = readMigrations()
  const hash = createHash('sha256')
    .update(JSON.stringify([readFileSync(PACKAGE, 'utf8'), migrations]))
    .digest('hex')
  const file = path.join(FOLDER, `${hash.slice(0, 32)}.tar`)
  return read(file) ?? (await build(file, migrations))
}

function readMigrations(): string[] {
  const folder = path.join(ROOT, 'prisma', 'migrations')
  const names = readdirSync(folder).filter((name) => !name.endsWith('.toml'))
  return names.sort().map((name) => readFileSync(path.join(folder, name, 'migration.sql'), 'utf8'))
}

function read(file: string): Blob | undefined {
  try {
    return new Blob([readFileSync(file)])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function build(file: string, migrations: readonly string[]): Promise<Blob> {
  const server = new PGlite()
  await server.waitReady
  for (const sql of migrations) await server.exec(sql)
  const image = await server.dumpDataDir('none')
  await server.close()
  mkdirSync(FOLDER, { recursive: true })
  // Several processes may build it at once; the rename keeps half-written files invisible.
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, Buffer.from(await image.arrayBuffer()))
  renameSync(draft, file)
  return image
}
