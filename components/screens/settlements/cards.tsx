import { ChevronRight } from 'lucide-react'
import type { Shown } from '@/server/history/present'
import { networkTitle } from '@/server/x402/networks/networks'
import { ColumnTime } from '../../client/time'
import { cx } from '../../ui/class-names'
import { Aligned } from '../../ui/figures'
import { openingLink } from '../../ui/opening-row'
import { partsOf } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'
import { limitText, Outcome } from './cells'

type Props = {
  row: Shown
  /** How many decimals the amounts of the list show. */
  places: number
  /** Whether it says its outcome: a list of failures does so once. */
  withOutcome?: boolean
  open: () => void
  href: string
  near?: () => void
}

/** Fixed, like the least width of the date: the browser may draw a card of which it has only a part, and then nothing moves. */
export const CARD_HEIGHT = 'h-[5.5625rem]'

/** A settlement on a narrow screen: all of it opens the details. */
export function Card({ row, places, withOutcome = true, open, href, near }: Props) {
  const names = namesOf(row)
  // Of failures alone, one asks first why.
  const reason = withOutcome ? null : row.reasonTitle
  const [first, second, ...third] =
    reason === null ? [names.title, names.host, ...notesOf(row)] : [reason, names.title, names.host, ...notesOf(row).slice(1)]
  // It stands below its amount, and the time below it.
  const limit = row.maximum === null || row.reasonTitle !== null ? null : limitText(row.maximum, row.decimals)
  return (
    <a
      {...openingLink(open, href, near)}
      data-opens={row.id}
      className="grid h-full w-full grid-cols-[minmax(0,1fr)_minmax(7.625rem,auto)_auto] grid-rows-[auto_auto_1fr] gap-y-0.5 px-4 py-2.5 text-left text-ink no-underline active:bg-code"
    >
      <span title={reason ?? row.resource} className="truncate font-medium">
        {first}
      </span>
      <span className={cx('pl-2.5 text-right tabular-nums', row.success ? 'font-medium' : 'text-soft')}>
        <Aligned atomic={row.amount} decimals={row.decimals} places={places} />{' '}
        <span className="text-sm font-normal text-soft">{row.asset}</span>
      </span>
      <ChevronRight aria-hidden className="row-span-3 -mr-1 ml-2.5 size-4 self-center text-soft" />
      {/* It starts the second line even where an example hides the chevron. */}
      <span className="col-start-1 truncate text-sm text-soft">{second}</span>
      <span className="pl-2.5 text-right text-sm text-soft">{limit ?? <ColumnTime at={row.createdAt} />}</span>
      <span className="col-span-2 mt-0.5 flex min-w-0 items-center gap-2 text-sm text-soft">
        {withOutcome ? <Outcome row={row} /> : null}
        <span className="min-w-0 truncate">{third.filter(Boolean).join(' · ')}</span>
        {limit === null ? null : (
          <span className="ml-auto shrink-0">
            <ColumnTime at={row.createdAt} />
          </span>
        )}
      </span>
    </a>
  )
}

// The path says most, so it comes first.
function namesOf({ resource, resourceName, payToName }: Shown): { title: string; host: string } {
  if (resourceName) return { title: resourceName, host: payToName ?? '' }
  const { host, path } = partsOf(resource)
  return path === '/' ? { title: host, host: '' } : { title: path || 'Unnamed resource', host }
}

// What says most comes first: the end may be cut. Only administrators see owners.
function notesOf(row: Shown): string[] {
  const { owner, reasonTitle, network } = row
  const who = owner ? [owner.kind === 'system' ? 'Operator' : shortened(owner.id)] : []
  return [...(reasonTitle === null ? [] : [reasonTitle]), ...who, networkTitle(network)]
}
