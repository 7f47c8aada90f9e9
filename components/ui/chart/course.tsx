/** Small bars of a course of time, oldest first: percents of the highest. The figures stand near it, so screen readers skip it. */
export function Course({ heights }: { heights: readonly number[] }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${heights.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-7 w-28 border-b"
    >
      {heights.map((height, at) => {
        const drawn = (height * HEIGHT) / 100
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
        return <rect key={at} x={at * STEP} y={HEIGHT - drawn} width={STEP - 1} height={drawn} fill="var(--accent)" />
      })}
    </svg>
  )
}

const STEP = 4
const HEIGHT = 28
