import ts from 'typescript'
import { isTest, type Source, sourcesBelow } from '../support/source-files'

/** A text of about this many characters. */
export type Attack = { name: string; text: (length: number) => string }

/** What reads a text: a pattern or a function. */
export type Reader = (text: string) => unknown

/** In small steps: an exponential reader does not come back from a long text. */
const LENGTHS = [24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_000, 4_000, 16_000]
/** A linear reader of 16,000 characters takes less; a quadratic one takes ten times as long and more. */
const NOTHING_MS = 5
const GROWTH_MAX = 8
const TRIES = 12

/** The attacks on which the reader takes more than 8 times as long for four times the text, each with its times. */
export function superlinear(read: Reader, attacks: readonly Attack[]): string[] {
  return attacks.flatMap((attack) => {
    for (const length of LENGTHS) {
      const long = attack.text(length)
      if (msOf(read, long) < NOTHING_MS) continue
      const fault = growth(read, attack.text(length / 4), long)
      if (fault) return [`${attack.name} of ${length}: ${fault}`]
    }
    return []
  })
}

/** The times of a reader that grows too fast; null for one that does not. */
function growth(read: Reader, short: string, long: string): string | null {
  let [quick, slow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // The least of several: memory is cleaned up meanwhile.
  for (let tried = 0; tried < TRIES; tried++) {
    quick = Math.min(quick, msOf(read, short))
    slow = Math.min(slow, msOf(read, long))
    if (slow < NOTHING_MS || (tried > 0 && slow <= GROWTH_MAX * quick)) return null
    // Beyond doubt: an exponential reader takes long each time.
    if (slow > 100 * Math.max(quick, 1)) break
  }
  return `${quick.toFixed(1)} ms, then ${slow.toFixed(1)} ms`
}

// Of the processor: other processes share it.
function msOf(read: Reader, text: string): number {
  const start = process.cpuUsage()
  read(text)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/** A regular expression in the source, and where it stands. */
type Pattern = { pattern: RegExp; at: string }

/** Every regular expression that the files write as a literal, and where each one is that they build from texts. */
export function patternsIn(sources: readonly Source[]): { literals: Pattern[]; built: string[] } {
  const [literals, built]: [Pattern[], string[]] = [[], []]
  for (const { file, text } of sources) {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const line = source.getLineAndCharacterOfPosition(node.end).line + 1
        literals.push({ pattern: read(node.text), at: `${file}:${line}` })
      }
      if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') built.push(file)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { literals, built: [...new Set(built)] }
}

/** The files of ours that run beside a request. */
export const servedSources = (): Source[] =>
  sourcesBelow('server', 'app', 'components').filter(({ file }) => !isTest(file) && !file.endsWith('.mdx'))

function read(literal: string): RegExp {
  const end = literal.lastIndexOf('/')
  return new RegExp(literal.slice(1, end), literal.slice(end + 1))
}

/** Characters of the classes that patterns name, and what they leave out. */
const CLASSES: readonly [RegExp, string][] = [
  [/\\w|\\S|a-|A-|\\p\{L|[^\\]\.|\[\^/, 'a'],
  [/\\d|\\w|0-9|1-9/, '1'],
  [/\\s|\\p\{C/, '\n'],
  [/\\s|[^\\]\./, ' '],
  [/\[\^|\\S/, '!'],
]
const ENDS = ['', '\0', '\n!']

/** Texts that make the pattern try again and again: what it matches, repeated, with an end that it does not match. */
export function attacksOn({ source }: RegExp): Attack[] {
  const plain = source
    .replace(/\\x(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\(\?(?:<?[=!]|<\w+>|:)|\\[bBdDwWsSdknrtvf]|\\[pPu](?:\{[^}]*\}|\w{4})?|\{[\d,]*\}/g, ' ')
  const words = plain
    .replace(/\\(.)/g, '$1')
    .split(/[\s()[\]|^$*+?]+/)
    .filter((word) => word !== '' && word.length < 20)
  const marks = [...new Set(words.flatMap((word) => [...word]).filter((mark) => !/[a-z0-9]/i.test(mark)))]
  const classes = CLASSES.flatMap(([named, char]) => (named.test(source) ? [char] : []))
  const atoms = [...new Set([...words, ...marks, ...classes])].slice(0, 10)
  // The beginning of a match, with the first of each choice.
  const match = plain.replace(/\[(\\?[^\]\\])[^\]]*\]/g, '$1').replace(/\|[^()|]*|[\s()^$*+?\\]/g, '')
  const starts = Array.from(match.slice(0, 8), (_, at) => match.slice(0, at + 1))
  const pairs = [...atoms, ''].flatMap((one) => [...atoms, ...starts].map((other) => one + other))
  return [...new Set(pairs)].flatMap((pump) => ENDS.map((end) => repeated(pump, end)))
}

/** A text that is one part again and again, with an end. */
export function repeated(part: string, end = '', start = ''): Attack {
  const text = (length: number) => start + part.repeat(Math.ceil(length / part.length)) + end
  return { name: JSON.stringify([start, part, end].filter(Boolean)), text }
}
