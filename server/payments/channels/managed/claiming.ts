import { type Hex, hexToBytes } from 'viem'
import { type Caller, serviceFor } from '../../../accounts/caller'
import { findTenantsAsKeys } from '../../../accounts/key-queries'
import type { App } from '../../../app'
import { isServiceError } from '../../../base/errors'
import { findIntent } from '../../../ledger/statements/settlements'
import { failedStates, isIn } from '../../../ledger/states'
import { actKey } from '../../../x402/intent'
import type { EvmNetworkId } from '../../../x402/networks/networks'
import type { ClaimRow } from '../../../x402/schemes/batch-settlement/channel'
import { channelIdOf } from '../../../x402/schemes/batch-settlement/hashes'
import { type EvmFacilitator, facilitatorFor } from '../../facilitators'
import { prepareClaims, rowsOf } from '../claims'
import { groupsOf as groupsToSend } from '../groups'
import { type Act, NOT_TRIED } from '../prepared'
import { prepareSweep } from '../refunds'
import { findReverted } from '../reverted'
import { prepareClear, screenAct } from '../screening'
import { type ActAnswer, sendAct } from '../settle'
import { type Due, type DueChannel, endDue, markUnclaimable, putOffDue } from './due-queries'
import { ROWS_MAX } from './policy'
import { readChannels } from './watching'

/** Channels that one claim may hold: of one tenant and one authorizer. `races`: their payers withdraw. */
export type ClaimGroup = { tenantId: string; authorizer: Hex; races: boolean; channels: DueChannel[] }

/** Due channels by claim, at most a hundred in each. Those whose payers withdraw are apart, so that nothing else delays them. */
export function groupsOf(due: readonly DueChannel[]): ClaimGroup[] {
  const groups = new Map<string, ClaimGroup[]>()
  for (const channel of due) {
    const { tenantId } = channel
    const authorizer = channel.row.channel.receiverAuthorizer
    const races = channel.why === 'withdrawal'
    const name = `${tenantId} ${authorizer} ${races}`
    const of = groups.get(name) ?? []
    const last = of.at(-1)
    if (last && last.channels.length < ROWS_MAX) last.channels.push(channel)
    else groups.set(name, [...of, { tenantId, authorizer, races, channels: [channel] }])
  }
  return [...groups.values()].flat()
}

/** The service as a tenant's caller. Throws for an unknown one. */
export async function callerFor(app: App, tenantId: string): Promise<Caller> {
  const record = (await findTenantsAsKeys(app.db, [tenantId])).get(tenantId)
  if (!record) throw new Error(`tenant ${tenantId} of a channel is unknown`)
  return serviceFor(record)
}

/** The facilitator that sends for keys on a network. Throws refusals, and when another facilitator sends for them. */
function senderOn(app: App, network: EvmNetworkId): EvmFacilitator {
  const facilitator = facilitatorFor(app, 'standard', network)
  if (facilitator.family === 'evm' && facilitator.submitter !== 'remote') return facilitator
  throw new Error(`${network} has no signers of its own that could claim`)
}

/**
 * Claims what is charged of these channels, and reads them again. A row that cannot land is noted with its reason and holds up no other. Resolves
 * with the ids of the channels that must wait. Throws refusals of what sends; then other rows of the group may have been claimed.
 */
export async function claimGroup(app: App, network: EvmNetworkId, group: ClaimGroup, hangUp: AbortSignal): Promise<string[]> {
  const caller = await callerFor(app, group.tenantId)
  const facilitator = senderOn(app, network)
  const rows = rowsOf(
    network,
    group.channels.map(({ row }) => row),
  )
  const ids = rows.map(({ id }) => id)
  const apart = groupsToSend(network, rows, await findReverted(app.db, network, group.tenantId, ids))
  const claimed = await Promise.allSettled(
    apart.map((some) => claimRows(app, { network, caller, facilitator, group, hangUp }, some)),
  )
  await readChannels({ db: app.db, chain: facilitator.chain }, ids)
  return claimed.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Errors of rows that may be claimed later. */
const LATER: ReadonlySet<string> = new Set([NOT_TRIED, 'RevertedOnChain'])

type Claiming = { network: EvmNetworkId; caller: Caller; facilitator: EvmFacilitator; group: ClaimGroup; hangUp: AbortSignal }

async function claimRows(
  app: App,
  { network, caller, facilitator, group, hangUp }: Claiming,
  rows: readonly ClaimRow[],
): Promise<string[]> {
  const { tenantId, races, channels } = group
  // A row of a flagged party is left out, and one that cannot be screened yet waits.
  // One address without a verdict waits alone.
  const asked = { asker: askerFor(caller), leavesOut: ['forbidden', 'too_many', 'unavailable'] } as const
  const prepared = await prepareClear(app, facilitator, asked, (without) => {
    const some = rows.filter(({ channel }) => !without.has(channelIdOf(network, channel)))
    return prepareClaims(app, caller, facilitator, { network, payload: { rows: some, signature: null } })
  })
  const leftOut = 'act' in prepared ? prepared.act.leftOut : (prepared.leftOut ?? [])
  const lost = leftOut.flatMap(({ channelId, error, claimed }) => {
    const isLost = claimed === undefined && !LATER.has(error)
    const channel = isLost ? channels.find(({ id }) => id === channelId) : undefined
    return channel ? [{ id: channelId, signature: channel.row.voucher.signature, why: error }] : []
  })
  const noted = new Map((await markUnclaimable(app.db, network, lost)).map(({ id, isNew }) => [id, isNew]))
  const told = lost.flatMap(({ id, why }) => (noted.get(id) ? [{ id, why }] : []))
  if (told.length > 0) app.log.error({ network, tenantId, lost: told }, 'charged and not claimable')
  if ('failed' in prepared && lost.length === 0) app.log.warn({ network, tenantId, ...prepared.failed }, 'nothing was claimed')
  if ('act' in prepared) {
    const to = channels[0]?.row.channel.receiver ?? ''
    const act = await triedAgain(app, prepared.act)
    const sending = { caller, network, payTo: to, hangUp, byService: { races } }
    const ended = await sendAct(app, sending, facilitator, act, uncounted(caller, network))
    app.log.info({ network, tenantId, races, rows: prepared.act.rows.length, ...outcomeOf(ended) }, 'claimed for a merchant')
  }
  return leftOut.flatMap(({ channelId, claimed }) => (claimed === undefined && !noted.has(channelId) ? [channelId] : []))
}

/** New addresses that the service has screened for a tenant per minute: a claim has a hundred payers. */
const SCREENED_PER_MINUTE = 6_000

const askerFor = ({ tenantId }: Caller) => ({ id: `service:${tenantId}`, perMinute: SCREENED_PER_MINUTE })

/** Pays out what was claimed for a receiver. One that cannot be paid now is put off. */
export async function payOut(app: App, network: EvmNetworkId, due: Due, hangUp: AbortSignal): Promise<void> {
  try {
    await sweep(app, network, due, hangUp)
  } catch (error) {
    if (isServiceError(error) && PUTS_OFF.has(error.refusal)) await putOffDue(app.db, network, due)
    throw error
  }
}

/** Refusals of a payment that hold for longer than a round. */
const PUTS_OFF: ReadonlySet<string> = new Set(['too_many', 'forbidden'])

async function sweep(app: App, network: EvmNetworkId, due: Due, hangUp: AbortSignal): Promise<void> {
  const { tenantId, receiver, token } = due
  const caller = await callerFor(app, tenantId)
  const facilitator = senderOn(app, network)
  const prepared = await prepareSweep(facilitator, { network, payload: { type: 'settle', receiver, token } })
  if ('failed' in prepared) {
    const isNothing = prepared.failed.reason === 'invalid_batch_settlement_evm_nothing_to_settle'
    // A node that is behind says so too: what is put off has the amount 0, and then a second answer a day later ends it.
    if (isNothing && due.amount === '0') return endDue(app.db, network, due)
    if (!isNothing)
      app.log.warn({ network, tenantId, receiver, token, ...prepared.failed }, 'what was claimed cannot be paid out now')
    return putOffDue(app.db, network, due)
  }
  if (!('act' in prepared)) return
  await screenAct(app, facilitator, prepared.act, { asker: askerFor(caller), leavesOut: [] })
  const sending = { caller, network, payTo: receiver, hangUp, byService: { races: false } }
  const act = await triedAgain(app, prepared.act)
  const ended = await sendAct(app, sending, facilitator, act, uncounted(caller, network))
  const outcome = outcomeOf(ended)
  app.log.info({ network, tenantId, receiver, token, ...outcome }, 'paid out to a merchant')
  if (outcome.end === 'landed') await endDue(app.db, network, due)
}

/**
 * The act under a key of its own if the same was tried and failed on chain: the newest block would take it now, and the failed one holds its key
 * for ever.
 */
async function triedAgain(app: App, act: Act): Promise<Act> {
  const known = await findIntent(app.db, hexToBytes(act.intentKey))
  if (!known || !isIn(failedStates, known.state)) return act
  return triedAgain(app, { ...act, intentKey: actKey(['again', act.intentKey, known.id]) })
}

// Nobody reads its quota headers; its unit is counted.
const uncounted = (caller: Caller, network: EvmNetworkId) => ({
  metering: { caller, network, meter: 'settlement' as const },
  quota: null,
})

function outcomeOf(ended: Extract<ActAnswer, { end: 'sent' | 'judged' }>): { end: string; transaction?: string } {
  if (ended.end === 'judged') return { end: ended.failure.reason }
  const { settled } = ended
  return 'transaction' in settled ? { end: settled.end, transaction: settled.transaction } : { end: settled.end }
}
