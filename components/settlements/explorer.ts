import { isNetworkId, networkRow } from '@/server/x402/networks'

/** The display name of a network. */
export function titleOf(network: string): string {
  return isNetworkId(network) ? networkRow(network).title : network
}

/** A URL without its scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
