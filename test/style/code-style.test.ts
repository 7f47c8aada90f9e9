import ts from 'typescript'
import { expect, test } from 'vitest'
import { type Source, sourcesBelow } from '../support/source-files'

const BANNED =
  /\b(?:who(?:so)?ever|whatever|whichever|whomever|(?:no|some|any|every)body(?:['’]s)?|(?:is|are|was|were|be|been) told|com(?:es?|ing) to (?:an|its|their) end|crosswise|lies at|furnish\w*|cargo|passengers?|purses?|couriers?|apologi[sz]e\w*|under way|for ever)\b/i

/** Files whose texts must contain banned words: they test for them. */
const STYLE_TESTS = ['test/style/code-style.test.ts', 'test/docs/style.test.ts']

/** A quoted text that is only the name of the system user `nobody`, which can run PostgreSQL. */
const SYSTEM_USER = /^'nobody'$/

const isText = (node: ts.Node) => ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)

/** The banned words in the comments and texts of a file, each with its line. */
function faultsIn({ file, text }: Source): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const parts: { pos: number; end: number }[] = []
  function visit(node: ts.Node): void {
    const children = node.getChildren(source)
    if (isText(node)) parts.push({ pos: node.getStart(source), end: node.end })
    if (children.length === 0)
      parts.push(...(ts.getLeadingCommentRanges(text, node.pos) ?? []), ...(ts.getTrailingCommentRanges(text, node.end) ?? []))
    else for (const child of children) visit(child)
  }
  visit(source)
  return parts.flatMap(({ pos, end }) => {
    const part = text.slice(pos, end)
    const found = SYSTEM_USER.test(part) ? null : BANNED.exec(part)
    return found ? [`${file}:${text.slice(0, pos + found.index).split('\n').length}: "${found[0]}"`] : []
  })
}

const sources = sourcesBelow('server', 'app', 'components', 'scripts', 'test', 'e2e', 'devnet', 'bench', 'examples').filter(
  ({ file }) => !STYLE_TESTS.includes(file),
)

test('comments and texts of the code are plain English', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap(faultsIn)).toEqual([])
})

test('the check finds comments, texts and templates, and no identifiers', () => {
  const text = `// Whoever asks\nconst nobody = 'is told'\nconst two = \`to whatever \${nobody}\`\nconst plain = 'all clear'\n`
  expect(faultsIn({ file: 'a.ts', text })).toEqual(['a.ts:1: "Whoever"', 'a.ts:2: "is told"', 'a.ts:3: "whatever"'])
})
