import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { contentOf, isStarted, main, root, step } from './steps.mjs'

// Everything that the build reads or runs.
const INPUTS = ['app', 'components', 'server', 'prisma/schema.prisma', 'scripts/build.mjs', 'scripts/bundle.mjs']
const CONFIG = ['next.config.mjs', 'postcss.config.mjs', 'tsconfig.json', 'package.json', 'package-lock.json']
const IGNORED = /\.test\.[cm]?[jt]sx?$/
const NEXT = join(root, '.next')
/** The pages with all that shows them: Next fills it, except with the files for browsers. */
const PAGES = join(NEXT, 'standalone')
const HASH_FILE = join(PAGES, 'inputs.sha256')

const DIST = join(root, 'dist')
/** The programs of production, each as one module: it starts in a third of the time of its sources, and without their packages. */
const PROGRAMS = { 'server.mjs': 'main.ts', 'doctor.mjs': 'operations/doctor/main.ts', 'migrate.mjs': 'operations/migrate.ts' }
/**
 * What programs import at its first use, with the names they take: large, and payments never need it. The source of a module stays in
 * memory. Wallets sign in by `siwe`; Prisma's typed client serves only pages and management.
 */
const APART = { siwe: ['SiweMessage'], '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs': ['wasm'] }

/**
 * Builds the pages and the server, unless no input changed since the last build.
 * @param {{ beside?: boolean }} [how] `beside`: other output continues meanwhile
 */
export async function build({ beside = false } = {}) {
  const hash = hashOfInputs()
  if (Object.keys(PROGRAMS).every((name) => existsSync(join(DIST, name))) && contentOf(HASH_FILE) === hash) return
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next')
  const words = { doing: 'Building the pages', done: 'Pages built', log: 'build', beside }
  await step(words, process.execPath, [next, 'build'])
  // Next copies them, with their secrets. The server reads the environment itself.
  for (const name of ['.env', '.env.production']) rmSync(join(PAGES, name), { force: true })
  // Last: a service that waits for the pages takes them for complete then.
  renameSync(join(NEXT, 'static'), join(PAGES, '.next', 'static'))
  await buildPrograms()
  // Written last: an interrupted build has no hash.
  writeFileSync(HASH_FILE, hash)
}

/**
 * Bundles the programs of production into a folder below the project's root.
 * @param {string} folder
 */
export async function buildPrograms(folder = DIST) {
  // The bundler comes with the packages, which may have been installed a moment ago.
  const { bundle, bundleApart } = await import('./bundle.mjs')
  mkdirSync(folder, { recursive: true })
  for (const [name, exported] of Object.entries(APART)) {
    const { file, code } = await bundleApart(name, exported)
    writeFileSync(join(folder, file), code)
  }
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const maps = name === 'server.mjs'
    const { code, map } = await bundle(join(root, 'server', program), { up: '../', maps, apart: Object.keys(APART) })
    if (map) writeFileSync(join(folder, 'bundle.mjs.map'), map)
    writeFileSync(join(folder, name), code)
  }
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
