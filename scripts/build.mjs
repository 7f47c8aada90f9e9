import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { isStarted, main, root, step } from './steps.mjs'

const sources = ['app', 'components', 'server', 'prisma', 'next.config.mjs', 'package-lock.json', 'tsconfig.json']

/**
 * Builds the pages, unless the last build is newer than everything it was made of.
 * @param {{ beside?: boolean }} [how] `beside`: other lines are printed meanwhile
 */
export async function build({ beside = false } = {}) {
  const built = join(root, '.next', 'BUILD_ID')
  const newest = Math.max(...sources.map((source) => newestOf(join(root, source))))
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
  await step({ doing: 'Building the pages', done: 'Pages built', log: 'build', beside }, process.execPath, [next, 'build'])
}

// A folder's own time counts too: it changes when a file in it is removed.
function newestOf(path) {
  if (!existsSync(path)) return 0
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}

if (isStarted(import.meta.url)) {
  await main(async () => {
    await bootstrap()
    await build()
  })
}
