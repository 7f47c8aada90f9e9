import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import type { Delivery, Endpoint } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { useEnable, useResend } from './use-webhooks'

type Props = { row: Pick<Delivery, 'id' | 'event' | 'endpoint' | 'state'>; inDrawer?: boolean }

/** Sends a delivery again. Where its webhook is disabled, the drawer enables it, and a list has no button. */
export function ResendButton({ row, inDrawer = false }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(webhooksQuery(trpc))
  const { resend, isResending } = useResend()
  const isOff = data?.endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null) ?? false
  if (isOff) return inDrawer ? <EnableFirst endpoint={row.endpoint} /> : null
  return (
    <Button
      size="small"
      look={inDrawer && row.state !== 'delivered' ? 'primary' : 'plain'}
      disabled={isResending}
      onClick={() => resend(row)}
    >
      Resend
    </Button>
  )
}

/** Says why nothing can be sent again, and enables the webhook. */
function EnableFirst({ endpoint }: { endpoint: string }) {
  const { enable, isEnabling } = useEnable()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-soft">
      Enable the webhook to resend.
      <Button size="small" disabled={isEnabling} onClick={() => enable(endpoint)}>
        Enable
      </Button>
    </p>
  )
}

/** Says in a list why nothing can be sent again. Its words enable the webhook, if there is one. */
export function EnableToResend({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const { enable, isEnabling } = useEnable()
  const [endpoint, ...others] = endpoints
  if (!endpoint || others.length > 0) return <span className="text-sm text-soft">Enable a webhook to resend.</span>
  return (
    <span className="text-sm text-soft">
      <button
        type="button"
        disabled={isEnabling}
        onClick={() => enable(endpoint.id)}
        className="min-h-6 text-accent underline hover:no-underline"
      >
        Enable the webhook
      </button>{' '}
      to resend.
    </span>
  )
}
