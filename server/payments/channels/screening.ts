import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { isServiceError, type ServiceError } from '../../base/errors'
import type { Parties } from '../../screening/screening'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'
import type { EvmFacilitator } from '../facilitators'
import { askerOf } from '../judging'
import type { Act } from './prepared'

/** Channels that are screened at one time: the screening refuses more calls than it can hold. */
const AT_ONCE = 20

const partiesOf = ({ payer, receiver }: ChannelConfig): Parties => ({ payer, payTo: receiver })

/**
 * Screens payer and receiver of what an act moves or claims. Resolves with the channels of which a party is flagged, each with its refusal.
 * Throws `unavailable` when a verdict is unknown, `too_many` for a spent budget of the caller, and `forbidden` where nothing can be left out.
 */
export async function screenAct(
  app: App,
  caller: Caller,
  { laneClass }: EvmFacilitator,
  { transfer, rows }: Act,
): Promise<ReadonlyMap<Hex, ServiceError>> {
  const screen = (parties: Parties) => app.screening[laneClass].screen(parties, askerOf(caller))
  const flagged = new Map<Hex, ServiceError>()
  if (transfer.method === 'batch-sweep') await screen({ payer: transfer.authorization.to, payTo: transfer.authorization.to })
  if (transfer.method === 'batch-refund') await screen(partiesOf(transfer.channel))
  if (transfer.method !== 'batch-claim') return flagged
  const gaining = new Set(rows.map(({ channelId }) => channelId))
  const asked = transfer.rows.flatMap(({ channel }, at) => {
    const id = transfer.ids[at]
    return id && gaining.has(id) ? [{ id, parties: partiesOf(channel) }] : []
  })
  for (let at = 0; at < asked.length; at += AT_ONCE)
    await Promise.all(
      asked.slice(at, at + AT_ONCE).map(({ id, parties }) =>
        screen(parties).catch((error: unknown) => {
          if (!isServiceError(error) || error.refusal !== 'forbidden') throw error
          flagged.set(id, error)
        }),
      ),
    )
  return flagged
}
