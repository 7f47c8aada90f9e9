import type { App } from '../services/app'
import { type LaneStanding, lanesOf, releaseLane, releaseOf } from '../services/lanes'
import { displayAddress } from '../x402/addresses'
import { release } from './admin-bodies'
import { requireAdmin } from './admin-key'
import { DEFAULT_BODY_LIMIT, readJson } from './body'
import { checked } from './checked'
import type { Params } from './prefix'
import { API_HEADERS } from './refusal'
import { requireUuid } from './request'

/** `GET /admin/lanes`: every lane of the ledger, beside what its chain knows of the signer. */
export async function lanes(app: App, request: Request): Promise<Response> {
  requireAdmin(app, request)
  return Response.json({ lanes: (await lanesOf(app)).map(shown) }, { headers: API_HEADERS })
}

/** `POST /admin/lanes/:id/release`: an operator has looked at all transactions below `next_nonce`; a quarantined lane goes on there. */
export async function releaseQuarantined(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  requireAdmin(app, request)
  requireUuid(id, 'lane')
  const { next_nonce } = checked(release, await readJson(request, DEFAULT_BODY_LIMIT))
  return Response.json(shown(await releaseLane(app, id, next_nonce)), { headers: API_HEADERS })
}

function shown(lane: LaneStanding) {
  const { nextNonce, chain } = lane
  const { unknown, releaseAt } = releaseOf(lane)
  return {
    id: lane.id,
    network: lane.network,
    address: displayAddress(lane.address),
    class: lane.class,
    status: lane.status,
    quarantined_at: lane.quarantinedAt?.toISOString() ?? null,
    why: lane.quarantineWhy,
    next_nonce: nextNonce?.toString() ?? null,
    chain: chain && { mined: String(chain.mined), pending: String(chain.pending) },
    unknown: unknown && { from: String(unknown.from), to: String(unknown.to) },
    release_at: releaseAt?.toString() ?? null,
  }
}
