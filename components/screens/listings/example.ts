import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/base/durations'
import type { Environment } from '@/server/x402/networks/networks'
import type { Listing } from './listing-row'

/** Two listings as they look after their first month. */
export const exampleListings = (environment: Environment, now: number): Listing[] =>
  LISTINGS.map((one) => exampleListing(one, environment, now))

const LISTINGS = [
  { path: 'weather', description: 'The weather of a city', price: '1000', calls: 1_204, volume: '1204000', paid: 3 * MINUTE_MS },
  { path: 'forecast', description: 'The weather of five days', price: '2500', calls: 318, volume: '795000', paid: 2 * HOUR_MS },
] as const

/** What they earned together. */
export const EXAMPLE_VOLUME = '1999000'

function exampleListing(
  { path, description, price, calls, volume, paid }: (typeof LISTINGS)[number],
  environment: Environment,
  now: number,
): Listing {
  const at = (ms: number) => new Date(now + ms).toISOString()
  return {
    id: path,
    environment,
    url: `https://your-api.com/${path}`,
    description,
    x402Version: 2,
    tenantId: 'example',
    amounts: [price],
    symbols: ['USDC'],
    figures: { calls, volume, days: Array.from({ length: 30 }, (_, day) => 9 + day + ((day * 7) % 13)) },
    networks: [environment === 'mainnet' ? 'eip155:8453' : 'eip155:84532'],
    lastSeen: at(-paid),
    until: at(90 * DAY_MS),
    listed: true,
    keyRevoked: false,
    optedOut: false,
  }
}
