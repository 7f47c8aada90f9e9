import type { Hex } from 'viem'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { isMadeBy } from '../../chains/evm/judgement'
import type { HashSigner } from '../../chains/evm/signer'
import { actKey } from '../../x402/intent'
import type { EvmNetworkId } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import { claimsData } from '../../x402/schemes/batch-settlement/acts'
import { type ChannelState, type ClaimRow, NOBODY } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf, claimsHash } from '../../x402/schemes/batch-settlement/hashes'
import type { ClaimPayload } from '../../x402/schemes/batch-settlement/requests'
import { cosignedVoucher } from '../../x402/schemes/batch-settlement/rules'
import { joinEcdsa, voucherSignature } from '../../x402/signatures'
import type { EvmFacilitator } from '../facilitators'
import { gaining, type LeftOut, type Prepared } from './prepared'
import { findChannels, findClaimed } from './queries'

/** A row with its channel's id. */
type Row = ClaimRow & { id: Hex }

/** The rows with each voucher in the form that the contract takes; of one channel only the row with the highest total. */
export function rowsOf(network: EvmNetworkId, written: readonly ClaimRow[]): Row[] {
  const rows = new Map<Hex, Row>()
  for (const row of written) {
    const id = channelIdOf(network, row.channel)
    const { signature, maxClaimable } = row.voucher
    // Where a wallet's code decides, the bytes are its own.
    const ecdsa = row.channel.payerAuthorizer === NOBODY ? null : voucherSignature(signature)
    const voucher = { maxClaimable, signature: ecdsa ? joinEcdsa(ecdsa) : signature }
    if ((rows.get(id)?.totalClaimed ?? -1n) < row.totalClaimed) rows.set(id, { ...row, voucher, id })
  }
  return [...rows.values()]
}

/** The key of the caller that signs for all of these rows; a failure where there is none. */
export function authorizerFor(app: App, caller: Caller, rows: readonly ClaimRow[]): HashSigner | Failure {
  if (!app.authorizers.newest(caller)) return failure('invalid_batch_settlement_evm_authorizer_not_configured')
  const [first] = rows
  const found = first ? app.authorizers.at(caller, first.channel.receiverAuthorizer) : null
  if (found && rows.every(({ channel }) => channel.receiverAuthorizer === found.address)) return found
  return failure('invalid_batch_settlement_evm_authorizer_address_mismatch')
}

export const isFailure = (found: HashSigner | Failure): found is Failure => 'reason' in found

const failing = (message: string): { failed: Failure } => ({
  failed: failure('invalid_batch_settlement_evm_claim_simulation_failed', message),
})

/**
 * Judges claims on the newest block and signs them if their authorizer is the caller's. Then a row that fails is left out and named, and one
 * above its channel's balance is claimed to the balance. A signature of the merchant's own is over all rows: then they stand or fall together.
 * Throws when the node does not answer.
 */
export async function prepareClaims(
  app: App,
  caller: Caller,
  { chain }: EvmFacilitator,
  { network, payload }: { network: EvmNetworkId; payload: Omit<ClaimPayload, 'type'> },
): Promise<Prepared> {
  const { rows: written, capped } =
    payload.signature === null
      ? await cappedToCharge(app, network, rowsOf(network, payload.rows))
      : { rows: withIds(network, payload.rows), capped: [] }
  if (written.length === 0) return failing('There is no row to claim: EmptyBatch.')
  const authorizer = payload.signature === null ? authorizerFor(app, caller, written) : null
  if (authorizer && isFailure(authorizer)) return { failed: authorizer }

  const states = await chain.channels.states(written.map(({ id }) => id))
  const judged = await Promise.all(written.map((row, at) => judgeRow(chain, network, row, states[at] ?? null)))
  const done = written.filter((row, at) => row.totalClaimed <= (states[at]?.totalClaimed ?? -1n))
  if (done.length === written.length) {
    const hash = await findClaimed(app.db, network, written)
    return hash === null
      ? failing('Every row was claimed before, by transactions that are not ours.')
      : { done: hash, leftOut: [] }
  }
  const sign = (rows: readonly ClaimRow[]): Hex => payload.signature ?? authorizer?.sign(claimsHash(network, rows)) ?? '0x'
  const try_ = (rows: readonly Row[]) => chain.channels.whyFailing(claimsData(rows, sign(rows)))
  const leftOut: LeftOut[] = [...capped]
  let rows: Row[] = []
  if (payload.signature === null) {
    for (const [at, { row, error }] of judged.entries()) {
      const channelId = written[at]?.id ?? '0x'
      if (error) leftOut.push({ channelId, error, ...(row ? { claimed: row.totalClaimed } : {}) })
      if (row) rows.push(row)
    }
    const bad = await findBad(try_, rows)
    rows = rows.filter(({ id }) => !bad.has(id))
    for (const [channelId, error] of bad) leftOut.push({ channelId, error })
  } else {
    rows = written
    const wrong = judged.flatMap(({ error }, at) => (error ? [`row ${at}: ${error}`] : []))
    const why = wrong.length > 0 ? wrong.join(', ') : await try_(rows)
    if (why) return failing(`The claim would fail on chain: ${why}.`)
  }
  const before = new Map(written.map(({ id }, at) => [id, states[at]?.totalClaimed ?? 0n]))
  const gain = rows.reduce((sum, { id, totalClaimed }) => sum + more(totalClaimed, before.get(id) ?? 0n), 0n)
  if (gain === 0n) {
    const why = leftOut.map(({ channelId, error }) => `${channelId} ${error}`).join(', ')
    return { ...failing(`No row can be claimed: ${why}.`), leftOut }
  }
  const [{ channel }] = rows as [Row, ...Row[]]
  const intentKey = actKey(['batch-claim', network, ...rows.flatMap(({ id, totalClaimed }) => [id, String(totalClaimed)]).sort()])
  return {
    act: {
      kind: 'claim',
      intentKey,
      amount: gain,
      leftOut,
      rows: gaining(rows, (id) => before.get(id) ?? 0n),
      transfer: {
        method: 'batch-claim',
        asset: channel.token,
        authorization: { from: channel.receiverAuthorizer, to: channel.receiver, value: 0n },
        signature: sign(rows),
        proof: 'key',
        ids: rows.map(({ id }) => id),
        rows: rows.map(({ id: _, ...row }) => row),
      },
    },
  }
}

/**
 * The rows with no total above what was charged of a channel that is kept here. `capped` names those that asked for more: their voucher would
 * cover it, and nobody was served for it.
 */
async function cappedToCharge(
  app: App,
  network: EvmNetworkId,
  written: readonly Row[],
): Promise<{ rows: Row[]; capped: LeftOut[] }> {
  const known = await findChannels(
    app.db,
    network,
    written.map(({ id }) => id),
  )
  const chargeOf = ({ id, totalClaimed }: Row) => {
    const channel = known.get(id)
    return channel?.kept && channel.charged < totalClaimed ? channel.charged : totalClaimed
  }
  return {
    rows: written.map((row) => ({ ...row, totalClaimed: chargeOf(row) })),
    capped: written.flatMap((row) => {
      const claimed = chargeOf(row)
      return claimed < row.totalClaimed ? [{ channelId: row.id, error: 'ClaimExceedsCharged', claimed }] : []
    }),
  }
}

const withIds = (network: EvmNetworkId, rows: readonly ClaimRow[]): Row[] =>
  rows.map((row) => ({ ...row, id: channelIdOf(network, row.channel) }))

const more = (total: bigint, before: bigint) => (total > before ? total - before : 0n)

/** What of a row can be claimed, and the error of the contract if that is not all. A row that was claimed before is passed over there. */
async function judgeRow(
  chain: EvmFacilitator['chain'],
  network: EvmNetworkId,
  row: Row,
  state: ChannelState | null,
): Promise<{ row: Row | null; error: string | null }> {
  if (state && row.totalClaimed <= state.totalClaimed) return { row, error: null }
  if (row.totalClaimed > row.voucher.maxClaimable) return { row: null, error: 'ClaimExceedsCeiling' }
  const cosigned = cosignedVoucher(network, row, row.id)
  const signed = cosigned.wallet === null ? isMadeBy(cosigned) : await chain.channels.approves(cosigned)
  if (!signed) return { row: null, error: 'InvalidSignature' }
  if (state === null || state.balance <= state.totalClaimed) return { row: null, error: 'ClaimExceedsBalance' }
  if (row.totalClaimed <= state.balance) return { row, error: null }
  // Any total up to what was signed can be claimed: this saves what a withdrawal left.
  return { row: { ...row, totalClaimed: state.balance }, error: 'ClaimExceedsBalance' }
}

/** The rows of which one alone fails, with its error: each half is tried until it passes or is one row. */
async function findBad(
  why: (rows: readonly Row[]) => Promise<string | null>,
  rows: readonly Row[],
): Promise<ReadonlyMap<Hex, string>> {
  if (rows.length === 0) return new Map()
  const error = await why(rows)
  if (error === null) return new Map()
  const [only, ...others] = rows
  if (only && others.length === 0) return new Map([[only.id, error]])
  const half = rows.length >> 1
  const [left, right] = await Promise.all([findBad(why, rows.slice(0, half)), findBad(why, rows.slice(half))])
  return new Map([...left, ...right])
}
