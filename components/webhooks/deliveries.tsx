'use client'

import { X } from 'lucide-react'
import { TEST_EVENT, webhookEvents } from '@/server/x402/webhook-events'
import { Pager } from '../settlements/list'
import { useStepThrough } from '../settlements/step-through'
import { Button } from '../ui/button'
import { Choice } from '../ui/fields'
import { Empty, Problem } from '../ui/panel'
import { TableHead } from '../ui/table-head'
import { Time } from '../ui/time'
import { useDeliveries } from './use-deliveries'
import { answerOf, type Delivery, DeliveryState, type Endpoint, hostOf, STATES } from './words'

const NAMES = [...webhookEvents, TEST_EVENT] as const
const EVENTS: readonly (readonly [(typeof NAMES)[number] | '', string])[] = [
  ['', 'Any event'],
  ...NAMES.map((name) => [name, name] as const),
]

type Props = { endpoints: readonly Endpoint[]; onOpen: (id: string) => void }

/** What was told, newest first, with what narrows it. Nothing where nothing was and no webhook is there. */
export function Deliveries({ endpoints, onOpen }: Props) {
  const { query, written, change, any, newer, older } = useDeliveries()
  const rows = query.data?.deliveries
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  if (!rows || (rows.length === 0 && !any && endpoints.length === 0)) return null
  return (
    <section aria-label="Deliveries" className="mt-8">
      <h2 className="mt-0 mb-3 text-lg font-semibold">Deliveries</h2>
      <search className="mb-4 flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
        <Choice
          label="State"
          value={written.state ?? ''}
          options={STATES}
          onChange={({ target }) => void change({ state: oneOf(STATES, target.value) })}
        />
        <Choice
          label="Event"
          value={written.event ?? ''}
          options={EVENTS}
          onChange={({ target }) => void change({ event: oneOf(EVENTS, target.value) })}
        />
        {endpoints.length > 1 ? (
          <Choice
            label="Webhook"
            value={written.endpoint ?? ''}
            options={[['', 'Every webhook'], ...endpoints.map(({ id, url }) => [id, url] as const)]}
            onChange={({ target }) => void change({ endpoint: target.value || null })}
            className="max-w-full sm:max-w-64"
          />
        ) : null}
        {written.settlement ? (
          <Button size="small" onClick={() => void change({ settlement: null })} title={written.settlement} className="max-w-72">
            <span className="truncate">{written.settlement}</span>
            <X aria-label="Every settlement" className="size-3.5" />
          </Button>
        ) : null}
        {any ? (
          <Button look="quiet" size="small" onClick={() => void change(null)}>
            Clear
          </Button>
        ) : null}
      </search>
      {rows.length === 0 ? (
        <div className="rounded-xl border border-solid border-line bg-card">
          {any ? (
            <Empty title="No delivery matches these filters">Take one of them away.</Empty>
          ) : (
            <Empty title="Nothing was sent yet">Send a test, or wait for the next payment: it appears here by itself.</Empty>
          )}
        </div>
      ) : (
        <DeliveryList rows={rows} onOpen={onOpen} several={endpoints.length > 1} />
      )}
      <Pager newer={newer} older={older} />
    </section>
  )
}

function oneOf<T extends string>(options: readonly (readonly [T, string])[], value: string): Exclude<T, ''> | null {
  const found = options.find(([name]) => name === value)?.[0]
  return found ? (found as Exclude<T, ''>) : null
}

type ListProps = { rows: readonly Delivery[]; onOpen: (id: string) => void; several: boolean }

function DeliveryList({ rows, onOpen, several }: ListProps) {
  const list = useStepThrough()
  const titles = ['Time', 'State', 'Event', 'Tries', 'Last answer', ...(several ? ['Webhook'] : [])]
  return (
    <div ref={list} className="overflow-x-auto rounded-xl border border-solid border-line bg-card">
      <table className="max-md:hidden">
        <TableHead titles={titles} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="h-12 border-0 border-b border-solid border-line last:border-b-0 hover:bg-code/60">
              <td className="pl-4">
                <button type="button" data-opens onClick={() => onOpen(row.id)} className="py-2 hover:underline">
                  <Time at={row.createdAt} />
                </button>
              </td>
              <td className="px-3">
                <DeliveryState state={row.state} />
              </td>
              <td className="px-3 font-mono text-[0.8125rem] whitespace-nowrap">{row.event}</td>
              <td className="px-3 tabular-nums">{row.tries}</td>
              <td className="max-w-72 truncate px-3" title={answerOf(row) ?? ''}>
                {answerOf(row) ?? <span className="text-soft">–</span>}
              </td>
              {several ? (
                <td className="max-w-56 truncate px-3 pr-4" title={row.url}>
                  {hostOf(row.url)}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="md:hidden">
        {rows.map((row) => (
          <li key={row.id} className="border-0 border-b border-solid border-line last:border-b-0">
            <button
              type="button"
              data-opens
              onClick={() => onOpen(row.id)}
              className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-4 py-3 text-left"
            >
              <span className="truncate font-mono text-[0.8125rem]">{row.event}</span>
              <DeliveryState state={row.state} />
              <span className="truncate text-[0.8125rem] text-soft">{answerOf(row) ?? hostOf(row.url)}</span>
              <span className="text-right text-[0.8125rem] text-soft">
                <Time at={row.createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
