import ts from 'typescript'
import { expect, test } from 'vitest'
import { type Source, sourcesBelow } from '../support/source-files'

/** Two classes of a group set the same property: which one holds depends on their order in the stylesheet. */
const GROUPS = [
  ['text color', /^text-(?:ink|soft|bad|warn|accent|paper)$/],
  ['background', /^bg-(?!clip|gradient|linear|size|no|repeat|cover|center)[\w/[\]().-]+$/],
  ['font weight', /^font-(?:\[\d+\]|normal|medium|semibold|bold)$/],
  ['text size', /^text-(?:xs|sm|md|base|lg|[2-9]?xl|\[[\d.]+rem\])$/],
  ['display', /^(?:hidden|block|inline|inline-block|flex|inline-flex|grid|inline-grid|contents)$/],
] as const

type Group = (typeof GROUPS)[number][0]
/** The groups of the classes that an argument always or sometimes adds. */
type Part = ReadonlySet<Group>

/** The constants of a file that are texts. */
function textsOf(file: ts.SourceFile): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      ts.isStringLiteralLike(node.initializer)
    ) {
      texts.set(node.name.text, node.initializer.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}

function partOf(argument: ts.Expression, texts: ReadonlyMap<string, string>): Part {
  const classes: string[] = []
  const read = (node: ts.Expression): void => {
    if (ts.isStringLiteralLike(node)) classes.push(...node.text.split(/\s+/))
    else if (ts.isIdentifier(node)) classes.push(...(texts.get(node.text) ?? '').split(/\s+/))
    else if (ts.isParenthesizedExpression(node)) read(node.expression)
    else if (ts.isConditionalExpression(node)) for (const side of [node.whenTrue, node.whenFalse]) read(side)
    else if (ts.isBinaryExpression(node)) read(node.right)
  }
  read(argument)
  const groups = GROUPS.filter(([, pattern]) => classes.some((name) => pattern.test(name)))
  return new Set(groups.map(([group]) => group))
}

/** The calls of `cx` of which two arguments set the same property. */
function ordered({ file, text }: Source): string[] {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const texts = textsOf(parsed)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'cx') {
      const parts = node.arguments.map((argument) => partOf(argument, texts))
      for (const [group] of GROUPS) {
        if (parts.filter((part) => part.has(group)).length > 1) {
          found.push(`${file}:${parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${group}`)
        }
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

test('no part of a class list overrides another: the stylesheet decides which holds, not the list', () => {
  const sources = sourcesBelow('components', 'app')
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.flatMap(ordered)).toEqual([])
})

test('the check finds a color that a constant has already', () => {
  const text =
    "const ITEM = 'flex text-ink'\nconst a = cx(ITEM, bad && 'text-bad')\nconst b = cx('flex', bad ? 'text-bad' : 'text-ink')"
  expect(ordered({ file: 'a.tsx', text })).toEqual(['a.tsx:2 text color'])
})
