'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { parseAsBoolean, parseAsString, useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { Button, buttonClass } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'
import { ShownOnce } from '../ui/shown-once'
import { Deliveries } from './deliveries'
import { DeliveryDetails } from './delivery-details'
import { EndpointCard } from './endpoint-card'
import { EndpointForm } from './endpoint-form'
import { useWebhookActions } from './use-webhooks'

/** A merchant's webhooks and their deliveries. */
export function Webhooks() {
  const trpc = useTRPC()
  const query = useQuery(trpc.webhooks.list.queryOptions())
  const { create } = useWebhookActions()
  const [creating, setCreating] = useQueryState('new', parseAsBoolean.withDefault(false))
  const [opened, setOpened] = useQueryState('delivery', parseAsString.withOptions({ history: 'push' }))
  const [secret, setSecret] = useState<string | null>(null)
  const { endpoints, most = 0 } = query.data ?? {}
  const full = endpoints !== undefined && endpoints.length >= most
  const none = endpoints?.length === 0
  const add = (
    <Button
      look="primary"
      onClick={() => void setCreating(true)}
      disabled={full}
      title={full ? 'Delete a webhook before you add another' : undefined}
    >
      <Plus aria-hidden className="size-4" /> New webhook
    </Button>
  )
  return (
    <>
      <ScreenHead title="Webhooks">{none ? null : add}</ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <Skeleton className="h-48" /> : null}
      {none ? <NoWebhooks add={add} /> : null}
      <ul className="grid gap-4">
        {endpoints?.map((endpoint) => (
          <EndpointCard key={endpoint.id} endpoint={endpoint} onSecret={setSecret} onTested={(id) => void setOpened(id)} />
        ))}
      </ul>
      <Deliveries endpoints={endpoints ?? []} onOpen={(id) => void setOpened(id)} />
      <DeliveryDetails id={opened} onClose={() => void setOpened(null)} />
      <Dialog
        title="New webhook"
        open={creating}
        onClose={() => void setCreating(null)}
        description="We send your server a signed message when a payment ends."
      >
        <EndpointForm
          action="Add webhook"
          error={create.error}
          busy={create.isPending}
          onCancel={() => void setCreating(null)}
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
      <NewSecret secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

function NoWebhooks({ add }: { add: ReactNode }) {
  return (
    <Panel>
      <Empty
        title="No webhooks yet"
        action={
          <>
            {add}
            <a href="/docs/webhooks" className={buttonClass()}>
              How to verify messages
            </a>
          </>
        }
      >
        Get a signed message when a payment settles, fails or is reversed. We retry for 24 hours.
      </Empty>
    </Panel>
  )
}

/** Shows the signing secret of a webhook once. */
function NewSecret({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <ShownOnce
      title="Signing secret"
      description="You won't see this again. Use it to verify that messages come from us."
      lines={secret === null ? null : { Secret: secret, '.env line': `WEBHOOK_SECRET=${secret}` }}
      onClose={onClose}
    >
      <p className="m-0 text-[0.8125rem] text-soft">
        Any Standard Webhooks library verifies with it. See{' '}
        <a href="/docs/webhooks" target="_blank" rel="noreferrer">
          the reference
        </a>{' '}
        for a program without a library.
      </p>
    </ShownOnce>
  )
}
