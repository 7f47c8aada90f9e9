import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useEffect, useEffectEvent } from 'react'
import type { Root } from '@/server/trpc/router'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { useTRPC } from '../../client/trpc'
import type { ChangeFilter } from '../../client/use-filters'
import { cx } from '../../ui/class-names'
import { partText, shareText, volumesText } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { Segments } from '../../ui/segments'
import { summaryQuery } from './queries'

/** The counts and sums of a list. */
export type Summary = inferRouterOutputs<Root>['settlements']['summary']

/** The summary of a list, read again when settlements arrive. Undefined until it is known. */
export function useSummary(reader: ReaderName, filter: Filter, { enabled, arrived }: { enabled: boolean; arrived: number }) {
  const trpc = useTRPC()
  const { data, refetch } = useQuery({ ...summaryQuery(trpc, reader, filter), enabled })
  const again = useEffectEvent(() => void refetch())
  useEffect(() => {
    if (arrived > 0) again()
  }, [arrived])
  return data
}

const OUTCOMES = { '': 'All', success: 'Settled', failed: 'Failed' } as const

type OutcomesProps = {
  filter: Filter
  summary: Summary | undefined
  /** Whether the list could not be read. */
  failed: boolean
  change: ChangeFilter
}

/** The outcomes of a list as tabs, with their counts. Only failures have reasons, so another outcome clears them. */
export function Outcomes({ filter: { status, reason }, summary, failed, change }: OutcomesProps) {
  const counts = summary && {
    '': summary.settled + summary.failed,
    success: summary.settled,
    failed: reason ? summary.own.count : summary.failed,
  }
  const options = (['', 'success', 'failed'] as const).map((name) => {
    const text = (
      <>
        {OUTCOMES[name]} {/* Its room is kept while the counts are read, not where they cannot be. */}
        <span className={cx('inline-block font-normal tabular-nums', !failed && !counts && 'min-w-[2ch]')}>
          {counts ? `${counts[name].toLocaleString('en')}${summary?.more ? '+' : ''}` : ''}
        </span>
      </>
    )
    return [name, text] as const
  })
  return (
    <Segments
      label="Outcome"
      value={reason ? 'failed' : (status ?? '')}
      options={options}
      onChange={(name) => change({ status: name === '' ? null : name, ...(name === 'failed' ? {} : { reason: null }) })}
      className="max-md:flex"
    />
  )
}

type Said = {
  /** What the list has: "settlements". */
  what: string
  /** Whether there is little room. The tabs above have the count. */
  short: boolean
  /** Whether it says how well payments settled. */
  judges: boolean
}

/**
 * What the amounts of a list's file come to: the sum of its `amount` column, to check a file against. Null where the list is longer than a
 * file, or than what was counted.
 */
export function fileTotalText(
  summary: Summary,
  { status, reason }: Pick<Filter, 'status' | 'reason'>,
  max: number,
): string | null {
  if (summary.more || summary.settled + summary.failed > max) return null
  if (reason || status === 'failed' || summary.settled === 0) return 'Total: nothing was settled.'
  return `Total: ${volumesText(summary.volumes)} from ${countedText(summary.settled, 'settlement')}.`
}

/** Which rows of a list a page has: "1–50 of 5,621". A cursor does not say how many are before a later page. */
export function rangeText(rows: number, { own }: Pick<Summary, 'own'>, isFirst: boolean): string {
  const of = `of ${own.count.toLocaleString('en')}${own.more ? '+' : ''}`
  return `${isFirst && rows > 1 ? '1–' : ''}${rows.toLocaleString('en')} ${of}`
}

/** A list in one line: how many, how much of each token, and how well they settled. */
export function summaryText(
  summary: Summary,
  { status, reason }: Pick<Filter, 'status' | 'reason'>,
  { what, short, judges }: Said,
): string {
  const { own, settled, failed, valid, counted } = summary
  const all = settled + failed
  // The tab of failures counts these too, and the rate does not.
  const byPayers = all - valid
  const count = `${own.count.toLocaleString('en')}${own.more ? '+' : ''}`
  const noun = (text: string) => (own.count === 1 && !own.more ? text.slice(0, -1) : text)
  const money = volumesText(summary.volumes)
  // No tabs with counts stand above a payer's few payments, and no rate says what its sum is of.
  const sum = money ? [judges ? money : `${money} spent`] : []
  // Where there are more, the rest is of those that were counted.
  const of = summary.more ? [`of the newest ${counted.toLocaleString('en')}:`] : []
  const part = (texts: string[]) => (texts.length === 0 ? [] : [[...of, texts.join(' · ')].join(' ')])
  if (reason || status === 'failed') {
    const isOfAll = !summary.more && !own.more && failed > 0
    // A merchant asks first whether it must mend something.
    const whose = byPayers === failed ? 'all caused by payers' : `${byPayers.toLocaleString('en')} caused by payers`
    const saysWhose = !reason && judges && isOfAll
    const share = isOfAll && !(short && saysWhose) ? ` (${partText(own.count / all)} of attempts)` : ''
    return [`${count} failed${share}`, ...(saysWhose ? [whose] : [])].join(' · ')
  }
  if (status === 'success') return [`${count} ${noun(what)}`, ...part(sum)].join(' · ')
  return [
    // A payer calls its attempts payments.
    ...(short && judges ? [] : [`${count} ${noun(judges ? 'attempts' : what)}`]),
    ...part([
      ...sum,
      ...(valid === 0 || !judges || short ? [] : [`${shareText(settled / valid)} of valid payments settled`]),
      ...(failed === 0 || !judges
        ? []
        : [`${failed.toLocaleString('en')} failed${byPayers === failed ? ', all by payers' : ''}`]),
    ]),
  ].join(' · ')
}
