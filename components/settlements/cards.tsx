import type { Shown } from '@/server/history/present'
import { usdc } from '../ui/figures'
import { openingLink } from '../ui/opening-row'
import { Skeleton } from '../ui/panel'
import { ResourceName } from '../ui/resource-name'
import { ColumnTime } from '../ui/time'
import { Outcome } from './cells'
import { titleOf } from './explorer'

type Props = { row: Shown; arriving: boolean; onOpen: (id: string) => void; hrefOf: (id: string) => string }

/** A settlement on a narrow screen: all of it opens the details. */
export function Card({ row, arriving, onOpen, hrefOf }: Props) {
  return (
    <li className={`border-0 border-b border-solid border-line last:border-b-0 ${arriving ? 'arriving' : ''}`}>
      <a
        {...openingLink(() => onOpen(row.id), hrefOf(row.id))}
        data-opens={row.id}
        className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-4 py-3 text-left text-ink no-underline active:bg-code"
      >
        {row.resource ? (
          <ResourceName url={row.resource} name={row.resourceName} className="font-medium" />
        ) : (
          <span className="truncate font-medium">{titleOf(row.network)}</span>
        )}
        <span className="text-right font-medium tabular-nums">
          {usdc(row.amount)} <span className="text-[0.8125rem] font-normal text-soft">USDC</span>
        </span>
        <span className="flex min-w-0 items-center gap-2 text-[0.8125rem] text-soft">
          <Outcome row={row} />
          <span className="truncate">{row.reasonTitle ?? titleOf(row.network)}</span>
        </span>
        <span className="text-right text-[0.8125rem] text-soft">
          <ColumnTime at={row.createdAt} />
        </span>
      </a>
    </li>
  )
}

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Cards while the list loads. */
export function LoadingCards() {
  return LINES.map((line) => (
    <li key={line} className="h-[4.25rem] border-0 border-b border-solid border-line px-4 py-5">
      <Skeleton />
    </li>
  ))
}
