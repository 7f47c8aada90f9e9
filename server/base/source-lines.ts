import { readFileSync } from 'node:fs'

type SourceMap = { sources: string[]; mappings: string }

/** The built server and its map, which `scripts/build.mjs` writes. */
const BUNDLE = beside('../dist/server.mjs')
const MAP = new URL('bundle.mjs.map', BUNDLE)
const PLACE = new RegExp(`${BUNDLE.href.replaceAll('.', '\\.')}:(\\d+:\\d+)`)

// Next's bundler looks for the file of a fixed URL, and there may be none yet.
function beside(file: string): URL {
  return new URL(file, import.meta.url)
}

/** More than the places where errors come from. */
const KNOWN_MAX = 1_000
const known = new Map<string, string>()

/**
 * Stack frames with the lines of our sources instead of those of the bundle. The map is read for new places and not kept: Node's own
 * support reads it at the start, keeps 60 MB, and stops the process for half a second at the first trace.
 */
export function withSourceLines(frames: readonly string[]): string[] {
  const placeIn = (frame: string) => PLACE.exec(frame)?.[1]
  const places = frames.flatMap((frame) => placeIn(frame) ?? [])
  const unknown = places.filter((place) => !known.has(place))
  if (unknown.length > 0) {
    if (known.size > KNOWN_MAX) known.clear()
    for (const [place, line] of sourceLines(readMap(), unknown)) known.set(place, line)
  }
  return frames.map((frame) => {
    const line = known.get(placeIn(frame) ?? '')
    return line === undefined ? frame : frame.replace(PLACE, line)
  })
}

function readMap(): SourceMap {
  try {
    // Our own build wrote it.
    return JSON.parse(readFileSync(MAP, 'utf8'))
  } catch {
    // The lines of the bundle are better than no log line.
    return { sources: [], mappings: '' }
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: (number | undefined)[] = Array(128)
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value

/** Where places in generated code (`line:column`, both from 1) come from, as `file:line:column`; without those that have no source. */
export function sourceLines({ sources, mappings }: SourceMap, places: readonly string[]): Map<string, string> {
  const wanted = places.map((place) => ({ place, at: place.split(':').map(Number) }))
  const onRow = (row: number) => wanted.filter(({ at: [line] }) => line === row)
  const found = new Map<string, string>()
  let [row, here] = [1, onRow(1)]
  // A segment has differences to the one before: of the column, the source, its line, its column. The first starts anew with each row.
  const sums = [0, 0, 0, 0, 0]
  let [count, number, shift] = [0, 0, 0]
  for (let at = 0; at <= mappings.length; at++) {
    const digit = VALUES[mappings.charCodeAt(at)]
    if (digit !== undefined) {
      number |= (digit & 31) << shift
      shift += 5
      if (digit & 32) continue
      // The lowest bit is the sign.
      sums[count] = (sums[count] ?? 0) + (number & 1 ? -(number >> 1) : number >> 1)
      count++
      number = shift = 0
      continue
    }
    const [column = 0, source = 0, line = 0, along = 0] = sums
    for (const { place, at } of here)
      if (count > 1 && column < (at[1] ?? 0)) found.set(place, `${sources[source]}:${line + 1}:${along + 1}`)
    count = 0
    if (mappings[at] !== ';') continue
    sums[0] = 0
    here = onRow(++row)
  }
  return found
}
