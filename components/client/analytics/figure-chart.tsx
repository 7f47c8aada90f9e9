'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { parseAsBoolean, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/button'
import { Chart } from '../../ui/chart/chart'
import { Swatch } from '../../ui/chart/series'
import { cx } from '../../ui/class-names'
import { dayText } from '../../ui/dates'
import { ChangedNote, headlineText, shareText } from '../../ui/figures'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { Segments } from '../../ui/segments'
import { changesOf, comparisonOf } from './changes'
import {
  CARD_TITLES,
  type DailyPayers,
  drawnFigure,
  type FigureName,
  type Figures,
  figureNames,
  type Newest,
  pastOf,
  rateOf,
  stackNames,
  timeText,
} from './figure'
import { FIGURE_CELLS, figureCell, figureValue } from './figure-cells'
import { type Listing, periodFilter, settlementsUrl, tokenFilter } from './links'
import type { SelectedPeriod } from './use-period'

// Only periods with few payments have them.
const FewPayments = later(() => import('./few-payments').then((loaded) => loaded.FewPayments), <Skeleton className="h-[16rem]" />)

const parsers = {
  figure: parseAsStringLiteral(figureNames),
  stack: parseAsStringLiteral(stackNames).withDefault('outcome'),
  past: parseAsBoolean.withDefault(true),
}

const STACKS = {
  settlements: [
    ['outcome', 'Outcome'],
    ['network', 'Network'],
  ],
  // Only successes have a volume.
  volume: [
    ['outcome', 'Total'],
    ['network', 'Network'],
  ],
} as const

/** From so many settlements on, one in twenty is a payment and no accident. */
const P95_FROM = 20

/** The figure that was chosen for the chart, kept in the URL. */
export function useFigure() {
  const [drawing, setDrawing] = useQueryStates(parsers)
  return { ...drawing, change: setDrawing }
}

type Payers = { payers: number; before: number; without: string | null }

type Props = {
  period: SelectedPeriod
  drawing: ReturnType<typeof useFigure>
  data: Figures | undefined
  payers: Payers | undefined
  dailyPayers: DailyPayers | undefined
  /** The payments of a period with few of them. */
  newest: readonly Newest[] | undefined
  listing: Listing
}

/** The figures of a period, and a chart of the chosen one. Few payments stand for themselves until a figure is chosen. */
export function FigureChart({ period, drawing, data, payers, dailyPayers, newest, listing }: Props) {
  const router = useRouter()
  const { stack, past, change } = drawing
  const singly = drawing.figure === null && data?.few === true
  const figure = drawing.figure ?? 'volume'
  const days = figure === 'payers' ? dailyPayers?.days : data?.days
  const lastDay = data?.days.at(-1)
  const withToday = !lastDay || !data || lastDay.until > data.at
  const stacks = figure === 'settlements' || figure === 'volume' ? STACKS[figure] : null
  const comparison = comparisonOf(data)
  const hasPast = comparison === 'full'
  const drawn = drawnFigure({ figure, stack, past: past && hasPast }, data, dailyPayers)
  function open(at: number) {
    const day = days?.[at]
    if (day) router.push(settlementsUrl(listing, period, { from: day.from, to: day.until, ...tokenFilter(data) }))
  }
  function select(from: number, to: number) {
    const [first, last] = [days?.[from], days?.[to]]
    if (first && last) period.setCustom({ from: first.day, to: last.day })
  }
  return (
    <Panel className="overflow-hidden">
      <Cards figure={singly ? null : figure} data={data} payers={payers} onChoose={(to) => void change({ figure: to })} />
      {singly ? (
        <div className="p-4">
          <div className="mb-3 flex min-h-9 items-center justify-between gap-4">
            <h2 className="font-semibold">Payments</h2>
            <span className="flex gap-2">
              {newest ? (
                <Link
                  href={settlementsUrl(listing, period, { ...periodFilter(data), ...tokenFilter(data) })}
                  className={buttonClass({ size: 'small' })}
                >
                  View all {newest.length}
                </Link>
              ) : null}
              <Button size="small" onClick={() => void change({ figure: 'volume' })}>
                Show chart
              </Button>
            </span>
          </div>
          <FewPayments
            payments={newest}
            count={data.total.settled + data.total.failed}
            hrefOf={(id) => settlementsUrl(listing, period, { id })}
          />
        </div>
      ) : (
        <div className="p-4">
          <Chart
            {...drawn}
            onOpen={open}
            onSelect={select}
            controls={
              <>
                {stacks ? (
                  <Segments label="Stack by" value={stack} options={stacks} onChange={(to) => void change({ stack: to })} />
                ) : null}
                {/* All of these take as much room, so that nothing wraps on a phone when the figures come. */}
                {hasPast ? (
                  <label className="flex min-w-45 items-center gap-2 text-sm text-soft sm:justify-end">
                    <input type="checkbox" checked={past} onChange={({ target }) => void change({ past: target.checked })} />
                    <Swatch {...pastOf(figure)} />
                    <span className="whitespace-nowrap max-sm:min-w-34">{data ? `vs ${pastText(data)}` : 'Previous period'}</span>
                  </label>
                ) : (
                  <span className="min-w-45 text-sm text-soft sm:text-right">
                    {comparison === 'little' ? `Too little data in ${pastText(data)} to compare` : 'No earlier data'}
                  </span>
                )}
                {data?.few ? (
                  <Button size="small" onClick={() => void change({ figure: null })}>
                    Show payments
                  </Button>
                ) : null}
              </>
            }
          />
          <p className="mt-3 text-sm text-soft">
            {noteOf(figure, period.zone, data, payers)}
            {stacks && withToday ? ' The striped bar is today, so far.' : null}
          </p>
        </div>
      )}
    </Panel>
  )
}

/** The days that the past is of. */
function pastText(data: Figures | undefined): string {
  const [first, last] = [data?.previous[0], data?.previous.at(-1)]
  if (!first || !last) return 'the previous period'
  return first === last ? dayText(first.day) : `${dayText(first.day)} – ${dayText(last.day)}`
}

function noteOf(figure: FigureName, zone: string, data: Figures | undefined, payers: Payers | undefined): ReactNode {
  if (figure === 'payers') {
    const today = payers?.without ? ' Today has too many settlements to count its payers here.' : ''
    return `A payer counts once a day and once in the period. Days are UTC days.${today}`
  }
  if (figure === 'time') return 'From the claim of a payment to its outcome. Percentiles are within 10%.'
  if (figure === 'rate') return 'The part of valid payments that settled. Payments that payers made fail do not count.'
  if (data?.more) return 'Today has over 50,000 attempts. Its figures are a minimum until the day ends.'
  const days = zone === 'UTC' ? 'UTC days' : `days in ${zone.replaceAll('_', ' ')}`
  return (
    <>
      Days are {days}. <span className="pointer-coarse:hidden">Select a day to see its settlements; drag to zoom.</span>
      <span className="hidden pointer-coarse:inline">Tap a day for its figures, and again for its settlements.</span>
    </>
  )
}

type CardsProps = Pick<Props, 'data' | 'payers'> & { figure: FigureName | null; onChoose: (figure: FigureName) => void }

/** The totals of the period. Each chooses the figure of the chart. */
function Cards({ figure, data, payers, onChoose }: CardsProps) {
  const changes = changesOf(data, payers)
  const total = data?.total
  const rate = total ? rateOf(total) : null
  const over = data?.more ? 'over ' : ''
  // Without a comparison some figures have nothing below them.
  const hasPast = comparisonOf(data) === 'full'
  const values: Record<FigureName, string | undefined> = {
    settlements: total && `${over}${total.settled.toLocaleString('en')}`,
    volume: data && total && `${over}${headlineText(total.volume, data.asset)}`,
    rate: total && (rate === null ? '–' : shareText(rate)),
    payers: payers?.payers.toLocaleString('en'),
    time: total && (total.p50 === null ? '–' : timeText(total.p50)),
  }
  const notes: Partial<Record<FigureName, string | undefined>> = {
    settlements: total && `${total.failed.toLocaleString('en')} failed`,
    time: total && total.p95 !== null && total.settled >= P95_FROM ? `p95 ${timeText(total.p95)}` : undefined,
  }
  return (
    <fieldset aria-label="Figure of the chart" className={FIGURE_CELLS}>
      {figureNames.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === figure}
          onClick={() => onChoose(name)}
          className={cx(
            figureCell(name),
            'border-b-2 text-left',
            name === figure ? 'border-accent bg-wash' : 'border-transparent hover:bg-code',
          )}
        >
          <span className="text-sm text-soft">{CARD_TITLES[name]}</span>
          <span className={figureValue(name)}>
            {values[name] ?? <Skeleton className={name === 'volume' ? 'h-[2.1rem] w-36' : 'h-[1.5625rem] w-20'} />}
          </span>
          {/* Its line is there from the start: what comes late must not make the figure higher. */}
          {hasPast || notes[name] ? <ChangedNote change={changes[name]} note={notes[name]} /> : null}
        </button>
      ))}
    </fieldset>
  )
}
