'use client'

import { useQuery } from '@tanstack/react-query'
import { noticeFailure } from '../../client/notice-failure'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { ColumnTime, ExactTime } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { DeliveryState, isTest } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/code/snippet'
import { Drawer } from '../../ui/dialog'
import { DrawerActions } from '../../ui/drawer-actions'
import { Whole } from '../../ui/explorer-link'
import { Empty, Fact, Skeleton } from '../../ui/panel'
import { useDrawerSteps } from '../../ui/use-drawer-steps'
import { SaidLink } from './said'
import { useWebhookActions } from './use-webhooks'

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
  const { resend } = useWebhookActions()
  const { data } = query
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
            <div className="grid justify-items-start gap-1">
              <DeliveryState state={data.state} />
              <p className="font-mono text-lg">{data.event}</p>
              <p className="text-soft">
                <ExactTime at={data.createdAt} />
              </p>
            </div>
            <Button
              size="small"
              look="primary"
              disabled={data.state === 'pending' || data.removed || data.body === null || resend.isPending}
              onClick={() => resend.mutate({ id: data.id }, { onError: noticeFailure })}
            >
              Resend
            </Button>
          </header>
          <dl className="grid gap-3">
            <Fact name="Webhook">
              <Whole text={data.url} label="URL" />
              {data.removed ? <span className="text-soft"> (deleted)</span> : null}
            </Fact>
            {data.said ? (
              <Fact name={data.said.kind === 'payment' ? 'Settlement' : 'Alert'}>
                <SaidLink row={data} />
              </Fact>
            ) : null}
            <Fact name="webhook-id">
              <Whole text={data.id} label="webhook-id" />
            </Fact>
            {data.settlement ? (
              <Fact name="Settlement ID">
                <Whole text={data.settlement} label="settlement ID" />
              </Fact>
            ) : null}
            {data.nextAt && data.tries > 0 ? (
              <Fact name="Next attempt">
                <ExactTime at={data.nextAt} />
              </Fact>
            ) : null}
            {data.lastError ? <Fact name="Last response">{data.lastError}</Fact> : null}
          </dl>
          <section aria-label="Attempts" className="grid gap-2">
            <h3 className="font-medium">Attempts</h3>
            {data.attempts.length === 0 ? <p className="text-soft">None yet.</p> : null}
            <ol className="grid gap-1.5">
              {data.attempts.map(({ no, at, status, error, milliseconds }) => (
                <li key={no} className="flex flex-wrap justify-between gap-x-3 text-sm">
                  <span>
                    {no}. {error ?? `HTTP ${status}`}
                  </span>
                  <span className="text-soft tabular-nums">
                    {milliseconds.toLocaleString('en')} ms, <ColumnTime at={at} />
                  </span>
                </li>
              ))}
            </ol>
          </section>
          <section aria-label="Payload" className="grid gap-2">
            <h3 className="font-medium">Payload</h3>
            {data.body === null ? (
              <p className="text-soft">Not stored: this API key keeps no history.</p>
            ) : (
              <Snippet code={JSON.stringify(JSON.parse(data.body), null, 2)} name="JSON" language="json" />
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
