import { builtInTitles } from '@/server/x402/built-in-titles'
import { isNetworkId, networkRow } from '@/server/x402/networks'

/** The display name of a network, also of a built-in one that is off; the id of any other. */
export function titleOf(network: string): string {
  if (isNetworkId(network)) return networkRow(network).title
  return builtInTitles.get(Number(/^eip155:(\d+)$/.exec(network)?.[1])) ?? network
}

/** A URL without its scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
