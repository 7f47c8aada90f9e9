import type { Tier } from '../accounts/plans'
import type { Env } from '../env'
import { type RemoteFacilitator, remoteFacilitator } from '../ledger/remote/client'
import { startListing } from '../ledger/remote/listing'
import type { Remote } from '../ledger/remote/remotes'
import type { Log } from '../log'

/** The other facilitators that serve tiers for us. Throws if a URL or token is unusable. */
export function configuredRemotes(env: Env): Map<Tier, RemoteFacilitator> {
  const rows: [Tier, string | undefined, string | undefined][] = [
    ['sandbox', env.REMOTE_SANDBOX_URL, env.REMOTE_SANDBOX_TOKEN],
    ['standard', env.REMOTE_STANDARD_URL, env.REMOTE_STANDARD_TOKEN],
    ['flash', env.REMOTE_FLASH_URL, env.REMOTE_FLASH_TOKEN],
  ]
  return new Map(rows.flatMap(([tier, url, token]) => (url === undefined ? [] : [[tier, remoteFacilitator(url, token)]])))
}

/** Starts polling `GET /supported` of each. */
export function listed(facilitators: ReadonlyMap<Tier, RemoteFacilitator>, log: Log): Map<Tier, Remote> {
  return new Map(
    [...facilitators].map(([tier, facilitator]) => [tier, { facilitator, listing: startListing(facilitator, tier, log) }]),
  )
}
