import { type Hex, size, zeroAddress } from 'viem'
import type { Caller } from '../../accounts/caller'
import type { App } from '../../app'
import { SIGNATURE_BYTES_MAX } from '../../chains/evm/judgement'
import type { HashSigner } from '../../chains/evm/signer'
import { isTooLarge } from '../../chains/evm/transactions'
import { actKey } from '../../x402/intent'
import type { EvmNetworkId } from '../../x402/networks/networks'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { ChannelState, ClaimRow } from '../../x402/schemes/batch-settlement/channel'
import { channelIdOf, claimsHash } from '../../x402/schemes/batch-settlement/hashes'
import type { ClaimPayload } from '../../x402/schemes/batch-settlement/requests'
import { cosignedVoucher } from '../../x402/schemes/batch-settlement/rules'
import type { SignedClaims } from '../../x402/schemes/batch-settlement/transfers'
import { joinEcdsa, voucherSignature } from '../../x402/signatures'
import type { EvmFacilitator } from '../facilitators'
import { type Act, gaining, type LeftOut, NOT_TRIED, type Prepared } from './prepared'
import { findChannels, findClaimed } from './queries'
import { findReverted, REVERTS_MAX, type RevertedClaims } from './reverted'

/** A row with its channel's id. */
export type Row = ClaimRow & { id: Hex }

/** The rows with each voucher in the form that the contract takes; of one channel only the row with the highest total. */
export function rowsOf(network: EvmNetworkId, written: readonly ClaimRow[]): Row[] {
  const rows = new Map<Hex, Row>()
  for (const row of written) {
    const id = channelIdOf(network, row.channel)
    const { signature, maxClaimable } = row.voucher
    // Where a wallet's code decides, the bytes are its own.
    const ecdsa = row.channel.payerAuthorizer === zeroAddress ? null : voucherSignature(signature)
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
 * Judges claims on the newest block and signs them if their authorizer is the caller's. Then a row that fails is left out and named, one above
 * its channel's balance is claimed to the balance, and one that was claimed before is passed over. A signature of the merchant's own is over
 * all rows: then they stand or fall together. Throws when the node does not answer.
 */
export async function prepareClaims(
  app: App,
  caller: Caller,
  { chain, lane }: EvmFacilitator,
  { network, payload }: { network: EvmNetworkId; payload: Omit<ClaimPayload, 'type'> },
): Promise<Prepared> {
  const own = payload.signature === null
  const { rows: written, capped } = own
    ? await cappedToCharge(app, network, rowsOf(network, payload.rows))
    : { rows: withIds(network, payload.rows), capped: [] }
  if (written.length === 0) return failing('There is no row to claim: EmptyBatch.')
  if (payload.signature && isTooLong(payload.signature)) return failing(TOO_LONG)
  const authorizer = own ? authorizerFor(app, caller, written) : null
  if (authorizer && isFailure(authorizer)) return { failed: authorizer }

  const states = await chain.channels.states(written.map(({ id }) => id))
  const before = new Map(written.map(({ id }, at) => [id, states[at]?.totalClaimed ?? 0n]))
  const isDone = (row: Row, at: number) => row.totalClaimed <= (states[at]?.totalClaimed ?? -1n)
  if (written.every(isDone)) {
    const hash = await findClaimed(app.db, network, written)
    return hash === null
      ? failing('Every row was claimed before, by transactions that are not ours.')
      : { done: hash, leftOut: [] }
  }
  const reverted = own
    ? await findReverted(
        app.db,
        network,
        caller.tenantId,
        written.map(({ id }) => id),
      )
    : NONE
  const judged = await judgeRows(chain, network, { rows: written, states, reverted })
  const act = (rows: readonly Row[]): Claiming => {
    const signature = payload.signature ?? authorizer?.sign(claimsHash(network, rows)) ?? '0x'
    return claimOf(network, rows, { signature, signedHere: own, before })
  }
  const whyNot = (rows: readonly Row[]) => chain.channels.whyFailing(act(rows).transfer, lane)
  const leftOut: LeftOut[] = [...capped]
  let rows: Row[] = []
  if (own) {
    for (const [at, { row, error }] of judged.entries()) {
      const channelId = written[at]?.id ?? '0x'
      if (error) leftOut.push({ channelId, error, ...(row ? { claimed: row.totalClaimed } : {}) })
      if (row) rows.push(row)
    }
    if (rows.length > 0 && isTooLarge(network, act(rows).transfer)) return failing(TOO_LARGE)
    const bad = await findBad(whyNot, rows)
    rows = rows.filter(({ id }) => !bad.has(id))
    for (const [channelId, error] of bad) leftOut.push({ channelId, error })
  } else {
    rows = written
    const wrong = judged.flatMap(({ error }, at) => (error ? [`row ${at}: ${error}`] : []))
    const why = wrong.length > 0 ? wrong.join(', ') : await whyNot(rows)
    if (why) return failing(`The claim would fail on chain: ${why}.`)
  }
  const gain = gainOf(rows, before)
  if (gain === 0n) {
    const why = leftOut.map(({ channelId, error }) => `${channelId} ${error}`).join(', ')
    return { ...failing(`No row can be claimed: ${why}.`), leftOut }
  }
  return { act: { ...act(rows), leftOut } }
}

const TOO_LARGE = 'These rows take more gas than one transaction may. Claim them in several requests.'
const TOO_LONG = `A signature has more than ${SIGNATURE_BYTES_MAX} bytes.`

/** Whether a signature is longer than any that is sent: each byte costs gas. */
export const isTooLong = (signature: Hex): boolean => size(signature) > SIGNATURE_BYTES_MAX

type Claiming = Act & { transfer: SignedClaims }

/** The act that claims these rows. `before`: what was claimed of each channel. */
export function claimOf(
  network: EvmNetworkId,
  rows: readonly Row[],
  { signature, signedHere, before }: { signature: Hex; signedHere: boolean; before: ReadonlyMap<Hex, bigint> },
): Claiming {
  const [first] = rows
  if (!first) throw new Error('a claim has rows')
  const { receiverAuthorizer, receiver, token } = first.channel
  return {
    kind: 'claim',
    intentKey: actKey(['batch-claim', network, ...rows.flatMap(({ id, totalClaimed }) => [id, String(totalClaimed)]).sort()]),
    amount: gainOf(rows, before),
    leftOut: [],
    rows: gaining(rows, (id) => before.get(id) ?? 0n),
    transfer: {
      method: 'batch-claim',
      asset: token,
      authorization: { from: receiverAuthorizer, to: receiver, value: 0n },
      signature,
      proof: 'key',
      signedHere,
      gain: gainOf(rows, before),
      ids: rows.map(({ id }) => id),
      rows: rows.map(({ id: _, ...row }) => row),
    },
  }
}

/**
 * The rows with no total above what was charged of a channel that is kept here. `capped` names those that asked for more: their voucher
 * covers it, and their server charged less.
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

const gainOf = (rows: readonly Row[], before: ReadonlyMap<Hex, bigint>): bigint =>
  rows.reduce((sum, { id, totalClaimed }) => sum + more(totalClaimed, before.get(id) ?? 0n), 0n)

const withIds = (network: EvmNetworkId, rows: readonly ClaimRow[]): Row[] =>
  rows.map((row) => ({ ...row, id: channelIdOf(network, row.channel) }))

const more = (total: bigint, before: bigint) => (total > before ? total - before : 0n)

/** What of a row can be claimed, and the error of the contract if that is not all. Neither: it was claimed before. */
type JudgedRow = { row: Row | null; error: string | null }

/** Rows, the states of their channels, and which of their claims reverted lately. */
type Known = { rows: readonly Row[]; states: readonly (ChannelState | null)[]; reverted: ReadonlyMap<string, RevertedClaims> }

const NONE: ReadonlyMap<string, RevertedClaims> = new Map()

/** Judges rows by the states of their channels, and the signatures of those that gain by them. */
async function judgeRows(
  chain: EvmFacilitator['chain'],
  network: EvmNetworkId,
  { rows, states, reverted }: Known,
): Promise<JudgedRow[]> {
  const byState = rows.map((row, at) => {
    const one = judgeByState(row, states[at] ?? null)
    const reverts = reverted.get(row.id)?.alone ?? 0
    return one.row && reverts >= REVERTS_MAX ? { row: null, error: 'RevertedOnChain' } : one
  })
  const gaining = byState.flatMap(({ row }) => (row ? [row] : []))
  const approved = await chain.channels.approvesEach(gaining.map((row) => cosignedVoucher(network, row, row.id)))
  const forged = new Set(gaining.filter((_, at) => !approved[at]))
  return byState.map((one) => (one.row && forged.has(one.row) ? { row: null, error: 'InvalidSignature' } : one))
}

function judgeByState(row: Row, state: ChannelState | null): JudgedRow {
  if (isTooLong(row.voucher.signature)) return { row: null, error: 'InvalidSignature' }
  if (state && row.totalClaimed <= state.totalClaimed) return { row: null, error: null }
  if (row.totalClaimed > row.voucher.maxClaimable) return { row: null, error: 'ClaimExceedsCeiling' }
  if (state === null || state.balance <= state.totalClaimed) return { row: null, error: 'ClaimExceedsBalance' }
  if (row.totalClaimed <= state.balance) return { row, error: null }
  // Any total up to what was signed can be claimed: this saves what a withdrawal left.
  return { row: { ...row, totalClaimed: state.balance }, error: 'ClaimExceedsBalance' }
}

/** The calls of a node that find the rows that fail. */
const TRIALS_MAX = 16

/** The rows of which one alone fails, with its error: each half is tried until it passes or is one row. What is never tried is among them. */
async function findBad(
  why: (rows: readonly Row[]) => Promise<string | null>,
  rows: readonly Row[],
): Promise<ReadonlyMap<Hex, string>> {
  const bad = new Map<Hex, string>()
  const parts = [rows]
  for (let tried = 0; parts.length > 0; tried++) {
    const part = parts.shift() ?? []
    const error = part.length === 0 ? null : tried < TRIALS_MAX ? await why(part) : NOT_TRIED
    if (error === null) continue
    const half = part.length >> 1
    if (half === 0 || error === NOT_TRIED) for (const { id } of part) bad.set(id, error)
    else parts.push(part.slice(0, half), part.slice(half))
  }
  return bad
}
