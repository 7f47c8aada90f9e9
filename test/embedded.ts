import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { inject } from 'vitest'
import { openEmbedded } from '../server/db/embedded'
import { migrate } from '../server/db/migrate'

const quiet = { warn: () => {} }

/** A folder with a migrated, empty, closed embedded database. The end of the run deletes it. */
export async function embeddedFolder(): Promise<string> {
  const template = inject('embedded')
  if (!(await stat(template).catch(() => undefined))) await build(template)
  const folder = await mkdtemp(path.join(path.dirname(template), 'embedded-'))
  await cp(template, folder, { recursive: true })
  return folder
}

// Creating a database takes seconds and copying one does not. The first user builds it; a second build does no harm.
async function build(template: string): Promise<void> {
  const draft = await mkdtemp(path.join(path.dirname(template), 'draft-'))
  const embedded = await openEmbedded(draft, quiet)
  await migrate(embedded.url)
  await embedded.close()
  await rename(draft, template).catch(() => rm(draft, { recursive: true }))
}
