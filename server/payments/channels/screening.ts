import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { isServiceError, type Refusal, type ServiceError } from '../../base/errors'
import type { Parties, Requester } from '../../screening/screening'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'
import type { EvmFacilitator } from '../facilitators'
import { askerOf } from '../judging'
import type { Act } from './prepared'

/** Channels that are screened at one time: the screening refuses more calls than it can hold. */
const AT_ONCE = 20

const partiesOf = ({ payer, receiver }: ChannelConfig): Parties => ({ payer, payTo: receiver })

/** As whom an act's parties are screened, and with which refusals a channel is left out. */
type Asked = { asker: Requester; leavesOut: readonly Refusal[] }

/**
 * Screens payer and receiver of what an act moves or claims. Resolves with the channels that are left out, each with its refusal: usually those
 * of which a party is flagged.
 * Throws `unavailable` when a verdict is unknown, `too_many` for a spent budget of the caller, and `forbidden` where nothing can be left out.
 */
export async function screenAct(
  app: App,
  caller: Caller,
  { laneClass }: EvmFacilitator,
  { transfer, rows }: Act,
  { asker, leavesOut }: Asked = { asker: askerOf(caller), leavesOut: ['forbidden'] },
): Promise<ReadonlyMap<Hex, ServiceError>> {
  const screen = (parties: Parties) => app.screening[laneClass].screen(parties, asker)
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
          if (!isServiceError(error) || !leavesOut.includes(error.refusal)) throw error
          flagged.set(id, error)
        }),
      ),
    )
  return flagged
}
