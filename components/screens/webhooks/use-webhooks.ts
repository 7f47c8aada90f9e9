'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '../../client/trpc'

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
    resend: useMutation(trpc.webhooks.resend.mutationOptions({ onSuccess })),
  }
}
