import type { Route } from './load'
import type { Result, Row } from './scenario'
import { type Scenario, type Shape, shapes } from './shapes'

/** The facilitator that the ratios compare with. */
const BASE = 'official'
const PROFILE_LINES = 16

/** The rounds of one facilitator's row, and those of the facilitator to compare with. */
type Group = { route: Route; parallel: number; facilitator: string; rows: Row[]; base: Row[] }

type Cell = string | number | undefined

const COLUMNS = {
  route: ({ route }: Group) => route,
  parallel: ({ parallel }: Group) => parallel,
  facilitator: ({ facilitator }: Group) => facilitator,
  good: ({ rows }: Group) => `${sum(rows, ({ good }) => good)}/${sum(rows, ({ sent }) => sent)}`,
  'per s': ({ rows }: Group) => figure(medianOf(rows, ({ perSecond }) => perSecond)),
  'times official': ({ rows, base }: Group) => fixed(medianRatio(rows, base, ({ perSecond }) => perSecond)),
  'p50 ms': ({ rows }: Group) => whole(medianOf(rows, ({ p50 }) => p50)),
  'p95 ms': ({ rows }: Group) => whole(medianOf(rows, ({ p95 }) => p95)),
  'p99 ms': ({ rows }: Group) => whole(medianOf(rows, ({ p99 }) => p99)),
  'CPU ms each': ({ rows }: Group) => figure(medianOf(rows, ({ cpuEach }) => cpuEach)),
  'RPC calls each': ({ rows }: Group) => figure(medianOf(rows, ({ callsEach }) => callsEach)),
  'RPC each': ({ rows }: Group) => figure(medianOf(rows, ({ rpcEach }) => rpcEach)),
  '+ waiting': ({ rows }: Group) => figure(medianOf(rows, ({ waitingEach }) => waitingEach)),
  'gas each': ({ rows }: Group) => whole(medianOf(rows, ({ gasEach }) => gasEach)),
  'payments per tx': ({ rows }: Group) => figure(medianOf(rows, ({ perTransaction }) => perTransaction)),
} satisfies Record<string, (group: Group) => Cell>

type Column = keyof typeof COLUMNS

const TIMES: Column[] = ['per s', 'times official', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU ms each']
const SHOWN: Record<Shape['columns'], Column[]> = {
  calls: ['route', 'parallel', 'facilitator', ...TIMES, 'RPC calls each', 'gas each', 'payments per tx'],
  requests: ['route', 'parallel', 'facilitator', 'good', ...TIMES, 'RPC each', '+ waiting', 'gas each', 'payments per tx'],
}

/** A run of the bench as Markdown. */
export function reportOf({ scenario, blockWaitMs, rows, failures, footprints, profiles }: Result): string {
  const columns = SHOWN[shapes[scenario.shape].columns]
  const later = rows.filter(({ round }) => round > 0)
  const tableOf = (some: Row[]) =>
    markdown(
      columns,
      groupsOf(rows, some).map((group) => columns.map((column) => COLUMNS[column](group))),
    )
  const troubles = failures.map(
    ({ facilitator, route, parallel, round, reasons }) =>
      `- ${facilitator}, ${route}, ${parallel} in parallel, round ${round + 1}: ${Object.entries(reasons)
        .map(([reason, count]) => `${count} × ${reason}`)
        .join(', ')}`,
  )
  return [
    `## ${titleOf(scenario)}`,
    `The wait for a block alone is ${whole(blockWaitMs)} ms. Node ${process.versions.node}.`,
    'The first round, soon after the start:',
    tableOf(rows.filter(({ round }) => round === 0)),
    `Medians of ${scenario.rounds} later ${scenario.rounds === 1 ? 'round' : 'rounds'}:`,
    tableOf(later),
    ...(troubles.length > 0 ? ['Failed payments:', troubles.join('\n')] : []),
    ...(scenario.shape === 'one-key'
      ? ['Payments per second by requests in flight:', shortOf(rows), bestOf(later).join('\n')]
      : []),
    ...(footprints.length > 0
      ? [
          markdown(
            ['facilitator', 'RSS MB after the runs', 'idle CPU ms per s'],
            footprints.map(({ facilitator, rssMb, idleCpuMs }) => [facilitator, whole(rssMb), idleCpuMs.toFixed(1)]),
          ),
        ]
      : []),
    ...profiles.flatMap(({ facilitator, route, profile }) => [
      `Where the CPU of ${facilitator} goes in ${route} at 128 in parallel:`,
      markdown(
        ['where', 'ms each'],
        profile.slice(0, PROFILE_LINES).map(({ where, ms }) => [where, ms.toFixed(3)]),
      ),
    ]),
  ].join('\n\n')
}

/** A run of the bench in a few words. */
export function titleOf({ shape, blockTimeSeconds, lanes }: Scenario): string {
  const { payers, apiKeys } = shapes[shape]
  const blocks = blockTimeSeconds === 0 ? 'a block per transaction' : `blocks every ${blockTimeSeconds} s`
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  return `${count(payers, 'payer')}, ${count(apiKeys, 'key')}, ${count(lanes, 'lane')}, ${blocks}`
}

/** A Markdown table with aligned columns. */
function markdown(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => String(cell ?? '')))
  const widths = columns.map((column, at) => Math.max(3, column.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`
  return [line(columns), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.map(line)].join('\n')
}

/** The median; of an even number the lower one of the middle. `undefined` without values. */
export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]
}

/** Some rows by route, concurrency and facilitator, in the order of the first round. */
function groupsOf(all: Row[], some: Row[]): Group[] {
  const firsts = all.filter(({ round }) => round === 0)
  return firsts.map(({ route, parallel, facilitator }) => {
    const of = (name: string) =>
      some.filter((row) => row.route === route && row.parallel === parallel && row.facilitator === name)
    return { route, parallel, facilitator, rows: of(facilitator), base: facilitator === BASE ? [] : of(BASE) }
  })
}

/** The short form of the table of later rounds: payments per second, with a column per number of requests in flight. */
function shortOf(all: Row[]): string {
  const groups = groupsOf(
    all,
    all.filter(({ round }) => round > 0),
  )
  const columns = [...new Set(groups.map(({ parallel }) => parallel))]
  const lines = new Map<string, Cell[]>()
  for (const group of groups) {
    const name = `${group.route}, ${group.facilitator}`
    lines.set(name, [...(lines.get(name) ?? [name]), COLUMNS['per s'](group)])
  }
  return markdown(['per s', ...columns.map(String)], [...lines.values()])
}

/** A line per route and facilitator: its best row, compared with the best row of the official one. */
function bestOf(rows: Row[]): string[] {
  const bests = new Map<string, Row>()
  for (const row of rows) {
    const key = `${row.facilitator} ${row.route}`
    const best = bests.get(key)
    if (!best || best.perSecond < row.perSecond) bests.set(key, row)
  }
  return [...bests.values()].flatMap(({ facilitator, route, perSecond, cpuEach }) => {
    const base = bests.get(`${BASE} ${route}`)
    if (!base || facilitator === BASE) return []
    const [times, share] = [fixed(perSecond / base.perSecond), fixed(cpuEach / base.cpuEach)]
    return [`- ${route} at its best: ${facilitator} has ${times} times the official payments per second, at ${share} of the CPU.`]
  })
}

/** The median of the ratios within a round. */
function medianRatio(rows: Row[], base: Row[], of: (row: Row) => number): number | undefined {
  return median(
    rows.flatMap((row) => {
      const other = base.find(({ round }) => round === row.round)
      return other && of(other) > 0 ? [of(row) / of(other)] : []
    }),
  )
}

const medianOf = (rows: Row[], of: (row: Row) => number | undefined) => median(rows.flatMap((row) => of(row) ?? []))
const sum = (rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
const whole = (value: number | undefined) => (value === undefined ? undefined : Math.round(value))
const fixed = (value: number | undefined) => value?.toFixed(2)

/** Two decimals below 1, one below 100, none above. */
function figure(value: number | undefined): string | undefined {
  if (value === undefined) return undefined
  if (value === 0) return '0'
  return value.toFixed(value < 1 ? 2 : value < 100 ? 1 : 0)
}
