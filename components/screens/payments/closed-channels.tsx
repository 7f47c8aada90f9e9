import type { ReactNode } from 'react'
import { networkTitle } from '@/server/x402/networks/networks'
import { amounts, ChannelState, nameOf, type PaidChannel, tokenOf } from '../../client/channels/state'
import { ColumnTime, Time, useColumnZone } from '../../client/time'
import { Linked } from '../../ui/explorer-link'
import { type Column, Table } from '../../ui/table'

/** The closed channels of a payer, in columns as its payments. */
export function ClosedChannels({ rows }: { rows: readonly PaidChannel[] }) {
  const spent = amounts(rows, null, ({ claimed }) => claimed)
  const zone = useColumnZone(rows.map(({ createdAt }) => createdAt))
  return (
    <Table
      className="w-full text-left"
      columns={columnsOf(rows, zone)}
      rows={rows}
      keyOf={nameOf}
      card={(row) => <Card row={row}>{spent(row)}</Card>}
      rowClass="h-11"
    />
  )
}

/** Columns in the order of those of payments, and about as wide. */
function columnsOf(rows: readonly PaidChannel[], zone: string): readonly Column<PaidChannel>[] {
  const token = tokenOf(rows)
  return [
    { title: 'Opened', head: `Opened (${zone})`, cell: ({ createdAt }) => <ColumnTime at={createdAt} />, headClass: 'xl:w-45' },
    { title: 'State', cell: ({ state }) => <ChannelState state={state} />, headClass: 'xl:w-26' },
    {
      title: `Spent${token === null ? '' : ` (${token})`}`,
      cell: amounts(rows, token, ({ claimed }) => claimed),
      headClass: 'text-right whitespace-nowrap xl:w-30 xl:pr-7',
      cellClass: 'text-right font-medium whitespace-nowrap tabular-nums xl:pr-7',
    },
    { title: 'Network', cell: ({ network }) => networkTitle(network), headClass: 'xl:w-34', cellClass: 'whitespace-nowrap' },
    { title: 'Recipient', cell: (row) => <Linked network={row.network} address={row.receiver} label="recipient" /> },
  ]
}

/** A closed channel on a narrow screen. */
function Card({ row, children }: { row: PaidChannel; children: ReactNode }) {
  return (
    <div className="grid gap-1 px-4 py-2.5 text-sm text-soft">
      <p className="flex justify-between gap-3">
        <Linked network={row.network} address={row.receiver} label="recipient" />
        <span className="text-md font-medium text-ink tabular-nums">{children}</span>
      </p>
      <p className="flex items-center gap-2 *:last:ml-auto">
        <ChannelState state={row.state} /> {networkTitle(row.network)} <Time at={row.createdAt} dated />
      </p>
    </div>
  )
}
