'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useState } from 'react'
import type { Root } from '@/server/trpc/router'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { ColumnTime, ExactTime } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { DeliveryState, isTest, responseOf } from '../../client/webhook-texts'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { Copyable } from '../../ui/copyable'
import { Drawer } from '../../ui/dialog'
import { DrawerActions } from '../../ui/drawer-actions'
import { duration, moneyText } from '../../ui/figures'
import { Empty, Fact, Skeleton } from '../../ui/panel'
import { useDrawerSteps } from '../../ui/use-drawer-steps'
import { ResendButton } from './resend-button'
import { SaidLink } from './said'

type Props = {
  id: string | null
  /** The list behind the drawer, for previous and next. */
  rows: readonly { id: string }[] | undefined
  onOpen: (id: string) => void
  onClose: () => void
}

/** Everything about a delivery: payload, attempts and responses. */
export function DeliveryDetails({ id, rows, onOpen, onClose }: Props) {
  const trpc = useTRPC()
  const query = useQuery(
    trpc.webhooks.delivery.queryOptions({ id: id ?? '' }, { enabled: id !== null, refetchInterval: REFRESH_MS.delivery }),
  )
  const { data } = query
  const newest = data?.attempts[0]
  const { previous, next, ...drawer } = useDrawerSteps({ id, rows, onOpen })
  return (
    <Drawer
      title="Delivery"
      open={id !== null}
      onClose={onClose}
      actions={<DrawerActions what="delivery" previous={previous} next={next} />}
      {...drawer}
    >
      {data ? (
        <div className="grid gap-6">
          <header className="flex flex-wrap items-start justify-between gap-3">
            <div className="grid min-w-0 gap-1">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xl font-semibold tracking-tight tabular-nums">
                {newest ? `${responseOf(data) ?? 'No response'} in ${duration(newest.milliseconds)}` : 'Not sent yet'}
                <DeliveryState state={data.state} />
              </p>
              <p className="flex flex-wrap items-baseline gap-x-3 text-soft">
                <code>{data.event}</code>
                {data.said?.kind === 'payment' ? <span>{moneyText(data.said.amount, data.said.token)}</span> : null}
                <span className="whitespace-nowrap">
                  <ExactTime at={data.createdAt} />
                </span>
              </p>
              {data.state === 'failed' ? <p className="text-md text-bad">No more retries.</p> : null}
            </div>
            {data.state === 'delivered' ? null : <Again delivery={data} />}
          </header>
          <dl className="grid gap-3">
            <Fact name="Webhook">
              <Copyable text={data.url} shown={data.url} label="URL" fill />
              {data.removed ? <span className="text-soft"> (deleted)</span> : null}
            </Fact>
            {data.said ? (
              <Fact name={data.said.kind === 'payment' ? 'Settlement' : 'Alert'}>
                <SaidLink row={data} />
              </Fact>
            ) : null}
            <Fact name="Message ID">
              <Copyable text={data.id} shown={data.id} label="message ID" fill />
              <span className="text-sm text-soft">
                Sent as the <code>webhook-id</code> header
              </span>
            </Fact>
            {data.settlement && !data.kept ? (
              <Fact name="Settlement ID">
                <Copyable text={data.settlement} shown={data.settlement} label="settlement ID" fill />
              </Fact>
            ) : null}
            {data.nextAt && data.tries > 0 ? (
              <Fact name="Next attempt">
                <ExactTime at={data.nextAt} />
              </Fact>
            ) : null}
          </dl>
          <section aria-label="Attempts" className="grid gap-2">
            <h3 className="font-medium">Attempts</h3>
            {data.attempts.length === 0 ? <p className="text-soft">None yet.</p> : null}
            <Attempts attempts={data.attempts} />
            {data.state === 'delivered' ? (
              <div className="flex">
                <Again delivery={data} />
              </div>
            ) : null}
          </section>
          <section aria-label="Payload" className="grid gap-2">
            {data.body === null ? (
              <p className="text-soft">Payload not stored: this key keeps no history.</p>
            ) : (
              <Snippet code={JSON.stringify(JSON.parse(data.body), null, 2)} name="Payload" language="json" wraps />
            )}
            {isTest(data.event) ? <p className="text-sm text-soft">Test messages contain no payment.</p> : null}
          </section>
        </div>
      ) : query.error?.data?.code === 'NOT_FOUND' ? (
        <Empty title="No such delivery">
          You have no delivery with this ID. It may be older than 30 days, or the link is incomplete.
        </Empty>
      ) : query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Drawer>
  )
}

type Whole = inferRouterOutputs<Root>['webhooks']['delivery']
type Tried = Whole['attempts'][number]

/** Sends it again, or says why that is impossible. */
function Again({ delivery }: { delivery: Whole }) {
  const { removed, body } = delivery
  if (!removed && body !== null) return <ResendButton row={delivery} inDrawer />
  return (
    <p className="text-sm text-soft">
      {removed ? 'Its webhook was deleted: it cannot be sent again.' : 'Its payload is not stored: it cannot be sent again.'}
    </p>
  )
}

/** From so many attempts on, those between the newest and the first are folded. */
const FOLDED_FROM = 5

function Attempts({ attempts }: { attempts: readonly Tried[] }) {
  const [unfolded, setUnfolded] = useState(false)
  const folds = !unfolded && attempts.length >= FOLDED_FROM
  return (
    <ol className="grid gap-2">
      {attempts.map((attempt, index) =>
        folds && index > 1 && index < attempts.length - 1 ? null : folds && index === 1 ? (
          <li key="folded">
            <button
              type="button"
              className="ml-7 min-h-6 text-sm text-accent underline hover:no-underline"
              onClick={() => setUnfolded(true)}
            >
              Show {attempts.length - 2} more attempts
            </button>
          </li>
        ) : (
          <Attempt key={attempt.no} attempt={attempt} isNewest={index === 0} />
        ),
      )}
    </ol>
  )
}

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300

const BODY = 'mt-1 max-h-60 overflow-auto rounded-lg bg-code p-3 text-xs whitespace-pre-wrap wrap-anywhere'

type AttemptProps = {
  attempt: Tried
  isNewest: boolean
}

/** A try with its result and, as plain text, the beginning of the response. */
function Attempt({ attempt: { no, at, status, error, milliseconds, answer }, isNewest }: AttemptProps) {
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-1 gap-y-1 text-sm *:col-start-2">
      <span className="col-start-1! row-start-1 tabular-nums">{no}.</span>
      <span className="flex flex-wrap justify-between gap-x-3">
        <span className={cx(!isGood(status) && 'text-bad')}>{error ?? `HTTP ${status}`}</span>
        <span className="text-soft tabular-nums">
          {duration(milliseconds)} · <ColumnTime at={at} />
        </span>
      </span>
      {answer === null ? (
        isNewest && error === null && !isGood(status) ? (
          <p className="text-soft">No response body stored.</p>
        ) : null
      ) : (
        <details open={isNewest}>
          <summary className="w-fit cursor-pointer py-1 text-soft hover:text-ink">Response body</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a key scrolls it */}
          <pre tabIndex={0} className={BODY}>
            {answer}
          </pre>
        </details>
      )}
    </li>
  )
}
