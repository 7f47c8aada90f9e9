import ts from 'typescript'
import type { Source } from './source-files'

/** One import of a file: its module and names ('*' for all). */
type Import = { from: string; names: string[] }

/** Every import and re-export of a file, including types and dynamic imports. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  visit(parse(source), (node) => {
    const specifier = specifierOf(node)
    if (specifier && ts.isStringLiteralLike(specifier)) found.push({ from: specifier.text, names: namesOf(node) })
  })
  return found
}

const parse = ({ file, text }: Source): ts.SourceFile => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal
  const loads = (callee: ts.Node) =>
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
  return ts.isCallExpression(node) && loads(node.expression) ? node.arguments[0] : undefined
}

function namesOf(node: ts.Node): string[] {
  if (ts.isImportTypeNode(node)) return [node.qualifier?.getText() ?? '*']
  if (!ts.isImportDeclaration(node)) return ['*']
  const { name, namedBindings } = node.importClause ?? {}
  if (namedBindings && ts.isNamespaceImport(namedBindings)) return ['*']
  const named = namedBindings?.elements.map((element) => (element.propertyName ?? element.name).text) ?? []
  return name ? ['default', ...named] : named
}
