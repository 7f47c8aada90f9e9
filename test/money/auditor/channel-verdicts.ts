import { laneKey } from './chain'
import type { ChannelBooks, ChannelEvent } from './channels'
import type { Acted, Description } from './description'
import type { SettlementRow } from './ledger'
import type { Evidence } from './verdicts'

/** Sums of the contract's events that are not its state, and tokens that it lacks. */
export function channelSums({ chains }: Evidence): string[] {
  return chains.books.flatMap((books) => [
    ...books.channels.flatMap((channel) => unevenChannel(books, channel)),
    ...books.receivers.flatMap((receiver) => unevenReceiver(books, receiver)),
    ...books.held.flatMap((held) => lacking(books, held)),
  ])
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n)

const moved = ({ events }: ChannelBooks, kind: ChannelEvent['kind'], of: string): bigint =>
  sum(events.flatMap((one) => (one.kind === kind && one.of === of ? [one.amount] : [])))

function unevenChannel(books: ChannelBooks, { id, balance, claimed }: ChannelBooks['channels'][number]): string[] {
  const left = moved(books, 'deposit', id) - moved(books, 'refund', id) - moved(books, 'withdrawal', id)
  const counted = moved(books, 'claim', id)
  return [
    ...(left === balance ? [] : [`${id} has ${balance}, and its events leave ${left}`]),
    ...(counted === claimed ? [] : [`${id} has claims of ${claimed}, and its events of ${counted}`]),
    ...(claimed <= balance ? [] : [`${id} has ${balance}, and ${claimed} is claimed`]),
  ]
}

function unevenReceiver(books: ChannelBooks, { of, claimed, settled }: ChannelBooks['receivers'][number]): string[] {
  const own = books.channels.filter(({ receiver, token }) => `${receiver} ${token}` === of)
  const counted = sum(own.map((channel) => channel.claimed))
  const paid = moved(books, 'sweep', of)
  return [
    ...(counted === claimed ? [] : [`${of} is credited ${claimed}, and its channels claimed ${counted}`]),
    ...(paid === settled ? [] : [`${of} was paid ${settled}, and by events ${paid}`]),
    ...(settled <= claimed ? [] : [`${of} was paid ${settled} of ${claimed}`]),
  ]
}

function lacking(books: ChannelBooks, { token, amount }: ChannelBooks['held'][number]): string[] {
  const free = sum(books.channels.flatMap((one) => (one.token === token ? [one.balance - one.claimed] : [])))
  const due = sum(books.receivers.flatMap((one) => (one.token === token ? [one.claimed - one.settled] : [])))
  return free + due <= amount ? [] : [`the contract holds ${amount} of ${token} and owes ${free + due}`]
}

const LANDED: ReadonlySet<string> = new Set(['PRECONFIRMED', 'INCLUDED', 'FINAL'])
const ACTS: ReadonlySet<string> = new Set(['deposit', 'claim', 'refund', 'sweep'])

/** Events of our accounts without the row that allowed them, rows and success answers without their event. */
export function channelActs({ acted, ledger, chains }: Evidence): string[] {
  const events = chains.books.flatMap((books) => books.events)
  const lanes = new Set(ledger.lanes.map(laneKey))
  const landed = ledger.settlements.filter(({ kind, state }) => ACTS.has(kind) && LANDED.has(state))
  const rows = new Map<string, { channelId: string; total: bigint }[]>()
  for (const { settlementId, ...row } of ledger.claimRows) rows.set(settlementId, [...(rows.get(settlementId) ?? []), row])
  const allows = (one: ChannelEvent, settlement: SettlementRow): boolean => {
    if (settlement.txHash !== one.txHash || settlement.network !== one.network) return false
    if (one.kind === 'claim')
      return (rows.get(settlement.id) ?? []).some(({ channelId, total }) => channelId === one.of && total === one.total)
    if (settlement.kind !== one.kind) return false
    if (one.kind === 'refund') return settlement.channelId === one.of && one.amount <= settlement.amount
    return one.kind === 'sweep' || settlement.amount === one.amount
  }
  const unwritten = events
    .filter(({ network, sender }) => lanes.has(laneKey({ network, address: sender })))
    .filter((one) => !landed.some((settlement) => allows(one, settlement)))
    .map((one) => `${one.kind} of ${one.of} in ${one.txHash} has no row`)
  const unmade = landed
    .filter((settlement) => !events.some((one) => one.kind === settlement.kind && allows(one, settlement)))
    .map(({ id, kind }) => `${kind} ${id} is not on the chain`)
  return [...unwritten, ...unmade, ...acted.flatMap((one) => unproven(one, events))]
}

/** Why a success answer is not what its transaction did. */
function unproven({ act, network, of, status, body }: Acted, events: readonly ChannelEvent[]): string[] {
  if (status !== 200 || body.success !== true) return []
  const made = events.filter((one) => one.network === network && one.kind === act && of.includes(one.of))
  const inIt = made.filter(({ txHash }) => txHash === body.transaction)
  const told = `the answer to a ${act} of ${of[0]} names ${body.transaction}`
  if (inIt.length === 0) return [told]
  const amount = sum(inIt.map((one) => one.amount))
  return typeof body.amount === 'string' && body.amount !== String(amount) ? [`${told} with ${body.amount} for ${amount}`] : []
}

/** Channels of which more was claimed than charged, or charged than signed; and, of what merchants counted, any difference to the claims. */
export function channelCharges({ ledger, chains }: Evidence, counted: NonNullable<Description['charges']>): string[] {
  const events = chains.books.flatMap((books) => books.events)
  const lanes = new Set(ledger.lanes.map(laneKey))
  const isOurs = ({ network, sender }: ChannelEvent) => lanes.has(laneKey({ network, address: sender }))
  const known = ledger.channels.flatMap(({ network, id, signed, charged, kept }) => {
    const over = events.filter((one) => one.network === network && one.of === id && one.kind === 'claim' && isOurs(one))
    return [
      ...(kept && charged > signed ? [`${id} is charged ${charged} of ${signed}`] : []),
      ...over.flatMap(({ total }) => ((total ?? 0n) > charged ? [`${id} is claimed to ${total}, and charged ${charged}`] : [])),
    ]
  })
  const channels = new Map(
    chains.books.flatMap((books) => books.channels.map((one) => [`${one.network} ${one.id}`, one.claimed])),
  )
  const differing = counted.flatMap(({ network, channelId, charged }) => {
    const claimed = channels.get(`${network} ${channelId.toLowerCase()}`) ?? 0n
    return claimed === BigInt(charged) ? [] : [`${channelId} is claimed to ${claimed}, and its merchant charged ${charged}`]
  })
  return [...known, ...differing]
}
