import { cx } from '../../ui/class-names'
import { causeOf, remedyFor } from '../failure-causes'

/** The causes of failures with their remedies, or with their codes. */
export function Causes({ codes, withCodes }: { codes: readonly string[]; withCodes: boolean }) {
  const notes = new Set(withCodes ? codes : codes.map(remedyFor))
  return (
    <>
      {[...new Set(codes.map(causeOf))].map((cause) => (
        <p key={cause} className="text-ink">
          {cause}
        </p>
      ))}
      {[...notes].map((note) => (
        <p key={note} className={cx(withCodes && 'font-mono text-xs wrap-anywhere')}>
          {note}
        </p>
      ))}
    </>
  )
}
