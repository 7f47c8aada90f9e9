import { type Axis, doublingAxis, linearAxis, logAxis } from './axis'
import { baselinesOf, type Mark } from './labels'

/** One facilitator's line in both panels. */
export type Series = { name: string; points: { parallel: number; perSecond: number; p95: number }[] }

const COLOURS: Record<string, string> = { ours: '#2563eb', official: '#6b7280', 'x402-rs': '#d97706' }
const OTHER_COLOURS = ['#059669', '#7c3aed', '#db2777', '#0891b2']
const INK = { strong: '#111827', soft: '#4b5563', faint: '#6b7280', grid: '#e5e7eb', axis: '#9ca3af', paper: '#ffffff' }

const SIZE = { width: 1000, height: 450 }
/** `inset` keeps the first and last column clear of the sides; `below` is space for labels of low values. */
const PLOT = { top: 128, bottom: 372, below: 14, width: 354, inset: 24, lefts: [68, 560] }
/** The names of lines are at least this far apart. */
const NAME_GAP = 15
const LEGEND = { mark: 30, character: 7.4, gap: 20 }

type Point = Mark & { colour: string }
type Line = { name: string; colour: string; points: Point[] }

/** The picture: settles a second and their p95 against settles in flight, as an SVG without script. */
export function drawPicture(subtitle: string, series: readonly Series[]): string {
  const coloured = series.map((one, at) => ({
    ...one,
    colour: COLOURS[one.name] ?? OTHER_COLOURS[at % OTHER_COLOURS.length] ?? INK.strong,
  }))
  const points = series.flatMap((one) => one.points)
  const x = doublingAxis([...new Set(points.map(({ parallel }) => parallel))].toSorted((a, b) => a - b))
  const panels = [
    { title: 'Settles per second', of: 'perSecond', y: linearAxis(Math.max(...points.map(({ perSecond }) => perSecond))) },
    { title: 'p95 in ms (log scale)', of: 'p95', y: logAxis(points.map(({ p95 }) => p95)) },
  ] as const
  const described = `Settles per second and p95 in ms against settles in flight: ${series.map(({ name }) => name).join(', ')}.`
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" width="${SIZE.width}" height="${SIZE.height}" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif">`,
    `<title id="title">Settling payments</title>`,
    `<desc id="desc">${escaped(described)} ${escaped(subtitle)}</desc>`,
    `<rect x="0.5" y="0.5" width="${SIZE.width - 1}" height="${SIZE.height - 1}" rx="14" fill="${INK.paper}" stroke="${INK.grid}"/>`,
    text('Settling payments', { x: 32, y: 42, size: 19, weight: 650, fill: INK.strong }),
    text(subtitle, { x: 32, y: 64, size: 13, fill: INK.soft }),
    ...legend(coloured),
    ...panels.flatMap(({ title, of, y }, at) => {
      const left = PLOT.lefts[at] ?? 0
      const lines = coloured.map(({ name, colour, points }) => ({
        name,
        colour,
        points: points.map((point) => ({ ...placed(x, y, left, point.parallel, point[of]), colour })),
      }))
      return panel(title, x, y, left, lines)
    }),
    '</svg>',
  ].join('\n')}\n`
}

function panel(title: string, x: Axis, y: Axis, left: number, lines: Line[]): string[] {
  const right = left + PLOT.width
  const rows = y.ticks.map((tick) => ({ tick, at: placed(x, y, left, 1, tick).y }))
  const columns = x.ticks.map((tick) => ({ tick, at: placed(x, y, left, tick, 1).x }))
  // What is ours is drawn last, above the others.
  const drawn = lines.toReversed()
  return [
    '<g>',
    text(title, { x: left, y: PLOT.top - 20, size: 14, weight: 600, fill: INK.strong }),
    ...rows.map(({ at }, nth) => rule({ x1: left, x2: right, y1: at, y2: at, stroke: nth === 0 ? INK.axis : INK.grid })),
    ...rows.map(({ tick, at }) => text(grouped(tick), { x: left - 10, y: at + 4, size: 11.5, fill: INK.faint, anchor: 'end' })),
    ...columns.map(({ at }) => rule({ x1: at, x2: at, y1: PLOT.top, y2: PLOT.bottom, stroke: INK.grid, dash: '2 4' })),
    ...columns.map(({ tick, at }) =>
      text(String(tick), { x: at, y: PLOT.bottom + PLOT.below + 17, size: 11.5, fill: INK.faint, anchor: 'middle' }),
    ),
    text('payments in flight', {
      x: left + PLOT.width / 2,
      y: PLOT.bottom + PLOT.below + 38,
      size: 12,
      fill: INK.soft,
      anchor: 'middle',
    }),
    ...drawn.flatMap(({ name, colour, points }) => [
      `<polyline data-series="${escaped(name)}" points="${points.map((point) => `${fixed(point.x)},${fixed(point.y)}`).join(' ')}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"/>`,
      ...points.map(
        (point) =>
          `<circle cx="${fixed(point.x)}" cy="${fixed(point.y)}" r="4" fill="${colour}" stroke="${INK.paper}" stroke-width="1.5"/>`,
      ),
    ]),
    ...x.ticks.flatMap((tick) => valueLabels(lines, placed(x, y, left, tick, 1).x)),
    ...nameLabels(lines),
    '</g>',
  ]
}

/** The values of all lines in one column. */
function valueLabels(lines: Line[], x: number): string[] {
  const points = lines.flatMap((line) => line.points.filter((point) => Math.abs(point.x - x) < 1))
  const all = lines.map((line) => line.points)
  const baselines = baselinesOf(points, all, PLOT.bottom + PLOT.below)
  return points.map(({ label, colour }, at) =>
    text(label, { x, y: baselines[at] ?? 0, size: 11.5, weight: 600, fill: colour, anchor: 'middle', halo: true }),
  )
}

function nameLabels(lines: Line[]): string[] {
  const ends = lines
    .flatMap(({ name, colour, points }) => points.slice(-1).map((end) => ({ name, colour, end })))
    .toSorted((a, b) => a.end.y - b.end.y)
  const places = apart(
    ends.map(({ end }) => end.y + 4),
    NAME_GAP,
    PLOT.bottom,
  )
  return ends.map(({ name, colour, end }, at) =>
    text(name, { x: end.x + 24, y: places[at] ?? 0, size: 12.5, weight: 600, fill: colour, halo: true }),
  )
}

function legend(series: { name: string; colour: string }[]): string[] {
  let right = SIZE.width - 32
  return series.toReversed().flatMap(({ name, colour }) => {
    const left = right - LEGEND.mark - name.length * LEGEND.character
    right = left - LEGEND.gap
    return [
      rule({ x1: left, x2: left + 22, y1: 38, y2: 38, stroke: colour, width: 2.5 }),
      `<circle cx="${fixed(left + 11)}" cy="38" r="4" fill="${colour}"/>`,
      text(name, { x: left + LEGEND.mark, y: 42.5, size: 13, fill: INK.strong }),
    ]
  })
}

/** Moves ascending places apart, down first, then up from the floor. */
function apart(wanted: number[], gap: number, floor: number): number[] {
  const places: number[] = []
  for (const place of wanted) places.push(Math.max(place, (places.at(-1) ?? -1e9) + gap))
  let limit = floor
  for (const [at, place] of [...places.entries()].toReversed()) {
    places[at] = Math.min(place, limit)
    limit = Math.min(place, limit) - gap
  }
  return places
}

function placed(x: Axis, y: Axis, left: number, parallel: number, value: number): Omit<Point, 'colour'> {
  const height = PLOT.bottom - PLOT.top
  const width = PLOT.width - 2 * PLOT.inset
  const place = { x: left + PLOT.inset + x.placeOf(parallel) * width, y: PLOT.bottom - y.placeOf(value) * height }
  return { ...place, label: value < 10 ? value.toFixed(1) : grouped(Math.round(value)) }
}

type TextLook = { x: number; y: number; size: number; fill: string; weight?: number; anchor?: 'middle' | 'end'; halo?: boolean }

function text(words: string, { x, y, size, fill, weight = 400, anchor, halo }: TextLook): string {
  const place = `x="${fixed(x)}" y="${fixed(y)}"${anchor ? ` text-anchor="${anchor}"` : ''}`
  const edge = halo ? ` stroke="${INK.paper}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke"` : ''
  return `<text ${place} font-size="${size}" font-weight="${weight}" fill="${fill}"${edge}>${escaped(words)}</text>`
}

type RuleLook = { x1: number; x2: number; y1: number; y2: number; stroke: string; width?: number; dash?: string }

function rule({ x1, x2, y1, y2, stroke, width = 1, dash }: RuleLook): string {
  const dashes = dash ? ` stroke-dasharray="${dash}"` : ''
  return `<line x1="${fixed(x1)}" x2="${fixed(x2)}" y1="${fixed(y1)}" y2="${fixed(y2)}" stroke="${stroke}" stroke-width="${width}"${dashes}/>`
}

const fixed = (value: number) => Number(value.toFixed(1))
const grouped = (value: number) => value.toLocaleString('en-US')

const escaped = (words: string) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
