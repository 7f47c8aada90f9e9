'use client'

import { type ReactNode, useEffect, useId } from 'react'
import { cx } from '../class-names'
import { later } from '../later'
import { Skeleton } from '../panel'
import { type ChartProps, isPast, type Point, type Series, Swatch } from './series'

// The library is large: it loads after the page.
const load = () => import('./plot').then((loaded) => loaded.Plot)
const Plot = later(load, <Skeleton className="h-full" />)

type FrameProps = Omit<ChartProps, 'points'> & {
  /** Undefined while they load. */
  points: readonly Point[] | undefined
  /** Switches between the legend and the plot. */
  controls?: ReactNode
  /** Left of the legend. */
  title?: ReactNode
  /** The height of the plot. */
  plot?: string
  className?: string
}

/** A chart with its legend, and the same figures as a table for screen readers. Its size does not depend on its data. */
export function Chart({ what, series, points, controls, title, plot = 'h-64', className, ...rest }: FrameProps) {
  const id = useId()
  // With the data, not after it. A failure shows when the chart is drawn.
  useEffect(() => void load().catch(() => {}), [])
  return (
    <figure className={cx('grid gap-3', className)}>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {title}
        <Legend series={series} />
        {controls ? <div className="flex flex-wrap items-center gap-2">{controls}</div> : null}
      </div>
      <div className={plot}>
        {points ? <Plot what={what} series={series} points={points} {...rest} /> : <Skeleton className="h-full" />}
      </div>
      {points ? (
        <div className="sr-only">
          <table aria-labelledby={id}>
            <caption id={id}>{what}</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ key, title, shown }) => (
                <tr key={key}>
                  <th scope="row">{title}</th>
                  {series.map((one) => (
                    <td key={one.key}>{shown[one.key]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </figure>
  )
}

// The past is named by its own switch.
function Legend({ series }: { series: readonly Series[] }) {
  const named = series.filter((one) => !isPast(one))
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
      {named.map(({ key, name, color, form }) => (
        <li key={key} className="flex items-center gap-1.5">
          <Swatch color={color} form={form} />
          {name}
        </li>
      ))}
    </ul>
  )
}
