'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Plus } from 'lucide-react'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { useState } from 'react'
import { MINUTE_MS } from '@/server/base/durations'
import type { Root } from '@/server/trpc/router'
import { networkTitle } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { spanText } from '../../ui/dates'
import { Dialog } from '../../ui/dialog'
import { Empty, Skeleton } from '../../ui/panel'
import { IMPACTS, IncidentForm, MessageForm } from './incident-forms'
import { incidentsQuery } from './queries'
import { useIncidents } from './use-incidents'

type Incident = inferRouterOutputs<Root>['admin']['incidents']['list']['incidents'][number]

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
        Public on the <a href="/status">status page</a> for 90 days after they end.
      </p>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : !incidents ? (
        <Skeleton className="h-40 rounded-xl" />
      ) : incidents.length === 0 ? (
        <div className="panel">
          <Empty title="No incidents yet">When payments fail or slow down, say here what happens and when it ends.</Empty>
        </div>
      ) : (
        <ul className="grid gap-4">
          {incidents.map((incident) => (
            <IncidentCard key={incident.id} incident={incident} />
          ))}
        </ul>
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

type Action = 'update' | 'resolve' | 'remove'

function IncidentCard({ incident }: { incident: Incident }) {
  const { id, title, impact, networks, started_at, resolved_at, updates } = incident
  const [action, setAction] = useState<Action | null>(null)
  const close = () => setAction(null)
  return (
    <li className="panel px-4 py-3">
      <article aria-label={title} className="grid gap-1">
        {/* On a phone a long title has its own line above the buttons. */}
        <header
          className={cx('flex min-h-9 items-center justify-between gap-x-4 gap-y-2', resolved_at === null && 'max-sm:flex-wrap')}
        >
          <h2 className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold wrap-anywhere">
            {title}
            <Badge tone={resolved_at !== null ? 'plain' : impact === 'outage' ? 'bad' : 'warn'}>
              {resolved_at === null ? IMPACTS[impact] : 'Resolved'}
            </Badge>
          </h2>
          <span className="flex flex-wrap items-center justify-end gap-2">
            {resolved_at === null ? (
              <>
                <Button size="small" onClick={() => setAction('update')}>
                  Post update
                </Button>
                <Button size="small" onClick={() => setAction('resolve')}>
                  Resolve
                </Button>
              </>
            ) : null}
            <ActionsMenu title={title} actions={[{ name: 'Delete', danger: true, run: () => setAction('remove') }]} />
          </span>
        </header>
        <p className="text-sm text-soft">
          {networks.length === 0 ? 'All networks' : networks.map(networkTitle).join(', ')} ·{' '}
          {resolved_at === null ? 'since ' : null}
          <Time at={started_at} />
          {resolved_at === null ? null : ` · lasted ${lengthText(started_at, resolved_at)}`}
        </p>
        <ol className="mt-2 grid border-t pt-4">
          {updates.map(({ at, text }, index) => (
            <Update
              key={at}
              at={at}
              stage={index === 0 && resolved_at !== null ? 'Resolved' : index === updates.length - 1 ? 'Reported' : 'Update'}
              text={text}
            />
          ))}
        </ol>
      </article>
      <IncidentActions id={id} title={title} action={action} onClose={close} />
    </li>
  )
}

const DOTS = { Resolved: 'bg-accent', Update: 'bg-soft', Reported: 'bg-warn' } as const

/** An update as a point of a line, which ends with how the incident began. */
function Update({ at, stage, text }: { at: string; stage: keyof typeof DOTS; text: string }) {
  return (
    <li className="group grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3">
      <span aria-hidden className="grid grid-rows-[1.5rem_1fr] justify-items-center max-sm:grid-rows-[1.25rem_1fr]">
        <span className={cx('size-2.5 self-center rounded-full', DOTS[stage])} />
        <span className="w-px bg-line group-last:hidden" />
      </span>
      <span className="grid items-baseline gap-x-4 pb-4 group-last:pb-1 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <span className="text-sm text-soft">
          <span className="font-medium text-ink">{stage}</span> · <Time at={at} />
        </span>
        <span className="whitespace-pre-line wrap-anywhere">{text}</span>
      </span>
    </li>
  )
}

// In whole minutes.
const lengthText = (from: string, to: string): string =>
  spanText(Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS)) * 60)

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
