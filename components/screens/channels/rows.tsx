import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { amounts, type Channel, ChannelState, nameOf, requestsText, tokenOf } from '../../client/channels/state'
import { ColumnTime, Time } from '../../client/time'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { Aligned, amountText, moneyText, placesOf } from '../../ui/figures'
import { openingLink } from '../../ui/opening-row'
import { shortened } from '../../ui/shortened'
import { type Column, OPENS } from '../../ui/table'

// Heads and activities take two lines in narrower windows.
const FIGURE = { headClass: 'text-right xl:whitespace-nowrap', cellClass: 'text-right tabular-nums whitespace-nowrap' }

/** Whether all that was charged is claimed. */
const isClaimed = ({ claimed, atRisk }: Channel): boolean => atRisk === '0' && claimed !== '0'

/** In narrower windows the details have it. */
const ROOMY = 'max-2xl:hidden'
const USUAL = 'max-xl:hidden'

/** Whether rows name their networks: one network only is named above the list. */
export const hasNetworks = (rows: readonly Channel[] = []): boolean => new Set(rows.map(({ network }) => network)).size > 1

/** The requests of each channel whose count is complete; no column without any. */
const requestsOf = (rows: readonly Channel[], className?: string): Column<Channel>[] =>
  rows.every(({ requests }) => requests === null)
    ? []
    : [
        {
          title: 'Requests',
          cell: ({ requests }) =>
            requests === null ? <span className="text-soft">–</span> : BigInt(requests).toLocaleString('en'),
          headClass: cx(FIGURE.headClass, className),
          cellClass: cx(FIGURE.cellClass, className),
        },
      ]

/** The room that an only channel most often takes. */
export const ALONE_HEIGHT = 'h-149 sm:h-129 xl:h-80'

/** The page with a channel open. */
export const addressOf = (row: Channel) => `/dashboard/channels?channel=${nameOf(row)}`

/** The columns of a list; fewer of channels that all ended. */
export const columnsOf = (
  open: (row: Channel) => void,
  zone: string,
  rows: readonly Channel[] = [],
): readonly Column<Channel>[] => {
  const token = tokenOf(rows)
  const unit = token === null ? '' : ` (${token})`
  const deposited = amounts(rows, token, ({ balance }) => balance)
  const charged = amounts(rows, token, (row) => row.charged)
  const atRisk = amounts(rows, token, (row) => row.atRisk)
  const state: Column<Channel> = {
    title: 'State',
    cell: (row) => (
      <a {...openingLink(() => open(row), addressOf(row))} data-opens={nameOf(row)} className="no-underline">
        <ChannelState state={row.state} />
      </a>
    ),
  }
  const payer: Column<Channel> = { title: 'Payer', cell: (row) => <Copyable text={row.payer} label="payer" /> }
  const network = (className: string): Column<Channel>[] =>
    hasNetworks(rows)
      ? [
          {
            title: 'Network',
            cell: (row) => networkTitle(row.network),
            headClass: className,
            cellClass: cx('whitespace-nowrap', className),
          },
        ]
      : []
  // Of channels that ended all amounts are the same.
  if (rows.length > 0 && rows.every((row) => row.state === 'closed' && isClaimed(row))) {
    return [
      payer,
      state,
      {
        title: 'Key',
        cell: (row) => row.keyName || 'Unnamed key',
        hint: (row) => row.keyName,
        headClass: USUAL,
        cellClass: cx('max-w-60 truncate', USUAL),
      },
      ...network(USUAL),
      ...requestsOf(rows),
      {
        title: `Claimed${unit}`,
        cell: charged,
        headClass: 'text-right whitespace-nowrap',
        cellClass: `${FIGURE.cellClass} font-medium`,
      },
      {
        title: 'Last used',
        head: `Last used (${zone})`,
        cell: ({ usedAt }) => (usedAt ? <ColumnTime at={usedAt} brief /> : <span className="text-soft">–</span>),
        headClass: 'text-right whitespace-nowrap',
        cellClass: 'text-right whitespace-nowrap tabular-nums',
      },
      OPENS,
    ]
  }
  // The first amount has the unit of all.
  return [
    payer,
    state,
    ...network(ROOMY),
    {
      title: `Deposited${unit}`,
      cell: (row) => <Deposit row={row}>{deposited(row)}</Deposit>,
      ...FIGURE,
    },
    ...requestsOf(rows, USUAL),
    {
      title: 'Charged',
      cell: charged,
      headClass: `${FIGURE.headClass} ${USUAL}`,
      cellClass: `${FIGURE.cellClass} ${USUAL}`,
    },
    {
      title: 'Not yet claimed',
      cell: (row) => (isClaimed(row) ? <span className="text-soft">–</span> : <AtRisk row={row}>{atRisk(row)}</AtRisk>),
      ...FIGURE,
    },
    { title: 'Activity', cell: (row) => <Next row={row} />, cellClass: 'py-2 xl:whitespace-nowrap' },
    OPENS,
  ]
}

function Deposit({ row: { state, balance, claimed, charged }, children }: { row: Channel; children: ReactNode }) {
  // Nothing is left to claim in a closed one.
  if (state === 'closed') return children
  return (
    // The bar takes no room: the amount stays on the line of its row.
    <span className="relative inline-block w-24 xl:w-32">
      {children}
      <span className="absolute inset-x-0 top-full">
        <DepositBar balance={balance} claimed={claimed} charged={charged} className="h-1" />
      </span>
    </span>
  )
}

function AtRisk({ row, children }: { row: Channel; children: ReactNode }) {
  const loud = row.atRisk !== '0' && row.state === 'withdrawing'
  return <span className={loud ? 'font-medium text-warn' : undefined}>{children}</span>
}

/** What happens next to a channel. `beside`: its state stands on the same line. */
function Next({ row, beside = false }: { row: Channel; beside?: boolean }) {
  if (row.withdrawBy) {
    return (
      <span className="text-warn">
        {beside ? 'from' : 'Withdrawal from'} <Time at={row.withdrawBy} />
      </span>
    )
  }
  if (row.unclaimable) return <span className="text-bad">Cannot be claimed: {row.unclaimable}</span>
  if (row.claimBy) {
    return (
      <span>
        Claim by <Time at={row.claimBy} />
      </span>
    )
  }
  if (row.atRisk !== '0') return <span className="text-soft">Your server claims</span>
  return row.usedAt ? (
    <span className="text-soft">
      Used <Time at={row.usedAt} dated />
    </span>
  ) : (
    <span className="text-soft">–</span>
  )
}

/** A channel on a narrow screen: all of it opens the details. */
export function Card({ row, rows, open }: { row: Channel; rows: readonly Channel[] | undefined; open: () => void }) {
  const { asset, balance, charged, claimed, atRisk, requests, usedAt } = row
  const amounts = (rows ?? []).map((one) => ({ atomic: one.charged, decimals: one.asset.decimals }))
  const isWhole = isClaimed(row) && balance === charged
  // Its state says the rest: two lines have all of it.
  const isOver = row.state === 'closed' && isWhole
  const counted = requests === null ? null : requestsText(requests)
  return (
    <a
      {...openingLink(open, addressOf(row))}
      data-opens={nameOf(row)}
      className="flex items-center px-4 py-3 text-sm text-ink no-underline active:bg-code"
    >
      <span className="grid min-w-0 flex-1 gap-1">
        <span className="flex items-center justify-between gap-3">
          <span className="truncate text-soft">
            <span className="font-mono text-ink">{shortened(row.payer)}</span>{' '}
            {hasNetworks(rows) ? networkTitle(row.network) : null}
          </span>
          <span className="shrink-0 text-right tabular-nums">
            <Aligned
              atomic={charged}
              decimals={asset.decimals}
              places={isWhole ? placesOf(amounts) : 0}
              className="font-semibold"
            />
            <span className="text-soft"> {isWhole ? asset.symbol : `of ${moneyText(balance, asset)}`}</span>
          </span>
        </span>
        {isOver ? null : (
          <>
            <span className="text-soft tabular-nums empty:hidden">
              {atRisk === '0' ? counted : <AtRisk row={row}>{amountText(atRisk, asset.decimals)} not yet claimed</AtRisk>}
            </span>
            {row.state === 'closed' ? null : (
              <DepositBar balance={balance} claimed={claimed} charged={charged} className="my-0.5 h-1" />
            )}
          </>
        )}
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-soft">
          <span className="flex items-center gap-2">
            <ChannelState state={row.state} />
            {isOver ? counted : null}
          </span>
          {/* At the right edge, also where it has a line of its own. */}
          <span className="ml-auto">{isOver && usedAt ? <Time at={usedAt} dated /> : <Next row={row} beside />}</span>
        </span>
      </span>
      <ChevronRight aria-hidden className="-mr-1 ml-2.5 size-4 shrink-0 text-soft" />
    </a>
  )
}
