import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { ROOT } from './source-files'

// below node_modules, so that a bundle finds the packages, which it does not hold
const FOLDER = path.join(ROOT, 'node_modules', '.cache', 'quittance-tests')
const OLD_MS = 7 * 24 * 60 * 60 * 1_000
const made = new Map<string, Promise<string>>()

/**
 * One JavaScript file of a TypeScript program and all of ours that it imports: it starts in half the time, and tests that kill
 * start hundreds of them. Named by its content, so what runs is what the sources say now.
 */
export function bundled(program: string): Promise<string> {
  const file = made.get(program) ?? bundle(program)
  made.set(program, file)
  return file
}

async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    alias: { '@': ROOT },
    plugins: [keepPlaces],
    logLevel: 'warning',
  })
  const content = outputFiles[0]?.contents ?? new Uint8Array()
  const folder = path.join(FOLDER, path.relative(ROOT, program))
  const file = path.join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 16)}.mjs`)
  await mkdir(folder, { recursive: true })
  // several workers may make it at once: whoever reads it never reads half of it
  const draft = path.join(folder, `${randomUUID()}.draft`)
  await writeFile(draft, content)
  await rename(draft, file)
  await removeOld(folder, file)
  return file
}

/** Earlier bundles of a program, left alone for as long as something may still run one. */
async function removeOld(folder: string, but: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    if (file === but) continue
    const { mtimeMs = Date.now() } = (await stat(file).catch(() => undefined)) ?? {}
    if (Date.now() - mtimeMs > OLD_MS) await rm(file, { force: true })
  }
}

/** Files that look for others beside them go on finding them: each says its own place, not the bundle's. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8')
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
      return { contents, loader: 'ts' }
    })
  },
}
