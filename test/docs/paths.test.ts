import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, ROOT, type Source } from '../support/source-files'

const FOLDERS = 'app|server|prisma|components|e2e|devnet|bench|docs|examples|scripts|test|\\.ci'
const PATH = new RegExp(`^(?:(?:${FOLDERS})/|(?:${FOLDERS})$)`)
const FILE = /^\.?[\w-]+(\.[\w-]+)*\.(md|ts|tsx|mjs|json|prisma|example)$/

/** The paths that a path with brace lists stands for: `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function withoutBraces(words: string): string[] {
  const [list, names] = /\{([^{}]*,[^{}]*)\}/.exec(words) ?? []
  if (list === undefined || names === undefined) return [words]
  return names.split(',').flatMap((name) => withoutBraces(words.replace(list, name.trim())))
}

/** The repository paths that a page cites in backticks and that do not exist. */
function missingPaths({ file, text }: Source, exists: (path: string) => boolean): string[] {
  const prose = text.replace(/^```.*?^```/gms, '')
  const cited = [...prose.matchAll(/`((?:[^`\s{]|\{[^`\n}]*\})+)`/g)].flatMap(([, words]) => withoutBraces(words ?? ''))
  return cited
    .filter((words) => !/\s/.test(words) && (PATH.test(words) || FILE.test(words)))
    .map((words) => words.replace(/:\d+$/, '').replace(/\/?[^/]*[*<{].*$/, ''))
    .filter((words) => !exists(words))
    .map((words) => `${file} cites ${words}, which is not there`)
}

const names = new Set(filesBelow('.').map((file) => path.basename(file)))

/** True for a path from the root, or for the bare name of a file. */
const exists = (words: string): boolean => existsSync(path.join(ROOT, words)) || names.has(words)

test('every repository path cited in the documentation exists', () => {
  const pages = [...readdirSync(ROOT), ...filesBelow('docs')].filter((file) => file.endsWith('.md'))
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/api.md']))
  expect(pages.flatMap((file) => missingPaths({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }, exists))).toEqual([])
})

test('the check finds missing paths, and ignores other code', () => {
  const text =
    'See `server/nowhere.ts:12`, `docs/`, `gone.md`, `test/**/x.ts`, `GET /v1/supported`, `@x402/fetch`, `application/json`, `npm test`.'
  expect(missingPaths({ file: 'README.md', text }, (words) => ['docs/', 'test'].includes(words))).toEqual([
    'README.md cites server/nowhere.ts, which is not there',
    'README.md cites gone.md, which is not there',
  ])
})

test('the check looks for every path of a brace list', () => {
  const text = 'See `server/{here,gone}.{ts,md}` and `{here, gone}.md`, but `{a, b}` and `server/{id}` are other code.'
  expect(missingPaths({ file: 'README.md', text }, (words) => /here|^server$/.test(words))).toEqual([
    'README.md cites server/gone.ts, which is not there',
    'README.md cites server/gone.md, which is not there',
    'README.md cites gone.md, which is not there',
  ])
})
