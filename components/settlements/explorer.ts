import { networkTitle } from '@/server/x402/networks'

/** The display name of a network, also of a built-in one that is off; the id of any other. */
export const titleOf = networkTitle

/** A URL without its scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
