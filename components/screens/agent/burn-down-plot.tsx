import { CartesianGrid, Line, LineChart, ReferenceDot, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { DAY_MS, HOUR_MS } from '@/server/base/durations'
import { counts, lowTicks } from '../../ui/chart/scales'
import { AXIS } from '../../ui/chart/tick'
import { dayText } from '../../ui/dates'
import { axisTicks, type BurnDown, type Left } from './burn-down'

/** Of a text that the lines of the chart do not strike through. */
const ON_LINES = { stroke: 'var(--card)', strokeWidth: 4, paintOrder: 'stroke' } as const
const MARGIN = { top: 20, right: 52, bottom: 0, left: 0 } as const
const CURVE = { stroke: 'var(--accent)', strokeWidth: 2, dot: false, isAnimationActive: false } as const

type Props = Omit<BurnDown, 'days'> & {
  now: number
  /** The end of the axis. */
  until: number
}

/** The curve of credits with its purchases, and its dashed rest to come. */
export function BurnDownPlot({ line, purchases, end, now, until }: Props) {
  const left = line.at(-1)?.left ?? 0
  const begin = line[0]?.at ?? now - DAY_MS
  const last = Math.max(until, now, begin + HOUR_MS)
  const ahead = end === null ? null : { at: until, left: left * (1 - (until - now) / Math.max(1, end - now)) }
  const data = [
    ...line.map(({ at, left }) => ({ at, left })),
    ...(ahead
      ? [
          { at: now, ahead: left },
          { at: ahead.at, ahead: ahead.left },
        ]
      : []),
  ]
  const ticks = lowTicks(Math.max(1, ...line.map((point) => point.left)))
  const top = ticks.at(-1) ?? 1
  return (
    <LineChart
      responsive
      style={{ width: '100%', height: '100%' }}
      data={data}
      margin={MARGIN}
      aria-label="Credits left by time, with purchases and the end at the current pace"
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="at"
        type="number"
        domain={[begin, last]}
        ticks={axisTicks({ from: begin, to: last, now })}
        tickFormatter={(at) => (at === now ? 'Today' : dayOf(at))}
        interval={0}
        tick={AXIS}
        tickLine={false}
        axisLine={{ stroke: 'var(--line)' }}
      />
      <YAxis
        width="auto"
        ticks={ticks}
        interval={0}
        domain={[0, top]}
        tickFormatter={counts.format}
        tick={AXIS}
        tickLine={false}
        axisLine={false}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--line)' }}
        content={({ active, payload, label }) =>
          active ? <Shown at={Number(label)} left={Number(payload[0]?.value ?? 0)} isAhead={Number(label) > now} /> : null
        }
      />
      <ReferenceLine x={now} stroke="var(--line)" />
      <Line dataKey="left" {...CURVE} />
      <Line dataKey="ahead" {...CURVE} strokeDasharray="4 3" />
      {purchases.map(({ at, left, credits }) => (
        <ReferenceDot
          key={`${at} ${credits}`}
          x={at}
          y={left}
          r={4}
          fill="var(--accent)"
          stroke="var(--card)"
          label={{
            value: `${credits > 0 ? '+' : '−'}${Math.abs(credits).toLocaleString('en')}`,
            // Beside the dot: above it, the highest line strikes it through. At the left edge are the figures of the axis.
            position: at - begin > (last - begin) / 6 ? 'left' : 'top',
            ...AXIS,
            ...ON_LINES,
          }}
        />
      ))}
      {end !== null && end <= until ? (
        <ReferenceDot
          x={end}
          y={0}
          r={4}
          fill="var(--bad)"
          stroke="var(--card)"
          label={{ value: dayOf(end), position: 'right', ...AXIS, fill: 'var(--bad)' }}
        />
      ) : null}
    </LineChart>
  )
}

const dayOf = (at: number): string => dayText(new Date(at).toISOString().slice(0, 10))

function Shown({ at, left, isAhead }: Left & { isAhead: boolean }) {
  return (
    <div role="status" className="rounded-lg border bg-card px-3 py-2 text-sm shadow-lg">
      <p className="font-medium">{dayOf(at)}</p>
      <p className="tabular-nums">
        {Math.round(left).toLocaleString('en')} <span className="text-soft">{isAhead ? 'left at the current pace' : 'left'}</span>
      </p>
    </div>
  )
}
