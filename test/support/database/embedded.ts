import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { needs } from '../../../devnet/test-kind'
import { connect, type Db } from '../../../server/db/database'
import { openEmbedded } from '../../../server/db/embedded'
import { migrate } from '../../../server/db/migrate'

const quiet = { warn: () => {} }

/** A folder with a migrated, empty, closed embedded database. The end of the run deletes it. */
export async function embeddedFolder(): Promise<string> {
  needs('db')
  const template = inject('embedded')
  if (!(await stat(template).catch(() => undefined))) await build(template)
  const folder = await mkdtemp(path.join(path.dirname(template), 'embedded-'))
  await cp(template, folder, { recursive: true })
  return folder
}

/** A migrated, empty embedded database with so many connections. The end of the test closes it. */
export async function freshEmbedded(poolMax = 1): Promise<Db> {
  const embedded = await openEmbedded(await embeddedFolder(), quiet)
  const { db, close } = connect({ url: embedded.url, poolMax, waitMs: 30_000 })
  onTestFinished(() => close().then(embedded.close))
  return db
}

// Creating a database takes seconds and copying one does not. The first user builds it; a second build does no harm.
async function build(template: string): Promise<void> {
  const draft = await mkdtemp(path.join(path.dirname(template), 'draft-'))
  const embedded = await openEmbedded(draft, quiet)
  await migrate(embedded.url)
  await embedded.close()
  await rename(draft, template).catch(() => rm(draft, { recursive: true }))
}
