type Props = { label: string; used: number; limit: number }

const WARN_SHARE = 0.8

/** How much of a limit is used. Drawn with attributes, because the browser policy forbids styles in HTML. */
export function Meter({ label, used, limit }: Props) {
  const share = limit === 0 ? 1 : used / limit
  const width = Math.min(100, Math.max(share * 100, used > 0 ? 1 : 0))
  return (
    <div
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-label={label}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden className="block h-full w-full">
        <rect width={width} height="1" fill={share >= WARN_SHARE ? 'var(--bad)' : 'var(--accent)'} />
      </svg>
    </div>
  )
}
