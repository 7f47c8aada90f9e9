import { CodeFrame } from '../snippet'
import { highlighted, type Language } from './highlighter'
import { Pieces } from './pieces'

/** `rest` follows the program without colors: it has text of strangers, on which patterns can be slow. */
type Props = { name: string; code: string; language: Language; rest?: string }

/** A named program of ours in colors, with a copy button. */
export async function Code({ name, code, language, rest = '' }: Props) {
  const pieces = await highlighted(code, language)
  return (
    <CodeFrame name={name} text={code + rest}>
      <Pieces pieces={pieces} />
      {rest}
    </CodeFrame>
  )
}
