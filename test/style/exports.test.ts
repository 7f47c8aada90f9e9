import { expect, test } from 'vitest'
import { isTest, type Source, sourcesBelow } from '../support/source-files'

const EXPORT = /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|type|interface) ([\w$]+)/gm
/** Next reads the exports of these files, and a guide its own. */
const READ_ELSEWHERE = /^app\/.*(?:page|layout|route|error|not-found|icon)\.tsx?$|\.mdx$/

const wordsOf = ({ file, text }: Source) => ({ file, words: new Set(text.match(/[\w$]+/g)) })

/** The exported names that occur in no other file. */
function unused(sources: Source[]): string[] {
  const texts = sources.map(wordsOf)
  const isUsed = (name: string, by: string) => texts.some(({ file, words }) => file !== by && words.has(name))
  return sources
    .filter(({ file }) => !isTest(file) && !READ_ELSEWHERE.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(EXPORT)].flatMap(([, name = '']) => (isUsed(name, file) ? [] : [`${file}: ${name}`])),
    )
}

test('what a file exports is used by another file', () => {
  const sources = sourcesBelow('server', 'app', 'components', 'devnet', 'test', 'e2e', 'bench', 'scripts', 'packages')
  expect(sources.length).toBeGreaterThan(1_000)
  expect(unused(sources.filter(({ file }) => !file.startsWith('test/legacy/')))).toEqual([])
})

test('the check finds an export that nothing imports', () => {
  const sources = [
    { file: 'a.ts', text: 'export const used = 1\nexport const alone = 2\nalone' },
    { file: 'b.ts', text: "import { used } from './a'" },
  ]
  expect(unused(sources)).toEqual(['a.ts: alone'])
})
