import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import type { Delivery, Endpoint } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { useEnable, useResend } from './use-webhooks'

type Props = { row: Pick<Delivery, 'id' | 'event' | 'endpoint'>; primary?: boolean }

/** Sends a delivery again. To a disabled webhook it sends nothing and says why; the drawer, which has the primary button, enables it. */
export function ResendButton({ row, primary = false }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(webhooksQuery(trpc))
  const { resend, isResending } = useResend()
  const isOff = data?.endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null) ?? false
  if (isOff) return primary ? <EnableFirst endpoint={row.endpoint} /> : <NoResend />
  return (
    <Button size="small" look={primary ? 'primary' : 'plain'} disabled={isResending} onClick={() => resend(row)}>
      Resend
    </Button>
  )
}

// A narrow row has no room for what does nothing.
function NoResend() {
  return (
    <span title="Enable the webhook to resend." className="hidden @min-[60rem]:block">
      <Button size="small" disabled>
        Resend
      </Button>
    </span>
  )
}

/** Says why nothing can be sent again, and enables the webhook. */
function EnableFirst({ endpoint }: { endpoint: string }) {
  const { enable, isEnabling } = useEnable()
  return (
    <span className="grid justify-items-end gap-1 max-sm:justify-items-start">
      <Button size="small" look="primary" disabled>
        Resend
      </Button>
      <span className="text-sm text-soft">
        The webhook is disabled.{' '}
        <button
          type="button"
          disabled={isEnabling}
          onClick={() => enable(endpoint)}
          className="min-h-6 text-accent underline hover:no-underline"
        >
          Enable it
        </button>
      </span>
    </span>
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
