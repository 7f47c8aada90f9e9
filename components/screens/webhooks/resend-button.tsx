import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import type { Delivery } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { useResend } from './use-webhooks'

type Props = { row: Pick<Delivery, 'id' | 'event' | 'endpoint' | 'state'>; inDrawer?: boolean }

/** Sends a delivery again. Where its webhook is disabled, the drawer says so, and a list has no button. */
export function ResendButton({ row, inDrawer = false }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(webhooksQuery(trpc))
  const { resend, isResending } = useResend()
  const isOff = data?.endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null) ?? false
  if (isOff) return inDrawer ? <DisabledResend text="Resend" /> : null
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

/** A button that cannot send anything, with the reason beside it: the webhook above is disabled. */
export function DisabledResend({ text }: { text: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      Enable the webhook first.
      <Button size="small" disabled>
        {text}
      </Button>
    </span>
  )
}
