import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './steps.mjs'

/** @typedef {'process' | 'chain' | 'database' | 'pure'} Kind */

/**
 * What a test file needs beside its own process, the strongest need first.
 * @type {readonly Kind[]}
 */
const KINDS = ['process', 'chain', 'database', 'pure']

/**
 * Test files that only `npm run test:long` runs: what is named so, the programs that the docs show, and the generated comparison with the
 * official facilitator.
 */
const LONG = /\.long\.test\.tsx?$|(^|[/-])programs\.test\.tsx?$|official\.\w+\.fuzz\.test\.ts$/
const FOLDERS = ['app', 'bench', 'components', 'devnet', 'examples', 'scripts', 'server', 'test']

/**
 * The modules that start something. A test that reaches one through its imports needs it.
 * @type {[Kind, RegExp][]}
 */
const STARTERS = [
  ['process', /^test\/(process|main-process|official-clients|shown-programs|simulation\/seeds)\.ts$|^devnet\/world\.ts$/],
  ['chain', /^devnet\/(anvil|child)\.ts$/],
  ['database', /^test\/(database|embedded|postgres|redis)\.ts$/],
]

/** Matches static imports and re-exports of values. An `import type` starts nothing. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm

/**
 * Sorts the test files of `npm test` by what they reach through their imports.
 * @returns {Record<Kind, string[]>}
 */
export function testsByKind() {
  const tests = FOLDERS.flatMap(filesBelow).filter((file) => /\.test\.tsx?$/.test(file) && !LONG.test(file))
  const imports = new Map()
  /** @type {Record<Kind, string[]>} */
  const kinds = { process: [], chain: [], database: [], pure: [] }
  for (const test of tests) kinds[kindOf(test, imports)].push(test)
  return kinds
}

/**
 * @param {string} test
 * @param {Map<string, string[]>} imports what each file read so far imports
 * @returns {Kind}
 */
function kindOf(test, imports) {
  const found = new Set(/** @type {Kind[]} */ (['pure']))
  const reached = new Set([test])
  // A set that grows while it is read: each file that is reached adds its own imports.
  for (const file of reached) {
    const starter = STARTERS.find(([, pattern]) => pattern.test(file))
    if (starter) found.add(starter[0])
    const imported = imports.get(file) ?? importsOf(file)
    imports.set(file, imported)
    if (file === test && imported.includes('node:child_process')) found.add('process')
    for (const next of imported) if (next !== 'node:child_process') reached.add(next)
  }
  return KINDS.find((kind) => found.has(kind)) ?? 'pure'
}

/**
 * @param {string} file
 * @returns {string[]}
 */
function importsOf(file) {
  if (!/\.(tsx?|mjs)$/.test(file)) return []
  const found = [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
  return found.flatMap(([, specifier = '']) => {
    if (specifier === 'node:child_process') return [specifier]
    if (!/^(\.|@\/)/.test(specifier)) return []
    const base = specifier.startsWith('@/') ? specifier.slice(2) : posix.join(posix.dirname(file), specifier)
    return ['', '.ts', '.tsx', '.mjs']
      .map((ending) => base + ending)
      .filter(isFile)
      .slice(0, 1)
  })
}

/** @param {string} file */
const isFile = (file) => /\.\w+$/.test(file) && existsSync(join(root, file))

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.name === 'node_modules') return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
