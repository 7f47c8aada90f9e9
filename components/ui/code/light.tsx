import type { Language, Piece } from './highlighter'
import { Pieces } from './pieces'

/** A longer text stays plain: its elements would be slow to draw. */
const COLORED_CHARACTERS = 20_000

/** A program in colors, for browsers: a small reader of words, without grammars. */
export function Light({ code, language }: { code: string; language: Language }) {
  return <Pieces pieces={lightPieces(code, language)} />
}

const DOUBLE = String.raw`"(?:[^"\\]|\\[^])*"?`
const SINGLE = String.raw`'(?:[^'\\]|\\[^])*'?`
const NUMBER = String.raw`\b\d[\w.]*`

/** The texts and comments of a language, and its words. The patterns read each character once, so hostile text costs no more. */
type Grammar = { comment: string; string: string; constant: string; keywords: ReadonlySet<string> }

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const GRAMMARS: Record<Exclude<Language, 'text'>, Grammar> = {
  typescript: {
    comment: String.raw`//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?`,
    string: `${DOUBLE}|${SINGLE}|\`(?:[^\`\\\\]|\\\\[^])*\`?`,
    constant: String.raw`${NUMBER}|\b(?:true|false|null|undefined)\b`,
    keywords: words(
      'as async await break case catch class const continue default else export extends for from function if import in instanceof let new of return switch throw try typeof while',
    ),
  },
  python: {
    comment: '#[^\\n]*',
    string: `"""(?:[^"]|"(?!""))*(?:""")?|[fr]?${DOUBLE}|[fr]?${SINGLE}`,
    constant: String.raw`${NUMBER}|\b(?:True|False|None)\b`,
    keywords: words(
      'and as assert async await break class continue def elif else except finally for from if import in is lambda not or pass raise return try while with yield',
    ),
  },
  shellscript: {
    comment: String.raw`(?<![^\s])#[^\n]*`,
    string: String.raw`${DOUBLE}|${SINGLE}|(?<=\s)--?[\w-]+`,
    constant: NUMBER,
    keywords: words('case do done elif else esac export fi for function if in then while'),
  },
  json: { comment: '(?!)', string: DOUBLE, constant: String.raw`-?${NUMBER}|\b(?:true|false|null)\b`, keywords: words('') },
}

/** The colored pieces of a program in any text, also of strangers. */
export function lightPieces(code: string, language: Language): Piece[] {
  if (language === 'text' || code.length > COLORED_CHARACTERS) return [{ text: code, kind: null }]
  const { comment, string, constant, keywords } = GRAMMARS[language]
  const pattern = new RegExp(`(${comment})|(${string})|(${constant})|[A-Za-z_$][\\w$]*`, 'g')
  const pieces: Piece[] = []
  let end = 0
  for (const { index, 0: text, 1: isComment, 2: isString, 3: isConstant } of code.matchAll(pattern)) {
    const after = index + text.length
    const kind = isComment
      ? 'comment'
      : isString
        ? language === 'json' && code[after] === ':'
          ? null
          : 'string'
        : isConstant
          ? 'constant'
          : keywords.has(text)
            ? 'keyword'
            : isCalled(code, index, after, language)
              ? 'function'
              : null
    if (kind === null) continue
    if (index > end) pieces.push({ text: code.slice(end, index), kind: null })
    pieces.push({ text, kind })
    end = after
  }
  if (end < code.length) pieces.push({ text: code.slice(end), kind: null })
  return pieces
}

// In a shell the first word of a command, elsewhere a word before a bracket.
function isCalled(code: string, index: number, after: number, language: Language): boolean {
  if (language !== 'shellscript') return code[after] === '('
  return /(?:^|\n|\| |\$\()$/.test(code.slice(Math.max(0, index - 2), index)) && code[after] !== '='
}
