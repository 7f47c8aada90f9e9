'use client'

import { ArrowDown, ChevronsUpDown } from 'lucide-react'
import Link from 'next/link'
import { keyNameAmong } from '@/server/accounts/key-name'
import type { TenantOrder } from '@/server/operations/tenant-orders'
import { USDC } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { Day, Time } from '../../client/time'
import { Badge } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { amountText } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { later } from '../../ui/later'
import { shortened } from '../../ui/shortened'
import type { Column } from '../../ui/table'
import { coinAmount, dollarText } from './coin'
import type { Tenant } from './tenant-actions'
import { KINDS, planTitle, Quota } from './tenant-quota'

// Loaded after the page, to keep its first load small.
const Actions = later(
  () => import('./tenant-actions').then((loaded) => loaded.Actions),
  <span className="block size-9 max-sm:size-10" />,
)

type Props = { tenant: Tenant; onOwner: (owner: string) => unknown }

/** What the columns of figures sort by, and how to sort. `priced`: there is a margin too. */
type Columns = {
  onOwner: Props['onOwner']
  order: TenantOrder
  onOrder: (order: TenantOrder) => unknown
  priced: boolean
}

/** The columns of tenants. Their widths are fixed, so that the table fits next to the navigation. */
export function tenantColumns({ onOwner, order, onOrder, priced }: Columns): Column<Tenant>[] {
  const sortable = (name: TenantOrder, text: string, hint: string, period?: string) => ({
    head: (
      <>
        <button
          type="button"
          title={hint}
          onClick={() => onOrder(order === name ? 'newest' : name)}
          className={cx('inline-flex items-center gap-1 align-top hover:text-ink', order === name && 'text-ink')}
        >
          {order === name ? (
            <ArrowDown aria-hidden className="size-3.5" />
          ) : (
            <ChevronsUpDown aria-hidden className="size-3.5 opacity-70" />
          )}
          {text}
        </button>
        <Period text={period} />
      </>
    ),
    sorted: order === name ? ('descending' as const) : ('none' as const),
  })
  return [
    {
      title: 'Tenant',
      head: (
        <>
          <Hint text="The name of its key, and its owner: a merchant's sign-in or a wallet">Tenant</Hint>
          <Period text="Plan and owner" />
        </>
      ),
      cell: (tenant) => (
        <>
          <span className="flex items-center gap-2">
            <NameLink tenant={tenant} />
            {tenant.revokedAt === null ? null : <Badge tone="bad">Revoked</Badge>}
          </span>
          <span className="flex min-w-0 gap-1 text-sm leading-6 text-soft">
            <span className="shrink-0">{planTitle(tenant.plan)} ·</span>
            <Owner tenant={tenant} onOwner={onOwner} />
          </span>
        </>
      ),
      headClass: cx('w-[27%]', priced ? 'xl:w-[27%]' : 'xl:w-[36%]'),
    },
    {
      title: 'Created',
      ...sortable('newest', 'Created', 'The newest first', 'Last used'),
      cell: ({ createdAt, lastUsedAt }) => (
        <>
          <span className="block leading-6">
            <Day at={createdAt} />
          </span>
          <span className="block text-xs leading-6 whitespace-nowrap text-soft xl:text-sm">
            {lastUsedAt ? <Time at={lastUsedAt} brief /> : 'Not used yet'}
          </span>
        </>
      ),
      headClass: 'w-[13%]',
    },
    {
      title: 'Quota',
      head: (
        <>
          <Hint text="Settlements this month, shared by keys of one owner and plan; or credits">Quota or credits</Hint>
          <Period text="Live and Test" />
        </>
      ),
      cell: (tenant) => <Quota tenant={tenant} />,
      headClass: 'w-[18%] xl:w-[15%]',
    },
    {
      title: 'Settled',
      ...sortable('settled', 'Settled', 'Successful settlements in 30 UTC days; of today at most 1,000 are counted', DAYS),
      cell: (tenant) => <Settled tenant={tenant} />,
      headClass: cx(FIGURE, 'w-[11%] xl:w-[9%]'),
      cellClass: FIGURE,
    },
    {
      title: 'Volume',
      ...sortable('volume', 'Volume', 'USDC settled in 30 UTC days; of today the newest 1,000 attempts count', DAYS),
      cell: (tenant) => <Volume tenant={tenant} />,
      headClass: cx(FIGURE, 'w-[11.5%] xl:w-[10%]'),
      cellClass: FIGURE,
    },
    {
      title: 'Gas',
      ...sortable('gas', 'Gas', 'What its transactions cost us in 30 UTC days', DAYS),
      cell: (tenant) => <Gas tenant={tenant} />,
      headClass: cx(FIGURE, 'w-[13%] xl:w-[11%]'),
      cellClass: cx(FIGURE, 'whitespace-nowrap'),
    },
    ...(priced
      ? [
          {
            title: 'Margin',
            head: <Hint text="The price of its plan a month less its gas of 30 days">Margin</Hint>,
            cell: (tenant: Tenant) => <Margin tenant={tenant} />,
            headClass: cx(FIGURE, 'w-[9%] max-xl:hidden'),
            cellClass: cx(FIGURE, 'max-xl:hidden'),
          },
        ]
      : []),
    {
      title: 'Actions',
      head: <span className="sr-only">Actions</span>,
      cell: (tenant) => <Actions tenant={tenant} />,
      cellClass: 'pl-0',
    },
  ]
}

const FIGURE = 'text-right tabular-nums'
const DAYS = '30 days'

/** The period of a column, below its title. */
const Period = ({ text }: { text: string | undefined }) => text && <span className="block text-xs font-normal">{text}</span>

/** A tenant with the actions of an administrator, for narrow screens. */
export function TenantCard({ tenant, onOwner }: Props) {
  return (
    <>
      <div className="flex items-center gap-2">
        <NameLink tenant={tenant} />
        <span className="shrink-0 text-sm text-soft">{planTitle(tenant.plan)}</span>
        <span className="ml-auto flex h-6 items-center">
          {tenant.revokedAt === null ? null : <Badge tone="bad">Revoked</Badge>}
        </span>
        <div className="-my-2 -mr-2">
          <Actions tenant={tenant} />
        </div>
      </div>
      <div className="flex min-w-0 items-center gap-3 text-sm text-soft">
        <Owner tenant={tenant} onOwner={onOwner} />
        <span className="shrink-0 leading-6">
          Created <Day at={tenant.createdAt} />, {tenant.lastUsedAt ? 'used ' : 'not used yet'}
          {tenant.lastUsedAt ? <Time at={tenant.lastUsedAt} brief /> : null}
        </span>
      </div>
      <div className="py-1">
        <Quota tenant={tenant} unit={tenant.quota ? ' this month, Live and Test' : ' credits used'} />
      </div>
      <p className="text-sm leading-6 tabular-nums">
        <CardFigures tenant={tenant} />
      </p>
    </>
  )
}

/** The figures of a card in one line. */
function CardFigures({ tenant }: { tenant: Tenant }) {
  const { historyEnabled, settled, gas } = tenant
  const days = <span className="text-soft"> in 30 days</span>
  if (historyEnabled && settled === 0 && gas.length === 0) return <span className="text-soft">Nothing settled in 30 days</span>
  return (
    <>
      {historyEnabled ? (
        <>
          <Settled tenant={tenant} /> settled · <Volume tenant={tenant} />
        </>
      ) : (
        <span className="text-soft">No history</span>
      )}
      {gas.length > 0 ? (
        <>
          {' · '}
          <Gas tenant={tenant} /> gas
        </>
      ) : null}
      {days}
    </>
  )
}

/** The owner, and where there is room the end of the id: it tells tenants of one name and owner apart. */
function Owner({ tenant: { id, ownerId, ownerKind }, onOwner }: Props) {
  return (
    <span className="flex min-w-0 gap-1 text-sm leading-6 text-soft">
      <span className="sr-only">{KINDS[ownerKind] ?? ownerKind}</span>
      <button
        type="button"
        onClick={() => onOwner(ownerId)}
        title={`All tenants of ${ownerId}`}
        className="block h-6 min-w-0 truncate text-left leading-6 hover:underline"
      >
        {ownerKind === 'wallet' ? shortened(ownerId) : ownerId}
      </button>
      <span title={`Tenant ID ${id}`} className="shrink-0 whitespace-nowrap tabular-nums max-xl:hidden">
        · {id.slice(-8)}
      </span>
    </span>
  )
}

/** The name stands out: an operator reads it first. */
function NameLink({ tenant: { id, name } }: { tenant: Tenant }) {
  return (
    <Link
      href={`/console/tenants/${id}`}
      className="block h-6 w-fit min-w-0 max-w-full truncate leading-6 font-medium text-ink no-underline hover:text-accent hover:underline"
      title={name}
    >
      {keyNameAmong({ id, name })}
    </Link>
  )
}

function Settled({ tenant: { settled, historyEnabled } }: { tenant: Tenant }) {
  if (!historyEnabled) return <Hint text="Its history is off, so it has no figures.">–</Hint>
  return settled.toLocaleString('en')
}

function Volume({ tenant: { volume, historyEnabled } }: { tenant: Tenant }) {
  return historyEnabled ? dollarsText(volume) : '–'
}

/** Millionths of a dollar with two decimals, as all of a column. What is less than a cent still shows. */
function dollarsText(atomic: string): string {
  const cent = 10n ** BigInt(USDC.decimals - 2)
  const amount = BigInt(atomic)
  if (amount === 0n) return '$0'
  return amount < cent ? '<$0.01' : `$${amountText(String((amount + cent / 2n) / cent), 2)}`
}

/** Gas in dollars where its coins have a price, else in the coin. The hint has each network. */
function Gas({ tenant: { gas, gasUsd } }: { tenant: Tenant }) {
  const [first, ...others] = gas
  if (!first) return '–'
  const lines = gas.map(({ network, spent }) => `${networkTitle(network)}: ${coinAmount(network, spent).exact}`)
  const text = gasUsd === null ? coinAmount(first.network, first.spent).shown : dollarsText(gasUsd)
  return (
    <Hint text={lines.join('; ')}>
      {text}
      {gasUsd === null && others.length > 0 ? ` +${others.length}` : ''}
    </Hint>
  )
}

function Margin({ tenant: { margin } }: { tenant: Tenant }) {
  if (margin === null) return '–'
  return <span className={margin.startsWith('-') ? 'text-bad' : ''}>{dollarText(margin)}</span>
}
