import type { Token } from '@/server/x402/networks/assets'
import type { PaidChannel } from '../../client/channels/state'

type Page = {
  channels: readonly Pick<PaidChannel, 'asset' | 'state' | 'signed' | 'claimed' | 'createdAt'>[]
  next: string | null
}

/**
 * What a wallet spent of a token through channels that opened since a month: claims, and vouchers of those that are not closed. Null if the
 * page may lack some of it.
 */
export function spentThrough(page: Page | undefined, { symbol }: Pick<Token, 'symbol'>, since: string) {
  if (!page || page.next !== null || page.channels.some(({ createdAt }) => createdAt.slice(0, 7) < since)) return null
  const paid = page.channels.filter(({ asset }) => asset.symbol === symbol)
  const amount = paid.reduce((sum, { state, signed, claimed }) => {
    const [vouchers, claims] = [BigInt(signed), BigInt(claimed)]
    return sum + (state !== 'closed' && vouchers > claims ? vouchers : claims)
  }, 0n)
  return amount === 0n ? null : { amount, channels: paid.length }
}
