const BAR = 4
const GAP = 1
const HEIGHT = 28

/** The paid calls of each day as bars, with their sum in words. Drawn by the server: it needs no script. */
export function CallsChart({ days, className }: { days: readonly number[]; className: string }) {
  const most = Math.max(1, ...days)
  const width = days.length * (BAR + GAP) - GAP
  const bars = days.map((calls, at) => {
    // A day with few calls still shows.
    const height = calls === 0 ? 0 : Math.max(1.5, (calls / most) * (HEIGHT - 1))
    return `M${at * (BAR + GAP)} ${HEIGHT - 1}v${-height.toFixed(1)}h${BAR}V${HEIGHT - 1}z`
  })
  const total = days.reduce((sum, calls) => sum + calls, 0)
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${total.toLocaleString('en')} paid calls in ${days.length} days, at most ${most.toLocaleString('en')} a day`}
    >
      <path d={bars.join('')} fill="var(--accent)" />
      <path d={`M0 ${HEIGHT - 0.5}h${width}`} stroke="var(--line)" strokeWidth={1} />
    </svg>
  )
}
