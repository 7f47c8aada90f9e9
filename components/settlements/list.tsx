'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Shown } from '@/server/history/rows'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { usdc } from '../ui/figures'
import { Skeleton } from '../ui/panel'
import { TableHead } from '../ui/table-head'
import { Time } from '../ui/time'
import { titleOf, withoutScheme } from './explorer'
import { Linked } from './linked'
import { useStepThrough } from './step-through'

type Props = {
  rows: Shown[] | undefined
  fresh: ReadonlySet<string>
  onOpen: (id: string) => void
  names?: ReadonlyMap<string, string>
  /** The column of the other party; a payer sees the recipient. */
  party?: 'payer' | 'payTo'
}

/** Settlements, newest first: a table on wide screens, cards on narrow ones. */
export function SettlementList({ rows, fresh, onOpen, names, party = 'payer' }: Props) {
  const list = useStepThrough()
  return (
    <div ref={list} className="overflow-x-auto rounded-xl border border-solid border-line bg-card">
      <table className="max-md:hidden">
        <TableHead
          titles={['Time', 'Outcome', 'USDC', 'Network', PARTIES[party], 'Resource', ...(names ? ['Key'] : []), 'Transaction']}
          figures="USDC"
        />
        <tbody>
          {rows ? (
            rows.map((row) => <Row key={row.id} {...{ row, onOpen, names, party }} arriving={fresh.has(row.id)} />)
          ) : (
            <Loading columns={names ? 8 : 7} />
          )}
        </tbody>
      </table>
      <ul className="md:hidden">
        {rows ? rows.map((row) => <Card key={row.id} {...{ row, onOpen }} arriving={fresh.has(row.id)} />) : <LoadingCards />}
      </ul>
    </div>
  )
}

const PARTIES = { payer: 'Payer', payTo: 'Paid to' } as const

type RowProps = {
  row: Shown
  arriving: boolean
  onOpen: (id: string) => void
  names?: ReadonlyMap<string, string> | undefined
  party: keyof typeof PARTIES
}

function Row({ row, arriving, onOpen, names, party }: RowProps) {
  return (
    <tr
      className={`h-12 border-0 border-b border-solid border-line last:border-b-0 hover:bg-code/60 ${arriving ? 'arriving' : ''}`}
    >
      <td className="pl-4">
        <button type="button" data-opens onClick={() => onOpen(row.id)} className="py-2 hover:underline">
          <Time at={row.createdAt} />
        </button>
      </td>
      <td className="px-3">
        <Outcome row={row} />
      </td>
      <td className="px-3 text-right font-medium tabular-nums">{usdc(row.amount)}</td>
      <td className="px-3 whitespace-nowrap">{titleOf(row.network)}</td>
      <td className="px-3">{row[party] ? <Copyable text={row[party]} label={PARTIES[party].toLowerCase()} /> : <None />}</td>
      <td className="max-w-56 truncate px-3" title={row.resource}>
        {row.resource ? withoutScheme(row.resource) : <None />}
      </td>
      {names ? <td className="max-w-32 truncate px-3">{names.get(row.tenantId) ?? row.tenantId.slice(0, 8)}</td> : null}
      <td className="px-3 pr-4">
        {row.txHash ? <Linked network={row.network} transaction={row.txHash} label="transaction" /> : <None />}
      </td>
    </tr>
  )
}

function Card({ row, arriving, onOpen }: Omit<RowProps, 'party'>) {
  return (
    <li className={`border-0 border-b border-solid border-line last:border-b-0 ${arriving ? 'arriving' : ''}`}>
      <button
        type="button"
        data-opens
        onClick={() => onOpen(row.id)}
        className="grid w-full grid-cols-[1fr_auto] gap-x-3 gap-y-1 px-4 py-3 text-left"
      >
        <span className="truncate font-medium">{row.resource ? withoutScheme(row.resource) : titleOf(row.network)}</span>
        <span className="text-right font-medium tabular-nums">{usdc(row.amount)}</span>
        <span className="flex items-center gap-2 text-[0.8125rem] text-soft">
          <Outcome row={row} />
          {titleOf(row.network)}
        </span>
        <span className="text-right text-[0.8125rem] text-soft">
          <Time at={row.createdAt} />
        </span>
      </button>
    </li>
  )
}

/** The outcome of a payment. */
export function Outcome({ row }: { row: Pick<Shown, 'success' | 'errorReason'> }) {
  if (row.success) return <Badge tone="good">Settled</Badge>
  return (
    <span title={row.errorReason ?? ''}>
      <Badge tone="bad">Failed</Badge>
    </span>
  )
}

const None = () => <span className="text-soft">–</span>

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function Loading({ columns }: { columns: number }) {
  return LINES.map((line) => (
    <tr key={line} className="h-12 border-0 border-b border-solid border-line">
      <td colSpan={columns} className="px-4">
        <Skeleton />
      </td>
    </tr>
  ))
}

function LoadingCards() {
  return LINES.map((line) => (
    <li key={line} className="h-[4.25rem] border-0 border-b border-solid border-line px-4 py-5">
      <Skeleton />
    </li>
  ))
}

/** Buttons for newer and older rows. */
export function Pager({ newer, older }: { newer: (() => void) | null; older: (() => void) | null }) {
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      <Button size="small" disabled={!newer} onClick={() => newer?.()}>
        <ChevronLeft aria-hidden className="size-4" /> Newer
      </Button>
      <Button size="small" disabled={!older} onClick={() => older?.()}>
        Older <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
