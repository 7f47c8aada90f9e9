import { type Chains, laneKey, spelled } from './chain'
import type { Acted, Answered, Description, Transfer } from './description'
import type { Ledger, SlotRow } from './ledger'

/** The violations of each kind, described in words; all lists must be empty. */
export type Verdicts = {
  double_success: string[]
  success_without_transfer: string[]
  transfer_without_row: string[]
  overcharges: string[]
  orphan_claims: string[]
  slot_gaps: string[]
  quota_overgrant: string[]
  channel_sums: string[]
  channel_acts: string[]
  channel_charges: string[]
  secrets_in_logs: string[]
}

export type Evidence = { answers: Answered[]; acted: Acted[]; ledger: Ledger; chains: Chains }

const intentOf = ({ network, payer, nonce }: { network: string; payer: string; nonce: string }) =>
  `${network} ${spelled(network, payer)} ${nonce.toLowerCase()}`

const succeeded = ({ status, body }: Answered) => status === 200 && body.success === true

/** Intents with more than one success answer or more than one transfer. */
export function doubleSuccess({ answers, chains }: Evidence): string[] {
  const successes = answers.filter((answer) => succeeded(answer) && !answer.replayed)
  return [
    ...repeated(successes.map(intentOf)).map((intent) => `answered twice: ${intent}`),
    ...repeated(chains.transfers.map(intentOf)).map((intent) => `moved twice: ${intent}`),
  ]
}

/** Successes, answered or in the history, without their exact transfer on-chain. */
export function successWithoutTransfer({ answers, ledger, chains }: Evidence): string[] {
  const byIntent = new Map(chains.transfers.map((transfer) => [intentOf(transfer), transfer]))
  const unproven = answers.filter(succeeded).filter((answer) => !proves(byIntent.get(intentOf(answer)), answer))
  const settlements = new Map(ledger.settlements.map((settlement) => [settlement.id, settlement]))
  const rows = ledger.history.filter((row) => {
    if (!row.success) return false
    const { nonce = '', asset = '', maximum = null } = settlements.get(row.settlementId ?? '') ?? {}
    const transfer = byIntent.get(intentOf({ ...row, nonce }))
    if (maximum !== null && row.amount === 0n) return transfer !== undefined || row.txHash !== ''
    return !moved(transfer, { ...row, asset, value: row.amount }) || transfer?.txHash !== spelled(row.network, row.txHash)
  })
  return [...unproven.map((answer) => `answered: ${intentOf(answer)}`), ...rows.map(({ id }) => `in the history: ${id}`)]
}

// A flash success names the preconfirmed transaction; a replacement with the same transfer may have landed instead.
function proves(transfer: Transfer | undefined, { tier, body, ...terms }: Answered): boolean {
  // A charge of nothing moves nothing.
  if (terms.value === '0') return transfer === undefined && body.transaction === ''
  if (!moved(transfer, { ...terms, value: BigInt(terms.value) })) return false
  return tier === 'flash' || transfer?.txHash === spelled(terms.network, String(body.transaction))
}

/** Whether a transfer moved this much of this token to this recipient. */
function moved(transfer: Transfer | undefined, terms: Pick<Transfer, 'network' | 'payTo' | 'asset' | 'value'>): boolean {
  const { network, payTo, asset, value } = terms
  return transfer?.payTo === spelled(network, payTo) && transfer.asset === spelled(network, asset) && transfer.value === value
}

/** Transfers of our accounts without a history row, unless history was off for the key. */
export function transferWithoutRow({ ledger, chains }: Evidence): string[] {
  const sponsors = chains.paid.map(({ network, sponsor }) => ({ network, address: sponsor }))
  const ours = new Set([...ledger.lanes, ...sponsors].map(laneKey))
  const recorded = new Set(ledger.history.flatMap(({ success, settlementId }) => (success && settlementId ? [settlementId] : [])))
  const settlements = new Map<string, Ledger['settlements'][number]>()
  for (const settlement of ledger.settlements) {
    const intent = intentOf(settlement)
    // An UNPAID settlement frees its intent, so a later settlement decides the payment.
    if (settlement.state === 'REJECTED' || (settlement.state === 'UNPAID' && settlements.has(intent))) continue
    settlements.set(intent, settlement)
  }
  return chains.transfers
    .filter(({ network, sender }) => ours.has(laneKey({ network, address: sender })))
    .filter((transfer) => {
      const settlement = settlements.get(intentOf(transfer))
      return !settlement || (settlement.logged && !recorded.has(settlement.id))
    })
    .map((transfer) => `${intentOf(transfer)} in ${transfer.txHash}`)
}

/** Charges by `upto` of more than was signed, of another amount than the ledger has, or from another account than the payer named. */
export function overcharges({ ledger, chains }: Evidence): string[] {
  const claims = ledger.settlements.filter(({ maximum, state }) => maximum !== null && state !== 'REJECTED' && state !== 'UNPAID')
  const byIntent = new Map(claims.map((claim) => [intentOf(claim), claim]))
  const moved = chains.transfers.flatMap(({ signed, ...transfer }) => {
    if (!signed) return []
    const claim = byIntent.get(intentOf(transfer))
    const isClaimed = !claim || (claim.amount === transfer.value && claim.maximum === signed.maximum)
    const isAllowed = transfer.value <= signed.maximum && transfer.sender === signed.facilitator
    return isClaimed && isAllowed ? [] : [`${intentOf(transfer)} in ${transfer.txHash}`]
  })
  const claimed = claims.filter(({ amount, maximum }) => maximum !== null && amount > maximum)
  return [...moved, ...claimed.map(({ id }) => `in the ledger: ${id}`)]
}

const OPEN = ['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED']

/** Late settlements that are neither final nor on-chain. */
export function orphanClaims({ ledger }: Evidence, { settlementMs }: Description['bounds']): string[] {
  return ledger.settlements
    .filter(({ state, ageMs }) => OPEN.includes(state) && ageMs > settlementMs)
    .map(({ id, state }) => `${id} is ${state}`)
}

/** Nonces that are missing, used twice, unknown to the ledger or late; on Solana, paid transactions unknown to the ledger. */
export function slotGaps({ ledger, chains }: Evidence, { slotMs }: Description['bounds']): string[] {
  const written = new Set(ledger.signatures)
  const unwritten = chains.paid.filter(({ txHash }) => !written.has(txHash))
  const ofLanes = ledger.lanes.flatMap((lane) => {
    const slots = ledger.slots.filter((slot) => slot.lane === lane.lane)
    const next = lane.nextNonce ?? 0n
    const count = chains.counts.get(laneKey(lane)) ?? 0n
    const first = slots[0]?.nonce ?? next
    const gaps = slots.filter(({ nonce }, at) => nonce !== first + BigInt(at)).map(({ nonce }) => `before nonce ${nonce}`)
    const end = first + BigInt(slots.length)
    if (end !== next) gaps.push(`the next nonce is ${next} and not ${end}`)
    if (count > next) gaps.push(`the chain counts ${count} and the ledger ${next}`)
    return [...gaps, ...slots.flatMap((slot) => unfilled(slot, count, slotMs))].map((gap) => `${lane.address}: ${gap}`)
  })
  return [...ofLanes, ...unwritten.map(({ sponsor, txHash }) => `${sponsor}: ${txHash} is not in the ledger`)]
}

function unfilled({ nonce, state, ageMs }: SlotRow, count: bigint, slotMs: number): string[] {
  if (state === 'filled') return nonce < count ? [] : [`nonce ${nonce} is filled and the chain does not know it`]
  return ageMs > slotMs ? [`nonce ${nonce} has been ${state} for too long`] : []
}

/** What was never signed, or failed on the chain without a success before, costs no unit. */
const GIVEN_BACK = new Set(['REJECTED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID'])

/** Subjects over their quota, or with more accepted payments than units taken. */
export function quotaOvergrant({ answers, ledger }: Evidence, quotas: Description['quotas']): string[] {
  const accepted = (subject: string, period: string) =>
    ledger.settlements.filter((one) => one.subject === subject && one.period === period && !GIVEN_BACK.has(one.state)).length
  const overgrants = ledger.usage.flatMap(({ subject, period, used, returned }) => {
    const limit = quotas[subject] ?? (subject.startsWith('ip:') ? quotas.ip : undefined)
    if (limit === undefined) return [`${subject}: its quota is unknown`]
    const count = accepted(subject, period)
    return [
      ...(used > limit ? [`${subject}: ${used} used of ${limit}`] : []),
      ...(count > used ? [`${subject}: ${count} accepted for ${used} units`] : []),
      ...(returned > Math.ceil(limit / 10) ? [`${subject}: ${returned} units given back of ${limit}`] : []),
    ]
  })
  const metered = new Set(ledger.usage.map(({ subject }) => subject))
  const free = new Set(answers.filter(succeeded).map(({ subject }) => subject))
  return [...overgrants, ...[...free].filter((subject) => !metered.has(subject)).map((subject) => `${subject}: never metered`)]
}

function repeated(keys: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key)
}
