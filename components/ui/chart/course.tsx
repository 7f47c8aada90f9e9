import { cx } from '../class-names'

type Props = {
  heights: readonly number[]
  /** Whether it fills the width that it has. */
  wide?: boolean
}

/** Small bars of a course of time, oldest first: percents of the highest. The figures stand near it, so screen readers skip it. */
export function Course({ heights, wide = false }: Props) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${heights.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx('block border-b', wide ? 'h-10 w-full' : 'h-7 w-28')}
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
