'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { parseAsBoolean, parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { Button, buttonClass } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'
import { Deliveries } from './deliveries'
import { DeliveryDetails } from './delivery-details'
import { EndpointCard } from './endpoint-card'
import { EndpointForm } from './endpoint-form'
import { NewSecret } from './new-secret'
import { useWebhookActions } from './use-webhooks'

/** Where a merchant's server hears how payments ended, and what was told there. */
export function Webhooks() {
  const trpc = useTRPC()
  const query = useQuery(trpc.webhooks.list.queryOptions())
  const { create } = useWebhookActions()
  const [making, setMaking] = useQueryState('new', parseAsBoolean.withDefault(false))
  const [opened, open] = useQueryState('delivery', parseAsString.withOptions({ history: 'push' }))
  const [secret, setSecret] = useState<string | null>(null)
  const { endpoints, most = 0 } = query.data ?? {}
  const full = endpoints !== undefined && endpoints.length >= most
  return (
    <>
      <ScreenHead title="Webhooks">
        <Button
          look="primary"
          onClick={() => void setMaking(true)}
          disabled={full}
          title={full ? 'Delete one before you add another' : undefined}
        >
          <Plus aria-hidden className="size-4" /> New webhook
        </Button>
      </ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <Skeleton className="h-48" /> : null}
      {endpoints?.length === 0 ? <NoneYet onMake={() => void setMaking(true)} /> : null}
      <ul className="grid gap-4">
        {endpoints?.map((endpoint) => (
          <EndpointCard key={endpoint.id} endpoint={endpoint} onSecret={setSecret} onTested={(id) => void open(id)} />
        ))}
      </ul>
      <Deliveries endpoints={endpoints ?? []} onOpen={(id) => void open(id)} />
      <DeliveryDetails id={opened} onClose={() => void open(null)} />
      <Dialog
        title="New webhook"
        open={making}
        onClose={() => void setMaking(null)}
        description="Your server gets a signed message for each payment that ends from now on."
      >
        <EndpointForm
          action="Add the webhook"
          error={create.error}
          busy={create.isPending}
          onCancel={() => void setMaking(null)}
          onSave={(settings) =>
            create.mutate(settings, {
              onSuccess: ({ secret }) => {
                void setMaking(null)
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

function NoneYet({ onMake }: { onMake: () => void }) {
  return (
    <Panel>
      <Empty
        title="No webhook yet"
        action={
          <>
            <Button look="primary" onClick={onMake}>
              Add your first webhook
            </Button>
            <a href="/docs#webhooks" className={buttonClass()}>
              How to verify one
            </a>
          </>
        }
      >
        A payment that was answered as pending ends later. A webhook tells your server how: settled, failed or reversed, signed,
        and tried for a day until your server answers.
      </Empty>
    </Panel>
  )
}
