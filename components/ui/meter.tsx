type Props = {
  label: string
  value: number
  limit: number
  /** Draws it in red. */
  alarming: boolean
}

/** A part of a limit. Drawn with attributes, because the browser policy forbids styles in HTML. */
export function Meter({ label, value, limit, alarming }: Props) {
  const share = limit === 0 ? 0 : value / limit
  // The smallest part still shows.
  const width = Math.min(100, Math.max(share * 100, value > 0 ? 1 : 0))
  return (
    <div
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(value, limit)}
      aria-label={label}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden className="block h-full w-full">
        <rect width={width} height="1" fill={alarming ? 'var(--bad)' : 'var(--accent)'} />
      </svg>
    </div>
  )
}
