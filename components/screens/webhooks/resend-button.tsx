import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import type { Delivery } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { useEnable, useResend } from './use-webhooks'

type Props = { row: Pick<Delivery, 'id' | 'event' | 'endpoint'>; primary?: boolean }

/** Sends a delivery again. To a disabled webhook a row sends nothing; the drawer, which has the primary button, enables it first. */
export function ResendButton({ row, primary = false }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(webhooksQuery(trpc))
  const { resend, isResending } = useResend()
  const isOff = data?.endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null) ?? false
  if (isOff) return primary ? <EnableToResend endpoint={row.endpoint} /> : null
  return (
    <Button size="small" look={primary ? 'primary' : 'plain'} disabled={isResending} onClick={() => resend(row)}>
      Resend
    </Button>
  )
}

/** Says why nothing can be sent again, and enables the webhook. */
function EnableToResend({ endpoint }: { endpoint: string }) {
  const { enable, isEnabling } = useEnable()
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-soft">Enable this webhook to resend.</span>
      <Button size="small" disabled={isEnabling} onClick={() => enable(endpoint)}>
        Enable webhook
      </Button>
    </span>
  )
}
