'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronDown, CircleCheck, Plus } from 'lucide-react'
import Link from 'next/link'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { useState } from 'react'
import { dateAfter } from '@/server/base/zones'
import { environmentOf, isNetworkId } from '@/server/x402/networks/networks'
import { barsOf, markedOn } from '../../client/days/bars'
import { Legend, NetworkDays } from '../../client/days/network-days'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { dayText } from '../../ui/dates'
import { Dialog } from '../../ui/dialog'
import { Panel, Skeleton } from '../../ui/panel'
import { IMPACTS, IncidentForm, MessageForm } from './incident-forms'
import { type Incident, IncidentFacts, Updates } from './incident-parts'
import { daysQuery, incidentsQuery } from './queries'
import { useIncidents } from './use-incidents'

/** The incidents of the public status page: the operator opens, updates and resolves them here. */
export function Incidents() {
  const trpc = useTRPC()
  const query = useQuery(incidentsQuery(trpc))
  const [isNew, setIsNew] = useQueryState('new', parseAsBoolean.withDefault(false))
  const { incidents, networks = [] } = query.data ?? {}
  const { open } = useIncidents()
  const close = () => {
    open.reset()
    void setIsNew(null)
  }
  return (
    <>
      <ScreenHead title="Incidents">
        <Button look="primary" onClick={() => void setIsNew(true)}>
          <Plus aria-hidden className="size-4" />
          New incident
        </Button>
      </ScreenHead>
      <p className="-mt-3 mb-5 text-sm text-soft">
        Incidents stay on the <a href="/status">status page</a> for 90 days.
      </p>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : !incidents ? (
        <Skeleton className="h-40 rounded-xl" />
      ) : (
        <Lists incidents={incidents} />
      )}
      <Dialog title="New incident" description="It is public as soon as you publish it." open={isNew} onClose={close}>
        <IncidentForm
          networks={networks}
          error={open.error}
          busy={open.isPending}
          onEdit={open.reset}
          onSave={(incident) => open.mutate(incident, { onSuccess: close })}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}

/** The open incidents, the last 90 days of each network, and the past incidents folded. */
function Lists({ incidents }: { incidents: Incident[] }) {
  const open = incidents.filter(({ resolved_at }) => resolved_at === null)
  const past = incidents.filter(({ resolved_at }) => resolved_at !== null)
  return (
    <div className="grid grid-cols-1 gap-4">
      {open.length === 0 ? null : (
        <ul aria-label="Open incidents" className="grid gap-4">
          {open.map((incident) => (
            <IncidentCard key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
      <LastDays isCalm={open.length === 0} incidents={incidents} />
      {past.length === 0 ? null : (
        <section aria-labelledby="resolved" className="mt-4 grid grid-cols-1 gap-3">
          <h2 id="resolved" className="font-semibold">
            Resolved
          </h2>
          <ul className="panel">
            {past.map((incident) => (
              <PastIncident key={incident.id} incident={incident} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** A bar for each of the last 90 days of a network, as on the status page. */
function LastDays({ isCalm, incidents }: { isCalm: boolean; incidents: Incident[] }) {
  const { data, error, refetch } = useQuery(daysQuery(useTRPC()))
  const poor = data?.networks.flatMap(({ network, name, last_90_days: last }) => {
    const bar = barsOf({ days: last?.days ?? [], incidents: markedOn(incidents, network), today: data.today }).at(-1)
    return bar?.tone === 'warn' || bar?.tone === 'bad' ? [`${name} today: ${bar.outcome}`] : []
  })
  return (
    <Panel
      title={isCalm ? 'No open incidents' : 'Last 90 days'}
      icon={isCalm ? <CircleCheck aria-hidden className="size-4 text-accent" /> : null}
      action={<p className="w-0 grow text-right text-sm text-warn">{poor?.join(', ')}</p>}
    >
      {error ? (
        <div className="p-4">
          <Problem error={error} retry={refetch} />
        </div>
      ) : !data ? (
        <Skeleton className="m-4 h-56" />
      ) : (
        <>
          <ul>
            {data.networks.map(({ network, name, last_90_days: last }) => (
              <li key={network} className="grid gap-x-6 gap-y-1 border-b px-4 py-3 md:grid-cols-[14rem_minmax(0,1fr)]">
                <div className="flex flex-wrap items-baseline justify-between gap-x-3 md:block">
                  <h3 className="font-medium">{name}</h3>
                  <WorstDay network={network} days={last?.days ?? []} />
                </div>
                <NetworkDays name={name} last={last} today={data.today} incidents={markedOn(incidents, network)} />
              </li>
            ))}
          </ul>
          <div className="px-4 py-3">
            <Legend />
          </div>
        </>
      )}
    </Panel>
  )
}

type Days = Parameters<typeof barsOf>[0]['days']

/** The day on which most valid payments of a network failed, with its payments; nothing without failures. */
function WorstDay({ network, days }: { network: string; days: Days }) {
  const [worst] = days.toSorted((one, other) => other.failed - one.failed)
  if (!worst || worst.failed === 0) return null
  const { date, settled, failed } = worst
  const shown = {
    ...(isNetworkId(network) ? { environment: environmentOf(network) } : {}),
    network,
    status: 'failed',
    from: date,
    to: dateAfter(date, 1),
  }
  return (
    <p className="text-sm text-soft tabular-nums" title={`${failed} of ${settled + failed} valid payments failed`}>
      Most failures:{' '}
      <Link href={`/console/history?${new URLSearchParams(shown)}`} className="inline-flex min-h-6 items-center">
        {dayText(date)}
      </Link>
      , {failed.toLocaleString('en')} of {(settled + failed).toLocaleString('en')}
    </p>
  )
}

type Action = 'update' | 'resolve' | 'remove'

/** A past incident as a line, which unfolds its updates. */
function PastIncident({ incident }: { incident: Incident }) {
  const { id, title, impact, updates } = incident
  const [action, setAction] = useState<Action | null>(null)
  return (
    <li className="border-b last:border-b-0">
      <article aria-label={title} className="relative px-4 py-2">
        <details className="group/past">
          <summary className="grid cursor-pointer gap-0.5 pb-1 hover:text-accent [&::-webkit-details-marker]:hidden">
            {/* As high as the menu at its end. */}
            <span className="flex min-h-9 items-center justify-between gap-x-2.5 pr-11 max-sm:min-h-10">
              <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
                <h3 className="min-w-0 font-medium wrap-anywhere">{title}</h3>
                <Badge>{IMPACTS[impact]}</Badge>
              </span>
              <ChevronDown aria-hidden className="size-4 shrink-0 text-soft transition-transform group-open/past:rotate-180" />
            </span>
            <IncidentFacts incident={incident} />
            <span className="text-sm text-soft wrap-anywhere group-open/past:hidden">{updates[0]?.text}</span>
          </summary>
          <Updates incident={incident} />
        </details>
        <span className="absolute top-2 right-4">
          <ActionsMenu title={title} actions={[{ name: 'Delete', danger: true, run: () => setAction('remove') }]} />
        </span>
      </article>
      <IncidentActions id={id} title={title} action={action} onClose={() => setAction(null)} />
    </li>
  )
}

function IncidentCard({ incident }: { incident: Incident }) {
  const { id, title, impact } = incident
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  return (
    <li className="panel px-4 py-3">
      <article aria-label={title} className="grid gap-1">
        {/* On a phone a long title has its own line above the buttons. */}
        <header className="flex min-h-9 items-center justify-between gap-x-4 gap-y-2 max-sm:flex-wrap">
          <h2 className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold wrap-anywhere">
            {title}
            <Badge tone={impact === 'outage' ? 'bad' : 'warn'}>{IMPACTS[impact]}</Badge>
          </h2>
          <span className="flex flex-wrap items-center justify-end gap-2">
            <Button size="small" onClick={() => setAction('update')}>
              Post update
            </Button>
            <Button size="small" onClick={() => setAction('resolve')}>
              Resolve
            </Button>
            <ActionsMenu title={title} actions={[{ name: 'Delete', danger: true, run: () => setAction('remove') }]} />
          </span>
        </header>
        <IncidentFacts incident={incident} />
        <Updates incident={incident} />
      </article>
      <IncidentActions id={id} title={title} action={action} onClose={close} />
    </li>
  )
}

type ActionsProps = { id: string; title: string; action: Action | null; onClose: () => void }

function IncidentActions({ id, title, action, onClose }: ActionsProps) {
  const { update, resolve, remove } = useIncidents()
  const sent = action === 'resolve' ? resolve : update
  const close = () => {
    update.reset()
    resolve.reset()
    onClose()
  }
  return (
    <>
      <Dialog
        title={action === 'resolve' ? 'Resolve incident' : 'Post update'}
        open={action === 'update' || action === 'resolve'}
        onClose={close}
      >
        <MessageForm
          isLast={action === 'resolve'}
          error={sent.error}
          busy={sent.isPending}
          onEdit={sent.reset}
          onSave={(text) => sent.mutate({ id, text }, { onSuccess: close })}
          onCancel={close}
        />
      </Dialog>
      <ConfirmDialog
        open={action === 'remove'}
        title="Delete this incident?"
        action="Delete incident"
        danger
        onClose={onClose}
        onConfirm={() => remove.mutate({ id }, { onSettled: onClose })}
      >
        “{title}” and its updates leave the status page at once. Delete only what was published by mistake.
      </ConfirmDialog>
    </>
  )
}
