import { z } from 'zod'

const placeSchema = z.object({
  /** The service's own address. */
  baseUrl: z.url(),
  /** The nodes of Base Sepolia and Solana devnet. */
  sepoliaUrl: z.url(),
  solanaUrl: z.url(),
  adminKey: z.string(),
  /** The service's database, for what only time could do. */
  databaseUrl: z.string(),
})

/** What a journey knows of the world it goes through. */
export type Place = z.output<typeof placeSchema>

const VARIABLE = 'E2E_PLACE'

/** Tells the browser's process, which starts later, what was set up. */
export function announcePlace(place: Place): void {
  process.env[VARIABLE] = JSON.stringify(place)
}

/** What was set up. Throws outside a run of the journeys. */
export function place(): Place {
  return placeSchema.parse(JSON.parse(process.env[VARIABLE] ?? 'null'))
}
