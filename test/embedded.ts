import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { inject } from 'vitest'
import { openEmbedded } from '../server/db/embedded'
import { migrate } from '../server/db/migrate'

const quiet = { warn: () => {} }

/** A folder with a migrated, empty embedded database that nobody has open; it goes with the run's PostgreSQL. */
export async function embeddedFolder(): Promise<string> {
  const template = inject('embedded')
  if (!(await stat(template).catch(() => undefined))) await build(template)
  const folder = await mkdtemp(path.join(path.dirname(template), 'embedded-'))
  await cp(template, folder, { recursive: true })
  return folder
}

// creating a database takes seconds, copying one does not; whoever needs it first builds it, and a second builder is harmless
async function build(template: string): Promise<void> {
  const draft = await mkdtemp(path.join(path.dirname(template), 'draft-'))
  const embedded = await openEmbedded(draft, quiet)
  await migrate(embedded.url)
  await embedded.close()
  await rename(draft, template).catch(() => rm(draft, { recursive: true }))
}
