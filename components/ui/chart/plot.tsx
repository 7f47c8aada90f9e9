'use client'

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  Line,
  type MouseHandlerDataParam,
  ReferenceArea,
  Tooltip,
  useActiveTooltipLabel,
  XAxis,
  YAxis,
} from 'recharts'
import { cx } from '../class-names'
import { Hatch } from './hatch'
import { roundTicks } from './scales'
import { type ChartProps, isPast, PALE, type Point, type Series, Swatch } from './series'
import { AXIS, Tick } from './tick'

const BAR_MAX = 44
// Half of a label fits above the highest tick, and half of a dot beyond the last point, in the padding of the card.
const MARGIN = { top: 10, right: 20, bottom: 0, left: 0 } as const
/** Bars of two axes lie over each other: those of the past behind, and wider by this part of their width on either side. */
const PAST_AXIS = 'past'
const WIDER = 0.22

/** The axes, bars and lines of a chart. Arrow keys move the tooltip, Enter opens its point, dragging selects a range. */
export function Plot({ what, series, points, scale, onOpen, onSelect }: ChartProps) {
  const hatch = useId().replace(/[^\w-]/g, '')
  const active = useRef<string | null>(null)
  const pointers = usePointers({ points, onOpen, onSelect })
  const data = points.map(({ key, tick, values }) => ({ key, tick, ...values }))
  const ticks = scale.domain ? undefined : roundTicks(highestOf(series, points), scale.whole, scale.parts)
  function openActive(event: KeyboardEvent) {
    const at = points.findIndex(({ key }) => key === active.current)
    if (event.key !== 'Enter' || at < 0 || !onOpen) return
    event.preventDefault()
    onOpen(at)
  }
  const hasBars = series.some(({ form }) => form === 'bar')
  return (
    <div className={cx('h-full select-none', hasBars ? '-mr-5' : '-mr-4')} {...pointers.watch} onKeyDownCapture={openActive}>
      <ComposedChart
        responsive
        style={{ width: '100%', height: '100%', cursor: onOpen ? 'pointer' : 'default' }}
        data={data}
        margin={MARGIN}
        barCategoryGap="18%"
        aria-label={onOpen ? `${what}. Arrow keys choose a day, Enter opens it.` : what}
        {...pointers.handlers}
      >
        <defs>
          {series.map(({ key, color }, index) => (
            <Hatch key={key} id={`${hatch}-${index}`} color={color} />
          ))}
        </defs>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="key"
          tickFormatter={(key) => points.find((point) => point.key === key)?.tick ?? ''}
          interval="equidistantPreserveEnd"
          minTickGap={28}
          tick={(tick) => <Tick {...tick} points={points} />}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
        />
        <XAxis xAxisId={PAST_AXIS} dataKey="key" hide />
        <YAxis
          width="auto"
          tickFormatter={scale.format}
          tickCount={5}
          interval={0}
          tick={AXIS}
          tickLine={false}
          axisLine={false}
          domain={scale.domain ? [...scale.domain] : [0, ticks?.at(-1) ?? 1]}
          {...(ticks ? { ticks } : {})}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--ink)', fillOpacity: 0.06, stroke: 'var(--line)' }}
          content={({ active: isShown, label }) =>
            isShown ? <Shown series={series} point={points.find(({ key }) => key === label)} /> : null
          }
        />
        {series
          .filter(isPast)
          .map((one) =>
            one.form === 'past-bar' ? (
              <Bar
                key={one.key}
                xAxisId={PAST_AXIS}
                dataKey={one.key}
                maxBarSize={BAR_MAX}
                isAnimationActive={false}
                shape={(bar: BarShapeProps) => <PastColumn {...bar} fill={one.color} />}
              />
            ) : (
              <Line key={one.key} dataKey={one.key} {...lineOf(one)} strokeOpacity={PALE} dot={false} activeDot={false} />
            ),
          )}
        {series.map((one, index) =>
          isPast(one) ? null : one.form === 'bar' ? (
            <Bar
              key={one.key}
              dataKey={one.key}
              stackId="all"
              maxBarSize={BAR_MAX}
              isAnimationActive={false}
              shape={(bar: BarShapeProps) => (
                <Column {...bar} fill={points[bar.index]?.partial ? `url(#${hatch}-${index})` : one.color} />
              )}
            />
          ) : (
            <Line
              key={one.key}
              dataKey={one.key}
              {...lineOf(one)}
              dot={points.length <= 31 ? { r: 2.5 } : false}
              activeDot={{ r: 4 }}
            />
          ),
        )}
        {pointers.selected ? (
          <ReferenceArea x1={pointers.selected.from} x2={pointers.selected.to} fill="var(--accent)" fillOpacity={0.15} />
        ) : null}
        <Active into={active} />
      </ComposedChart>
    </div>
  )
}

/** The highest value that a chart draws: stacked bars count together. */
function highestOf(series: readonly Series[], points: readonly Point[]): number {
  const bars = series.filter(({ form }) => form === 'bar')
  const lines = series.filter(({ form }) => form !== 'bar')
  return Math.max(
    0,
    ...points.flatMap(({ values }) => [
      bars.reduce((sum, { key }) => sum + (values[key] ?? 0), 0),
      ...lines.map(({ key }) => values[key] ?? 0),
    ]),
  )
}

function Column({ x, y, width, height, fill }: BarShapeProps) {
  return <rect x={x} y={y} width={width} height={Math.max(0, height ?? 0)} fill={fill} />
}

function PastColumn({ x, y, width, height, fill }: BarShapeProps) {
  const wider = width * WIDER
  return <rect x={x - wider} y={y} width={width + 2 * wider} height={Math.max(0, height ?? 0)} fill={fill} fillOpacity={PALE} />
}

const lineOf = ({ color }: Series) => ({ stroke: color, strokeWidth: 2, isAnimationActive: false }) as const

/** Keeps the point under the tooltip. */
function Active({ into }: { into: { current: string | null } }) {
  const label = useActiveTooltipLabel()
  useEffect(() => {
    into.current = label === undefined ? null : String(label)
  })
  return null
}

function Shown({ series, point }: { series: readonly Series[]; point: Point | undefined }) {
  if (!point) return null
  return (
    <div role="status" className="grid gap-1 rounded-lg border bg-card px-3 py-2 text-sm shadow-lg">
      <p className="font-medium">{point.title}</p>
      {series.map(({ key, name, color, form }) => (
        <p key={key} className="flex items-center gap-1.5 tabular-nums">
          <Swatch color={color} form={form} />
          <span className="text-soft">{name}</span>
          <span className="ml-auto pl-3">{point.shown[key]}</span>
        </p>
      ))}
    </div>
  )
}

type PointerOptions = Pick<ChartProps, 'points' | 'onOpen' | 'onSelect'>

/** A click opens a point and a drag selects several. On touch the first tap shows the tooltip, and the second opens the point. */
function usePointers({ points, onOpen, onSelect }: PointerOptions) {
  const begun = useRef<number | null>(null)
  const tapped = useRef<number | null>(null)
  const isTouch = useRef(false)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const end = () => {
    begun.current = null
    setDrag(null)
  }
  const handlers = {
    onMouseDown(state: MouseHandlerDataParam) {
      begun.current = indexOf(state, points)
    },
    onMouseMove(state: MouseHandlerDataParam) {
      const at = indexOf(state, points)
      if (begun.current === null || at === null || isTouch.current || !onSelect) return
      setDrag(at === begun.current ? null : { from: Math.min(begun.current, at), to: Math.max(begun.current, at) })
    },
    onMouseUp(state: MouseHandlerDataParam) {
      const [from, at] = [begun.current, indexOf(state, points)]
      end()
      if (from === null || at === null) return
      if (from !== at) return isTouch.current ? undefined : onSelect?.(Math.min(from, at), Math.max(from, at))
      const isSecond = tapped.current === at
      tapped.current = at
      if (!isTouch.current || isSecond) onOpen?.(at)
    },
    onMouseLeave: end,
  }
  const watch = {
    onPointerDown: ({ pointerType }: { pointerType: string }) => {
      isTouch.current = pointerType === 'touch'
    },
  }
  const [from, to] = [points[drag?.from ?? -1]?.key, points[drag?.to ?? -1]?.key]
  return { handlers, watch, selected: from && to ? { from, to } : null }
}

function indexOf({ activeTooltipIndex: at }: MouseHandlerDataParam, points: readonly Point[]): number | null {
  const index = at === undefined || at === null ? Number.NaN : Number(at)
  return points[index] ? index : null
}
