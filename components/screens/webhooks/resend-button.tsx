import { useQuery } from '@tanstack/react-query'
import { noticeFailure } from '../../client/notice-failure'
import { webhooksQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import type { Delivery } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { useResend, useWebhookActions } from './use-webhooks'

type Props = { row: Pick<Delivery, 'id' | 'event' | 'endpoint' | 'state'>; inDrawer?: boolean }

/** Sends a delivery again. Where its webhook is disabled, the drawer enables it first, and a list has no button. */
export function ResendButton({ row, inDrawer = false }: Props) {
  const trpc = useTRPC()
  const { data } = useQuery(webhooksQuery(trpc))
  const { resend, isResending } = useResend()
  const { configure } = useWebhookActions()
  const isOff = data?.endpoints.some(({ id, disabledAt }) => id === row.endpoint && disabledAt !== null) ?? false
  if (isOff && !inDrawer) return null
  const enable = () =>
    configure.mutate({ id: row.endpoint, enabled: true }, { onError: noticeFailure, onSuccess: () => resend(row) })
  return (
    <Button
      size="small"
      look={inDrawer && row.state !== 'delivered' ? 'primary' : 'plain'}
      disabled={isResending || configure.isPending}
      onClick={() => (isOff ? enable() : resend(row))}
    >
      {isOff ? 'Enable and resend' : 'Resend'}
    </Button>
  )
}
