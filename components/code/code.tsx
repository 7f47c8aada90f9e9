import { CopyButton } from '../copy-button'
import { highlighted, type Language, type Piece } from './highlighter'

/** `rest` follows the program without colors: it has text of strangers, on which patterns can be slow. */
type Props = { code: string; language: Language; rest?: string }

/** A named program of ours in colors, with a copy button. */
export async function Code({ name, ...props }: Props & { name: string }) {
  return (
    <figure className="snippet">
      <figcaption>
        {name}
        <CopyButton text={props.code + (props.rest ?? '')} />
      </figcaption>
      <Colored {...props} />
    </figure>
  )
}

/** The lines of a program in colors. */
export async function Colored({ code, language, rest }: Props) {
  const pieces = await highlighted(code, language)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access
    <pre tabIndex={0}>
      <code>
        {pieces.map(piece)}
        {rest}
      </code>
    </pre>
  )
}

function piece({ text, kind }: Piece, at: number) {
  return kind === null ? (
    text
  ) : (
    <span key={`${at}`} className={`c-${kind}`}>
      {text}
    </span>
  )
}
