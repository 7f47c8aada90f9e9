'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DAY_MS } from '@/server/base/durations'
import type { Resent } from '@/server/webhooks/deliveries'
import { noticeFailure } from '../../client/notice-failure'
import { useTRPC } from '../../client/trpc'
import { type Delivery, isTest } from '../../client/webhook-texts'
import { countedText } from '../../ui/list-summary'
import { notice } from '../../ui/notice'
import { resendAll } from './resend-calls'

/** The mutations of webhooks and deliveries; each refreshes the lists. */
export function useWebhookActions() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.webhooks.pathFilter())
  const configure = useMutation(trpc.webhooks.configure.mutationOptions({ onSuccess }))
  return {
    create: useMutation(trpc.webhooks.create.mutationOptions({ onSuccess })),
    configure,
    /** Enables a webhook; with failures, then sends again what failed in a day. */
    enable: (endpoint: string, failures: number) =>
      configure.mutate(
        { id: endpoint, enabled: true },
        {
          onError: noticeFailure,
          onSuccess: async () => {
            if (failures === 0) return
            const since = new Date(Date.now() - DAY_MS).toISOString()
            const { resent, error } = await resendAll((cursor) => trpc.webhooks.resendAll.mutate({ since, endpoint, cursor }))
            if (error) noticeFailure(error)
            else notice.success(`We are sending ${countedText(resent, 'message')} now.`)
            void onSuccess()
          },
        },
      ),
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
