import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './children.mjs'
import { npm, root } from './steps.mjs'

const ARGS = ['audit', '--omit=dev', '--json', '--audit=true', '--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']
const SOURCES = ['app', 'components', 'generated', 'server']
const IMPORTED = /(?:\bfrom |\bimport |\bimport\()['"]((?:@[\w.-]+\/)?[\w.-]+)/g

/**
 * Queries npm's registry for known vulnerabilities of the packages that production runs.
 * @returns {Promise<{ answered: boolean, grave: string[] }>}
 */
export async function audit() {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-audit-'))
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify(withBundled(manifest, importedPackages())))
    for (const file of ['package-lock.json', '.npmrc']) copyFileSync(join(root, file), join(folder, file))
    return readAudit(await auditIn(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A manifest that has the packages which the build takes into the server and the pages among the dependencies of production.
 * @param {{ dependencies: Record<string, string>, devDependencies: Record<string, string> }} manifest
 * @param {ReadonlySet<string>} bundled
 */
export function withBundled(manifest, bundled) {
  const isBundled = ([name]) => bundled.has(name)
  const all = Object.entries(manifest.devDependencies)
  return {
    ...manifest,
    dependencies: { ...manifest.dependencies, ...Object.fromEntries(all.filter(isBundled)) },
    devDependencies: Object.fromEntries(all.filter((one) => !isBundled(one))),
  }
}

/** The packages that the sources of the server and the pages import. */
function importedPackages() {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter(
      ({ name }) => /\.(tsx?|mjs)$/.test(name) && !name.includes('.test.'),
    ),
  )
  const imports = files.flatMap(({ parentPath, name }) => [...readFileSync(join(parentPath, name), 'utf8').matchAll(IMPORTED)])
  return new Set(imports.map(([, name]) => name))
}

async function auditIn(folder) {
  const [command, args] = npm(ARGS)
  const child = startChild(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  return output
}

/**
 * Reads npm's report: one line per high or critical finding. Without a usable report `answered` is false.
 * @param {string} report
 * @returns {{ answered: boolean, grave: string[] }}
 */
export function readAudit(report) {
  const { error, metadata, vulnerabilities = {} } = parsed(report)
  if (error || !metadata?.vulnerabilities) return { answered: false, grave: [] }
  const grave = Object.values(vulnerabilities)
    .filter(({ severity }) => GRAVE.includes(severity))
    .map(({ name, severity, range, via = [] }) => {
      const titles = via.flatMap((reason) => (typeof reason === 'string' ? [`through ${reason}`] : [reason.title]))
      return `${severity}: ${name} ${range} (${titles.join('; ')})`
    })
  return { answered: true, grave }
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
