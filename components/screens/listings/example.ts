import { DAY_MS, MINUTE_MS } from '@/server/base/durations'
import type { Environment } from '@/server/x402/networks/networks'
import type { Listing } from './listing-row'

/** A listing as it looks after its first month. */
export function exampleListing(environment: Environment, now: number): Listing {
  const at = (ms: number) => new Date(now + ms).toISOString()
  return {
    id: 'example',
    environment,
    url: 'https://your-api.com/weather',
    description: 'The weather of a city',
    x402Version: 2,
    tenantId: 'example',
    amounts: ['1000'],
    symbols: ['USDC'],
    figures: { calls: 1_204, volume: '1204000' },
    networks: [environment === 'mainnet' ? 'eip155:8453' : 'eip155:84532'],
    lastSeen: at(-3 * MINUTE_MS),
    until: at(90 * DAY_MS),
    listed: true,
    keyRevoked: false,
    optedOut: false,
  }
}
