import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../test/support/source-files'

// `npm run test:long -- python` installs the package x402 and the builder of wheels into this environment.
export const PYTHON = path.join(ROOT, 'node_modules', '.cache', 'quittance', 'python', 'bin', 'python')

/** Builds the wheel of our Python package, and installs it beside that environment: `site` is for PYTHONPATH. */
export async function builtWheel(): Promise<{ folder: string; site: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wheel-'))
  const [source, site] = [path.join(folder, 'source'), path.join(folder, 'site')]
  // A build writes into its folder.
  for (const name of ['pyproject.toml', 'src'])
    cpSync(path.join(ROOT, 'packages', 'python', name), path.join(source, name), { recursive: true })
  const pip = (...args: string[]) => promisify(execFile)(PYTHON, ['-m', 'pip', '--quiet', ...args])
  await pip('wheel', '--no-deps', '--no-build-isolation', '--no-index', '--wheel-dir', folder, source)
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) ?? ''
  await pip('install', '--no-deps', '--no-index', '--target', site, path.join(folder, wheel))
  return { folder, site }
}
