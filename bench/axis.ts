/** The values at an axis's gridlines, least first, and the place of a value between the ends: 0 to 1. */
export type Axis = { ticks: number[]; placeOf: (value: number) => number }

const STEPS = [1, 2, 5]
/** The least value of a logarithmic axis is not at its end, so that a label fits below. */
const ROOM = 0.85

/** An axis from 0 with three to six round steps. */
export function linearAxis(most: number): Axis {
  const least = Math.max(most, 1) / 5
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (STEPS.find((factor) => factor * power >= least) ?? 10) * power
  const top = Math.ceil(Math.max(most, 1) / step)
  return { ticks: Array.from({ length: top + 1 }, (_, at) => at * step), placeOf: (value) => value / (top * step) }
}

/** A logarithmic axis with gridlines at 1, 2 and 5 of each power of ten, around all values. */
export function logAxis(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0)
  const [least, most] = [Math.min(...positive, 1e9), Math.max(...positive, 1)]
  const ladder = Array.from({ length: 30 }, (_, at) => (STEPS[at % 3] ?? 1) * 10 ** Math.floor(at / 3 - 2))
  const from = Math.max(
    0,
    ladder.findLastIndex((tick) => tick <= least * ROOM),
  )
  const to = ladder.findIndex((tick) => tick >= most && tick > (ladder[from] ?? 0))
  const ticks = ladder.slice(from, to + 1)
  const [low, high] = [Math.log(ticks.at(0) ?? 1), Math.log(ticks.at(-1) ?? 10)]
  return { ticks, placeOf: (value) => Math.max(0, (Math.log(value) - low) / (high - low)) }
}

/** An axis whose equal steps double the value; only these values have gridlines. */
export function doublingAxis(ticks: readonly number[]): Axis {
  const [low, high] = [Math.log2(Math.min(...ticks)), Math.log2(Math.max(...ticks))]
  return { ticks: [...ticks], placeOf: (value) => (high === low ? 0.5 : (Math.log2(value) - low) / (high - low)) }
}
