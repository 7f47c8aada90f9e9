import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { ROOT } from './source-files'

// Below node_modules, because a bundle resolves its packages from there.
const FOLDER = path.join(ROOT, 'node_modules', '.cache', 'quittance-tests')
const OLD_MS = 7 * 24 * 60 * 60 * 1_000
const made = new Map<string, Promise<string>>()

/** Replaces `from` by `to` in a source file while bundling. */
export type Edit = { file: string; from: string; to: string }

/**
 * Bundles a TypeScript program into one JavaScript file, named by its content, and returns the path. Throws when an edit does not apply.
 * Tests start hundreds of processes, and a bundle starts in half the time.
 */
export function bundled(program: string, edits: readonly Edit[] = []): Promise<string> {
  const key = JSON.stringify([program, edits])
  const file = made.get(key) ?? bundle(program, edits)
  made.set(key, file)
  return file
}

async function bundle(program: string, edits: readonly Edit[]): Promise<string> {
  const applied = new Set<Edit>()
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
    plugins: [sources(edits, applied)],
    logLevel: 'warning',
  })
  for (const edit of edits)
    if (!applied.has(edit)) throw new Error(`${edit.file} does not contain the text to replace: ${edit.from}`)
  const content = outputFiles[0]?.contents ?? new Uint8Array()
  const folder = path.join(FOLDER, path.relative(ROOT, program))
  const file = path.join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 16)}.mjs`)
  await mkdir(folder, { recursive: true })
  // Workers may build it at the same time; the rename keeps half-written files invisible.
  const draft = path.join(folder, `${randomUUID()}.draft`)
  await writeFile(draft, content)
  await rename(draft, file)
  await removeOld(folder, file)
  return file
}

/** Removes old bundles of a program, except those that a process may still run. */
async function removeOld(folder: string, but: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    if (file === but) continue
    const { mtimeMs = Date.now() } = (await stat(file).catch(() => undefined)) ?? {}
    if (Date.now() - mtimeMs > OLD_MS) await rm(file, { force: true })
  }
}

/** Keeps `import.meta.url` of each source file, which some use to find other files, and applies the edits. */
function sources(edits: readonly Edit[], applied: Set<Edit>): Plugin {
  return {
    name: 'sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        let contents = await readFile(file, 'utf8')
        for (const edit of edits) {
          if (path.relative(ROOT, file) !== edit.file || !contents.includes(edit.from)) continue
          contents = contents.replace(edit.from, () => edit.to)
          applied.add(edit)
        }
        contents = contents
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        return { contents, loader: 'ts' }
      })
    },
  }
}
