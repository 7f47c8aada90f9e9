import { pastTitleOf } from '@/server/x402/networks/networks'

/** The display name of a network, also of a built-in one that is off. */
export const titleOf = (network: string): string => pastTitleOf(network)

/** A URL without its scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
