'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsBoolean, parseAsString, useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import { webhookEvents } from '@/server/webhooks/events'
import { AddButton } from '../../client/add-button'
import { useMinute } from '../../client/clock'
import { Problem } from '../../client/problem'
import { webhooksQuery } from '../../client/queries'
import { REFRESH_MS } from '../../client/refresh'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { cx } from '../../ui/class-names'
import { Dialog } from '../../ui/dialog'
import { Example } from '../../ui/example'
import { later } from '../../ui/later'
import { LoadingRows } from '../../ui/list'
import { Empty, Panel } from '../../ui/panel'
import { Deliveries } from './deliveries'
import { DeliveryList } from './delivery-list'
import { ENDPOINT_GRID, EndpointFacts, EndpointRow } from './endpoint-row'
import { exampleDeliveries, exampleEndpoint } from './example'
import { failingQuery } from './queries'
import { useDeliveries } from './use-deliveries'
import { useWebhookActions } from './use-webhooks'
import { type Message, WhatWeSend } from './what-we-send'

// Loaded when first opened.
const DeliveryDetails = later(() => import('./delivery-details').then((loaded) => loaded.DeliveryDetails))
const EndpointForm = later(() => import('./endpoint-form').then((loaded) => loaded.EndpointForm))
const ShownOnce = later(() => import('../../ui/shown-once').then((loaded) => loaded.ShownOnce))

type Rows = readonly { id: string }[] | undefined

/** The list that has the opened delivery: all of them, or those that were not delivered, which stand above. */
const rowsWith = (opened: string | null, all: Rows, failing: Rows): Rows =>
  all?.some(({ id }) => id === opened) ? all : (failing ?? all)

/** A merchant's webhooks and their deliveries. `examples` are messages as we send them. */
export function Webhooks({ examples }: { examples: readonly Message[] }) {
  const trpc = useTRPC()
  const query = useQuery({ ...webhooksQuery(trpc), refetchInterval: REFRESH_MS.webhooks })
  const { environment = 'mainnet' } = useEnvironment()
  const deliveries = useDeliveries()
  const { create } = useWebhookActions()
  const [creating, setCreating] = useQueryState('new', parseAsBoolean.withDefault(false))
  const [opened, setOpened] = useQueryState('delivery', parseAsString.withOptions({ history: 'push' }))
  const [used, setUsed] = useState(false)
  if (opened !== null && !used) setUsed(true)
  const failing = useQuery({ ...failingQuery(trpc), enabled: used })
  const [secret, setSecret] = useState<string | null>(null)
  const stopCreating = () => {
    create.reset()
    void setCreating(null)
  }
  const { endpoints, most = 0 } = query.data ?? {}
  const full = endpoints !== undefined && endpoints.length >= most
  const none = endpoints?.length === 0
  const sent = examples.filter((one) => one.environment === environment)
  const body = sent.find(({ event }) => event === webhookEvents[0])?.body ?? null
  const add = (
    <AddButton
      text="New webhook"
      onAdd={() => void setCreating(true)}
      second={deliveries.any || (endpoints?.some(({ disabledAt }) => disabledAt !== null) ?? false)}
      full={full ? `You have ${most} webhooks, the maximum. Delete one before you add another.` : null}
    />
  )
  return (
    <>
      <ScreenHead title="Webhooks">{none ? null : add}</ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {none ? <NoWebhooks add={add} body={body} messages={sent} /> : null}
      {none || query.error ? null : (
        <ul className="panel overflow-hidden">
          {endpoints ? (
            endpoints.map((endpoint) => (
              <EndpointRow
                key={endpoint.id}
                endpoint={endpoint}
                onSecret={setSecret}
                onOpen={(id) => void setOpened(id)}
                filtered={deliveries.any}
              />
            ))
          ) : (
            <LoadingRows count={1} className={deliveries.any ? 'h-28 sm:h-18' : 'h-74 sm:h-68 lg:h-42'} />
          )}
        </ul>
      )}
      <Deliveries {...deliveries} endpoints={endpoints ?? []} exampleBody={body} onOpen={(id) => void setOpened(id)} />
      {endpoints && !none && deliveries.rows ? <WhatWeSend messages={sent} /> : null}
      {used ? (
        <DeliveryDetails
          id={opened}
          rows={rowsWith(opened, deliveries.rows, failing.data?.deliveries)}
          onOpen={(id) => void setOpened(id, { history: 'replace' })}
          onClose={() => void setOpened(null)}
        />
      ) : null}
      <Dialog
        title="New webhook"
        open={creating}
        onClose={stopCreating}
        description="We send your server a signed message for each event that you choose. We show you its signing secret next."
      >
        <EndpointForm
          action="Add webhook"
          error={create.error}
          onEdit={create.reset}
          busy={create.isPending}
          onCancel={stopCreating}
          onSave={(settings) =>
            create.mutate(settings, {
              onSuccess: ({ secret }) => {
                void setCreating(null)
                setSecret(secret)
              },
            })
          }
        />
      </Dialog>
      {secret ? <NewSecret secret={secret} onClose={() => setSecret(null)} /> : null}
    </>
  )
}

function NoWebhooks({ add, body, messages }: { add: ReactNode; body: string | null; messages: readonly Message[] }) {
  const now = useMinute()
  return (
    <>
      <Panel>
        <Empty
          title="No webhooks yet"
          action={add}
          code={
            <>
              POST /webhooks → <span className="font-semibold text-accent">200</span>
            </>
          }
        >
          We send your server a signed message when a payment settles, fails or is reversed, and retry for 24 hours.
        </Empty>
      </Panel>
      <div className="mt-4">
        <Example>
          <div className={cx(ENDPOINT_GRID, 'border-b')}>
            <EndpointFacts endpoint={exampleEndpoint(now)} onOpen={() => {}} />
          </div>
          <DeliveryList rows={exampleDeliveries(now, body)} onOpen={() => {}} />
        </Example>
      </div>
      <WhatWeSend messages={messages} open />
    </>
  )
}

/** Shows the signing secret of a webhook once. */
function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="Signing secret"
      description="Use it to verify that messages come from us."
      lines={{ Secret: secret, '.env line': `WEBHOOK_SECRET=${secret}` }}
      onClose={onClose}
    >
      <p className="text-sm text-soft">
        Any Standard Webhooks library verifies with it. See{' '}
        <a href="/docs/webhooks" target="_blank" rel="noreferrer">
          the reference
        </a>{' '}
        for a program without a library.
      </p>
    </ShownOnce>
  )
}
