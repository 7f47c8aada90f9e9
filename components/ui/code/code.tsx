import { highlighted, type Language } from './highlighter'
import { Pieces } from './pieces'
import { CodeFrame, type Fold } from './snippet'

/** `rest` follows: text of strangers, which is not highlighted because patterns can be slow on it, then ours, and so on in turns. */
type Props = { name: string; code: string; language: Language; rest?: readonly string[]; fold?: Fold }

/** A named program of ours in colors, with a copy button. */
export async function Code({ name, code, language, rest = [], fold = 'late' }: Props) {
  const parts = [code, ...rest]
  const pieces = await Promise.all(
    parts.map((text, at) => (at % 2 === 0 ? highlighted(text, language) : [{ text, kind: isOneString(text) ? 'string' : null }])),
  )
  return (
    <CodeFrame name={name} text={parts.join('')} fold={fold}>
      <Pieces pieces={pieces.flat()} />
    </CodeFrame>
  )
}

/** Whether a text of strangers is one quoted string on one line: it has the color of strings as a whole, without reading it. */
function isOneString(text: string): boolean {
  const quote = text.at(0)
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) && !text.includes('\n')
}
