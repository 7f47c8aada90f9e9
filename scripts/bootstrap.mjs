import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { contentOf, isStarted, main, npm, root, step } from './steps.mjs'

const at = (...parts) => join(root, ...parts)
const stamps = at('node_modules', '.cache', 'quittance')

/** Makes a fresh clone ready to run: checks Node, installs the locked packages, generates the database client. */
export async function bootstrap() {
  requireNode()
  if (!packagesAreInstalled()) {
    // Not "npm ci": it refuses a lock that lacks some platforms' optional packages.
    await step(
      { doing: 'Installing packages', done: 'Packages installed', log: 'install', undo: removePackages },
      ...npm(['install', '--include=dev']),
    )
    stamp('installed', hashOf('package-lock.json'))
  }
  const schema = hashOf('prisma/schema.prisma', 'package-lock.json')
  if (!existsSync(at('generated', 'prisma')) || contentOf(join(stamps, 'generated')) !== schema) {
    await step(
      { doing: 'Generating the database client', done: 'Database client generated', log: 'generate' },
      ...npm(['run', 'generate']),
    )
    stamp('generated', schema)
  }
}

/** The same, and makes Node run TypeScript. */
export async function bootstrapTypeScript() {
  await bootstrap()
  // Imported late: on a fresh clone this package was missing until now.
  const { register } = await import('tsx/esm/api')
  register()
}

/**
 * The same, and imports a TypeScript program as a bundle, which loads in a sixth of the CPU time of its sources.
 * @param {string} program its path in the project
 */
export async function importProgram(program) {
  await bootstrap()
  const { register } = await import('tsx/esm/api')
  const unregister = register()
  const { bundled } = await import('../devnet/bundle.ts')
  // It would read the whole bundle once more.
  await unregister()
  return import(pathToFileURL(await bundled(at(program))).href)
}

// npm takes a half-installed tree for a complete one, so remove it.
function removePackages() {
  rmSync(at('node_modules'), { recursive: true, force: true })
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`Quittance needs Node 20.19 or later; this is Node ${process.versions.node}.`)
}

function packagesAreInstalled() {
  const installed = at('node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  // Compare hashes, not times: a checkout makes every file look new.
  if (contentOf(join(stamps, 'installed')) === hashOf('package-lock.json')) return true
  return statSync(installed).mtimeMs >= statSync(at('package-lock.json')).mtimeMs
}

function stamp(name, value) {
  const file = join(stamps, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, value)
}

function hashOf(...files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(contentOf(at(file)))
  return hash.digest('hex')
}

if (isStarted(import.meta.url)) await main(bootstrap)
