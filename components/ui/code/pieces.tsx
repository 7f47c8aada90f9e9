import type { Piece } from './highlighter'

/** Pieces of code, each in the color of its kind. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(colored)
}

function colored({ text, kind }: Piece, at: number) {
  return kind === null ? (
    text
  ) : (
    <span key={`${at}`} className={`c-${kind}`}>
      {text}
    </span>
  )
}
