import { CodeFrame } from '../snippet'
import { highlighted, type Language } from './highlighter'
import { Pieces } from './pieces'

/** `rest` follows: text of strangers, without colors because patterns can be slow on it, then ours, and so on in turns. */
type Props = { name: string; code: string; language: Language; rest?: readonly string[] }

/** A named program of ours in colors, with a copy button. */
export async function Code({ name, code, language, rest = [] }: Props) {
  const parts = [code, ...rest]
  const pieces = await Promise.all(parts.map((text, at) => (at % 2 === 0 ? highlighted(text, language) : [{ text, kind: null }])))
  return (
    <CodeFrame name={name} text={parts.join('')}>
      <Pieces pieces={pieces.flat()} />
    </CodeFrame>
  )
}
