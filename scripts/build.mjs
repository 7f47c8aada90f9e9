import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { contentOf, isStarted, main, root, step } from './steps.mjs'

// Everything that the build reads or runs; `public` may be absent.
const INPUTS = ['app', 'components', 'server', 'public', 'prisma/schema.prisma', 'scripts/build.mjs', 'scripts/bundle.mjs']
const CONFIG = ['next.config.mjs', 'postcss.config.mjs', 'tsconfig.json', 'package.json', 'package-lock.json']
const IGNORED = /\.test\.[cm]?[jt]sx?$/
const HASH_FILE = join(root, '.next', 'inputs.sha256')

/** The server as one module: it starts in a third of the time of its sources. */
const SERVER = join(root, 'dist', 'server.mjs')

/**
 * Builds the pages and the server, unless no input changed since the last build.
 * @param {{ beside?: boolean }} [how] `beside`: other output continues meanwhile
 */
export async function build({ beside = false } = {}) {
  const hash = hashOfInputs()
  if (existsSync(join(root, '.next', 'BUILD_ID')) && existsSync(SERVER) && contentOf(HASH_FILE) === hash) return
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
  const words = { doing: 'Building the pages', done: 'Pages built', log: 'build', beside }
  await step(words, process.execPath, [next, 'build'])
  await buildServer()
  // Written last: an interrupted build has no hash.
  writeFileSync(HASH_FILE, hash)
}

/**
 * Bundles the server into a folder below the project's root.
 * @param {string} folder
 */
export async function buildServer(folder = join(root, 'dist')) {
  // The bundler comes with the packages, which may have been installed a moment ago.
  const { bundle, bundlePackage } = await import('./bundle.mjs')
  const { code, map } = await bundle(join(root, 'server', 'main.ts'), { up: '../', maps: true, apart: ['siwe'] })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'bundle.mjs.map'), map ?? '')
  // Large, and only sign-ins by wallet need it.
  writeFileSync(join(folder, 'siwe.mjs'), await bundlePackage('siwe', ['SiweMessage']))
  writeFileSync(join(folder, 'server.mjs'), code)
}

/** The hash of all input files by path and content, without tests. */
function hashOfInputs() {
  const hash = createHash('sha256').update(process.version)
  for (const file of [...INPUTS, ...CONFIG].flatMap(filesOf)) {
    hash.update(`${file}\0`).update(
      createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest(),
    )
  }
  return hash.digest('hex')
}

/** The input files at a path, sorted. */
function filesOf(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return IGNORED.test(path) ? [] : [path]
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesOf(`${path}/${name}`))
}

if (isStarted(import.meta.url)) {
  await main(async () => {
    await bootstrap()
    await build()
  })
}
