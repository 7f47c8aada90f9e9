import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, as npm unpacked it. */
const OWN = dirname(dirname(fileURLToPath(import.meta.url)))
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm'
/** Where a program in Python keeps the source of its package. */
const VENDORED = join('vendor', 'quittance-x402')

// A route is installed with the copy of our packages that writes it: no registry needs to have them.

/** Installs this package and others in a folder. A folder without a manifest gets one: npm would install in the folder above. */
export function installNpm(folder: string, packages: readonly string[]): void {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, `${JSON.stringify({ private: true }, null, 2)}\n`)
  const packed = run([NPM, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder, OWN], folder, 'pipe')
  const tarball = `./${packed.trim().split('\n').at(-1)}`
  console.log(`Installs  ${[tarball, ...packages].join(' ')}`)
  run([NPM, 'install', '--no-fund', '--no-audit', tarball, ...packages], folder)
}

/** Installs our package for Python and others in a virtual environment of a folder. */
export function installPython(folder: string, packages: readonly string[]): void {
  const source = join(folder, VENDORED)
  rmSync(source, { recursive: true, force: true })
  cpSync(join(OWN, 'dist', 'python'), source, { recursive: true })
  console.log(`Installs  ${[`./${VENDORED}`, ...packages].join(' ')}`)
  run(['python3', '-m', 'venv', '.venv'], folder)
  run(['.venv/bin/pip', 'install', '--quiet', `./${VENDORED}`, ...packages], folder)
}

/** Runs a command in a folder and returns what it printed, if that is kept. Throws if it fails. */
function run([command = '', ...args]: readonly string[], folder: string, output: 'pipe' | 'inherit' = 'inherit'): string {
  const { status, stdout } = spawnSync(command, args, { cwd: folder, stdio: ['ignore', output, 'inherit'], encoding: 'utf8' })
  if (status !== 0) throw new Error(`"${[command, ...args].join(' ')}" failed.`)
  return stdout ?? ''
}
