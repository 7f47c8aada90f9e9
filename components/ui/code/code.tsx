import { highlighted, type Language, type Piece } from './highlighter'
import { Pieces } from './pieces'
import { CodeFrame, type Fold } from './snippet'

/** `rest` follows: text of strangers, which is not highlighted because patterns can be slow on it, then ours, and so on in turns. */
type Props = { name: string; code: string; language: Language; rest?: readonly string[]; fold?: Fold }

/** A named program of ours in colors, with a copy button. A single command breaks at blanks on a phone. */
export async function Code({ name, code, language, rest = [], fold = 'late' }: Props) {
  const parts = [code, ...rest]
  const pieces = await Promise.all(
    parts.map((text, at) => (at % 2 === 0 ? highlighted(text, language) : [{ text, kind: isOneString(text) ? 'string' : null }])),
  )
  const text = parts.join('')
  const wraps = language === 'shellscript' && !text.includes('\n')
  return (
    <CodeFrame name={name} text={text} fold={fold} wrapsOnPhones={wraps}>
      <Pieces pieces={wraps ? pieces.flat().flatMap(wordsOf) : pieces.flat()} />
    </CodeFrame>
  )
}

/** Each word as an element of its own, which no line break tears. */
const wordsOf = ({ text, kind }: Piece): Piece[] =>
  text.split(/(\s+)/).map((word) => ({ text: word, kind: word.trim() === '' ? null : (kind ?? 'plain') }))

/** Whether a text of strangers is one quoted string on one line: it has the color of strings as a whole, without reading it. */
function isOneString(text: string): boolean {
  const quote = text.at(0)
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) && !text.includes('\n')
}
