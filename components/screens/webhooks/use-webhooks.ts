'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Resent } from '@/server/webhooks/deliveries'
import { noticeFailure } from '../../client/notice-failure'
import { useTRPC } from '../../client/trpc'
import { type Delivery, isTest } from '../../client/webhook-texts'
import { notice } from '../../ui/notice'

/** The mutations of webhooks and deliveries; each refreshes the lists. */
export function useWebhookActions() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.webhooks.pathFilter())
  return {
    create: useMutation(trpc.webhooks.create.mutationOptions({ onSuccess })),
    configure: useMutation(trpc.webhooks.configure.mutationOptions({ onSuccess })),
    rotate: useMutation(trpc.webhooks.rotate.mutationOptions({ onSuccess })),
    remove: useMutation(trpc.webhooks.remove.mutationOptions({ onSuccess })),
    test: useMutation(trpc.webhooks.test.mutationOptions({ onSuccess })),
  }
}

const RESENT = {
  again: 'Sending it now. If it fails, we retry for 24 hours.',
  earlier: 'Sending it now. If it fails, the retries go on as planned.',
  'in flight': 'It is being sent at this moment. The result appears here.',
} as const satisfies Record<Resent, string>

/** Sends a delivery now, and says what happens. */
export function useResend() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.webhooks.pathFilter())
  const { mutate, isPending } = useMutation(trpc.webhooks.resend.mutationOptions({ onSuccess }))
  return {
    isResending: isPending,
    resend: ({ id, event }: Pick<Delivery, 'id' | 'event'>) =>
      mutate(
        { id },
        {
          onSuccess: ({ resent }) =>
            notice.success(isTest(event) && resent !== 'in flight' ? 'Sending the test again.' : RESENT[resent]),
          onError: noticeFailure,
        },
      ),
  }
}
