import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A file with its path relative to the root, with forward slashes. */
export type Source = { file: string; text: string }

const NOT_OURS = new Set(['node_modules', '.git', '.next', '.data', 'generated', 'coverage', 'test-results', 'results'])

/** Every file of ours below a folder, relative to the root. */
export function filesBelow(folder: string): string[] {
  let entries: import('node:fs').Dirent[]
  try {
    entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true })
  } catch {
    return [] // A missing folder has no files.
  }
  return entries.flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const file = path.posix.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(file) : [file]
  })
}

/** The TypeScript, JavaScript and MDX files below the folders, with their text. */
export function sourcesBelow(...folders: string[]): Source[] {
  return folders
    .flatMap(filesBelow)
    .filter((file) => /\.(ts|tsx|mdx|mjs|js)$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
}

/** Whether the file is a test. */
export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)
