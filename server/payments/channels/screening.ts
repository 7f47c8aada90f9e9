import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { isServiceError, type Refusal, type ServiceError } from '../../base/errors'
import type { Parties, Requester } from '../../screening/screening'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'
import type { EvmFacilitator } from '../facilitators'
import { askerOf } from '../judging'
import { type Act, NOT_TRIED, type Prepared } from './prepared'

/** Channels that are screened at one time: the screening refuses more calls than it can hold. */
const AT_ONCE = 20

const partiesOf = ({ payer, receiver }: ChannelConfig): Parties => ({ payer, payTo: receiver })

/** As whom an act's parties are screened, and with which refusals a channel is left out. */
type Asked = { asker: Requester; leavesOut: readonly Refusal[] }

/** As a caller that asks for an act: a channel of a flagged party is left out. */
export const askedBy = (caller: Caller): Asked => ({ asker: askerOf(caller), leavesOut: ['forbidden'] })

/**
 * Screens payer and receiver of what an act moves or claims. Resolves with the channels that are left out, each with its refusal. Throws
 * `unavailable` when a verdict is unknown, `too_many` for a spent budget, and `forbidden` where nothing can be left out.
 */
export async function screenAct(
  app: Pick<App, 'screening'>,
  { laneClass }: Pick<EvmFacilitator, 'laneClass'>,
  { transfer, rows }: Act,
  { asker, leavesOut }: Asked,
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

const NOBODY_FLAGGED: ReadonlySet<Hex> = new Set()

/**
 * Judges an act and screens its parties, and judges it again without the channels that are left out, which are named. `prepare` resolves with
 * null where nothing can be left out. Throws refusals.
 */
export async function prepareClear(
  app: Pick<App, 'screening'>,
  facilitator: Pick<EvmFacilitator, 'laneClass'>,
  asked: Asked,
  prepare: (without: ReadonlySet<Hex>) => Promise<Prepared | null>,
): Promise<Prepared> {
  const prepared = await prepare(NOBODY_FLAGGED)
  if (prepared === null) throw new Error('an act without left out channels is judged')
  if (!('act' in prepared)) return prepared
  const flagged = await screenAct(app, facilitator, prepared.act, asked)
  const [refused] = flagged.values()
  if (!refused) return prepared
  const again = await prepare(new Set(flagged.keys()))
  if (again === null) throw refused
  // Rows that were not tried at first may be in it now: a verdict is remembered, so only theirs are new.
  if ('act' in again) for (const one of (await screenAct(app, facilitator, again.act, asked)).values()) throw one
  const named = [...flagged].map(([channelId, { refusal }]) => ({
    channelId,
    error: refusal === 'forbidden' ? 'kyt_flagged' : NOT_TRIED,
  }))
  if ('act' in again) return { act: { ...again.act, leftOut: [...again.act.leftOut, ...named] } }
  return { ...again, leftOut: [...(again.leftOut ?? []), ...named] }
}
