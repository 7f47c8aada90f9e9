import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { networkIds, networkTitle } from '@/server/x402/networks/networks'
import { useTRPC } from './trpc'
import { networksFor } from './use-signed-wallet'

export type OwnKey = inferRouterOutputs<Root>['keys']['list']['keys'][number]

/** A quota of which so much is used needs its merchant. */
export const WARN_SHARE = 0.8

/** The networks that a key may use, as text. */
export function networkNames(allowed: readonly string[]): string {
  if (allowed.length === 0 || allowed.length === networkIds.length) return 'All networks'
  return new Intl.ListFormat('en').format(allowed.map(networkTitle))
}

/** Whether a limit was chosen for a key. Not chosen: a key of a wallet pays only it, on the networks of its family. */
export function isLimited(key: Pick<OwnKey, 'allowedNetworks' | 'payToAllow' | 'maxUsdc'>, wallet: string | null): boolean {
  const { allowedNetworks, payToAllow, maxUsdc } = key
  if (maxUsdc !== null) return true
  if (wallet !== null) return allowedNetworks.length > 0 && networksFor(wallet).some((id) => !allowedNetworks.includes(id))
  return allowedNetworks.length > 0 || payToAllow.length > 0
}

/** The mutations of a key; each refreshes what shows it. */
export function useKeyActions() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.keys.pathFilter())
  return {
    configure: useMutation(trpc.keys.configure.mutationOptions({ onSuccess })),
    rotate: useMutation(trpc.keys.rotate.mutationOptions({ onSuccess })),
    endSecret: useMutation(trpc.keys.endSecret.mutationOptions({ onSuccess })),
    revoke: useMutation(trpc.keys.revoke.mutationOptions({ onSuccess })),
  }
}
