import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A file of the repository, its path relative to the top and with forward slashes. */
export type Source = { file: string; text: string }

const NOT_OURS = new Set(['node_modules', '.git', '.next', '.data', 'generated', 'coverage', 'test-results', 'results'])

/** Every file of ours below a folder, relative to the top of the repository. */
export function filesBelow(folder: string): string[] {
  let entries: import('node:fs').Dirent[]
  try {
    entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true })
  } catch {
    return [] // a folder that is not there has no files
  }
  return entries.flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const file = path.posix.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(file) : [file]
  })
}

/** The TypeScript and JavaScript files below the folders, with their text. */
export function sourcesBelow(...folders: string[]): Source[] {
  return folders
    .flatMap(filesBelow)
    .filter((file) => /\.(ts|tsx|mjs|js)$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
}

/** Whether the file is a test, which may reach anywhere. */
export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)
