import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import type { Delivery } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { useResend } from './use-webhooks'

/** Why nothing can be sent to a disabled webhook. */
export const ENABLE_FIRST = 'Enable the webhook before you resend.'

type Props = { row: Pick<Delivery, 'id' | 'event' | 'endpoint'>; primary?: boolean }

/** Sends a delivery again. A disabled webhook disables it, and the reason shows: on hover in a row, as text beside a primary button. */
export function ResendButton({ row, primary = false }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(webhooksQuery(trpc))
  const { resend, isResending } = useResend()
  const isOff = data?.endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null) ?? false
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {isOff && primary ? <span className="text-sm text-soft">{ENABLE_FIRST}</span> : null}
      <Button
        size="small"
        look={primary ? 'primary' : 'plain'}
        disabled={isResending || isOff}
        title={isOff ? ENABLE_FIRST : undefined}
        onClick={() => resend(row)}
      >
        Resend
      </Button>
    </span>
  )
}
