/** A marker with the text that names its value. */
export type Mark = { x: number; y: number; label: string }

/** The marks of one line, from left to right. */
type MarkedLine = readonly Mark[]

const BASELINES = [-10, 19, -24, 33, -38, 47, -52]
const CHARACTER = 6.8
const ASCENT = 9.5
const MARKER = 6

type Box = { left: number; right: number; top: number; bottom: number }

/** The baselines of the labels of one column of marks: above or below each mark, where they cover the least. */
export function baselinesOf(column: readonly Mark[], lines: readonly MarkedLine[], floor: number): number[] {
  const costOf = (baselines: readonly number[]) => {
    const boxes = column.map((mark, at) => boxOf(mark, baselines[at] ?? 0))
    return boxes.reduce((sum, box, at) => {
      const overlaps = boxes.slice(at + 1).filter((other) => meet(box, other)).length
      const markers = column.filter(({ x, y }) => meet(box, square(x, y))).length
      const crossed = lines.reduce((count, line) => count + crossings(line, box), 0)
      const distance = Math.abs((baselines[at] ?? 0) - (column[at]?.y ?? 0)) / 6
      // Labels have the order of their marks.
      const swapped = boxes.filter((other, nth) => other.top < box.top && (column[nth]?.y ?? 0) > (column[at]?.y ?? 0)).length
      return sum + overlaps * 20 + markers * 10 + swapped * 15 + crossed + distance + (box.bottom > floor ? 20 : 0)
    }, 0)
  }
  const choices = column.reduce<number[][]>((all, { y }) => all.flatMap((some) => BASELINES.map((by) => [...some, y + by])), [[]])
  return choices.reduce((best, choice) => (costOf(choice) < costOf(best) ? choice : best))
}

const boxOf = ({ x, label }: Mark, baseline: number): Box => {
  const half = (label.length * CHARACTER) / 2 + 1
  return { left: x - half, right: x + half, top: baseline - ASCENT, bottom: baseline + 1 }
}

const square = (x: number, y: number): Box => ({ left: x - MARKER, right: x + MARKER, top: y - MARKER, bottom: y + MARKER })

const meet = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** How much of a box a line passes through: at how many of five places between its sides. */
function crossings(line: MarkedLine, { left, right, top, bottom }: Box): number {
  return [0, 0.25, 0.5, 0.75, 1].filter((share) => {
    const y = heightAt(line, left + share * (right - left))
    return y !== undefined && y > top && y < bottom
  }).length
}

function heightAt(line: MarkedLine, x: number): number | undefined {
  const next = line.findIndex((mark) => mark.x >= x)
  const [from, to] = [line[next - 1], line[next]]
  if (!from || !to) return undefined
  return from.y + ((x - from.x) / (to.x - from.x)) * (to.y - from.y)
}
