import type { Chain } from './chain'
import {
  DEPOSIT,
  type Deposit,
  depositBody,
  managerBody,
  newDeposit,
  newSelling,
  PRICE,
  refundBody,
  rowOf,
  soldBody,
  voucherOf,
} from './channel-bodies'
import type { ChannelOracle } from './channel-oracle'
import type { Traffic } from './channel-traffic'
import type { Database } from './database'
import type { Instance } from './instance'
import { UNMANAGED_SEEDS } from './kept'
import { createServers, type Known, type Server, type StoredRow } from './merchant-servers'
import { MERCHANTS } from './merchants'
import { AWAY } from './payers'
import type { Random } from './random'
import type { Schedule } from './schedule'
import type { KeptSelling } from './selling'

/** When the service claims for the merchant. */
type Policy = { above: bigint; afterSeconds: number }

/** How many channels of a run are kept at the service, and when it claims them. Its draws come from a stream of their own. */
type Managed = { count: number; policy: Policy; random: Random }

/** Only a withdrawal makes the service claim. */
const LAZY: Policy = { above: 10n ** 12n, afterSeconds: 600 }
const EAGER: Policy = { above: 1n, afterSeconds: 2 }

/** Draws the kept channels of a seed: every fourth seed has some, none of which has other channels. */
export function drawManaged(seed: number, random: Random): Managed | null {
  if (seed <= UNMANAGED_SEEDS || seed % 4 !== 0) return null
  const usual = { above: random.pick([1n, 1_500n, 4_000n]), afterSeconds: random.pick([2, 5]) }
  return { count: random.whole(1, 3), policy: random.chance(0.4) ? LAZY : usual, random }
}

/** How often an instance looks at the channels. */
export const LOOKS_EVERY_MS = 500
/** How long after the last fault a claim, its wait after a refusal, and its blocks may take. */
export const CALM_MS = 25_000
/** How long a run waits for the last claims and payments. */
const WAIT_MS = 75_000
/** For how long a request holds its channel, and how old a server lets a state of the chain be. */
const HOLDS_MS = 2_000
const FRESH_MS = 10_000

type Planning = {
  managed: Managed
  database: Database
  schedule: Schedule
  chain: Chain
  oracle: ChannelOracle
  instances: () => readonly Instance[]
  /** When the faults of the run end, milliseconds after its start. */
  lastsMs: number
  /** The most blocks that a reorganisation takes away. */
  depth: number
}

/**
 * Draws what two processes of one merchant, its payers and others do with channels that the service keeps, and schedules it. Nobody asks for a
 * claim at the end: the service makes it.
 */
export function planManaged({ managed, database, schedule, chain, oracle, instances, lastsMs, depth }: Planning): Traffic {
  const { count, random } = managed
  const { world } = schedule
  const now = BigInt(Math.floor(schedule.now() / 1_000))
  const isFaulty = () => schedule.elapsed() < lastsMs
  const servers = createServers({ schedule, random: random.stream('servers'), instances, isFaulty, broken: oracle.broken })
  /** The merchant chooses when the service claims. */
  const choose = ({ above, afterSeconds }: Policy) =>
    database.rows(
      `UPDATE "Tenant" SET "claimAbove" = $2::numeric, "claimAfterSeconds" = $3::int WHERE "id" = $1::uuid`,
      MERCHANTS.keyed.owner.tenantId,
      String(above),
      afterSeconds,
    )
  choose(managed.policy)
  let planned = 0

  function later(least: number, most: number, what: string, act: () => void): void {
    planned++
    schedule.after(random.whole(least, most), world, what, () => {
      planned--
      act()
    })
  }

  /** A process does this at a drawn time, if one runs then. */
  const play = (least: number, most: number, what: string, act: (server: Server) => Promise<void>) =>
    later(least, most, what, () => {
      const server = servers.pick()
      if (server) servers.play(server, act)
    })

  const bookOf = ({ id }: KeptSelling) => chain.head().state.channels.get(id)
  const ends = lastsMs + 8_000
  const sellings = Array.from({ length: count }, (_, at): KeptSelling => {
    const selling = newSelling(at, now, random, random.pick([1_500, 3_000]))
    return { ...selling, name: `k${at}`, kept: { confirmed: 0n } }
  })
  for (const selling of sellings) {
    const { name, config, id } = selling
    const { payer } = config
    oracle.knows(selling)
    const isOpen = () => (bookOf(selling)?.balance ?? 0n) > 0n
    const first: Deposit = selling
    const deposits = random.chance(0.3) ? [first, newDeposit({ id, payer }, now, random)] : [first]
    for (const { authorization } of deposits) chain.signed(authorization)
    for (const [from, to] of [
      [200, 2_000],
      [2_000, lastsMs],
      [lastsMs, ends],
    ] as const)
      play(from, to, '', async (server) => {
        if (!isOpen()) await serve(server, selling, first)
      })
    for (const deposit of deposits.slice(1))
      play(4_000, ends, `${name} gets one more deposit`, (server) => serve(server, selling, deposit))
    for (let left = random.whole(4, 12); left > 0; left--)
      play(2_000, ends, '', async (server) => {
        if (isOpen()) await serve(server, selling, null)
      })
    // A merchant that deletes a channel here may keep it itself, and then claims by its own count.
    if (random.chance(0.4)) play(3_000, ends, '', (server) => claim(server, selling))
    else if (random.chance(0.3)) play(4_000, ends, '', (server) => remove(server, selling))
    if (random.chance(0.4)) play(4_000, ends, '', (server) => refund(server, selling))
    if (random.chance(0.3)) play(4_000, ends, '', (server) => refundStale(server, selling))
    for (let left = random.whole(0, 3); left > 0; left--) play(3_000, ends, '', (server) => rollBack(server, selling))
    if (random.chance(0.3)) play(3_000, ends, '', (server) => cheat(server, selling))
    if (random.chance(0.6)) planWithdrawal(selling)
    if (random.chance(0.4)) planUndoing(selling)
  }
  // Payers who withdraw have done so: what is left waits for nobody.
  const eagerMs = lastsMs + CALM_MS + 8_000
  later(eagerMs, eagerMs, 'the merchant wants its money soon', () => choose(EAGER))
  for (let left = random.whole(0, 4); left > 0; left--)
    later(1_000, ends, '', () => {
      const server = servers.pick()
      if (server) servers.crash(server)
    })

  /** The payer asks to withdraw all, and takes it once the delay is over: usually when the service had quiet time to claim. */
  function planWithdrawal({ name, config }: KeptSelling): void {
    const [asks, takes] = [random.hex(32), random.hex(32)]
    const delayMs = config.withdrawDelay * 10
    const waits = random.chance(0.8)
    later(2_500, ends, `the payer of ${name} asks to withdraw`, () => {
      chain.deed({ kind: 'withdraw', channel: config, hash: asks })
      const calm = waits ? lastsMs + CALM_MS - schedule.elapsed() : 0
      const least = Math.max(delayMs + 1_000, calm)
      later(least, least + 3_000, `the payer of ${name} withdraws`, () =>
        chain.deed({ kind: 'withdraw', channel: config, hash: takes }),
      )
    })
  }

  /** A reorganisation takes the deposit away, and sometimes its payer has spent the money when it comes again. */
  function planUndoing(selling: KeptSelling): void {
    const { name, config } = selling
    const hash = random.hex(32)
    let isSeen = false
    chain.onBlock(() => {
      if (isSeen || !((bookOf(selling)?.balance ?? 0n) > 0n)) return
      isSeen = true
      later(0, 2 * chain.blockMs, `a reorganisation takes the deposit of ${name}`, () => {
        if (!isFaulty()) return
        const value = 10n * DEPOSIT
        if (random.chance(0.5)) chain.deed({ kind: 'move', from: config.payer, to: AWAY, value, hash })
        chain.reorganise(random.whole(1, depth))
      })
    })
  }

  const isHeld = (row: StoredRow | null) => (row?.pendingRequest?.expiresAt ?? 0) > schedule.now()

  /** A row as the official server writes it. `pending`: the request that is being served, and what its voucher is over. */
  const written = (selling: KeptSelling, charged: bigint, signed: bigint, pending: { id: string; signed: bigint } | null) => ({
    channelId: selling.id,
    channelConfig: selling.config,
    chargedCumulativeAmount: String(charged),
    signedMaxClaimable: String(signed),
    signature: voucherOf(selling, signed).signature,
    lastRequestTimestamp: Math.floor(schedule.now()),
    ...(pending && {
      pendingRequest: {
        pendingId: pending.id,
        signedMaxClaimable: String(pending.signed),
        expiresAt: Math.floor(schedule.now()) + HOLDS_MS,
      },
    }),
  })

  const knownBy = async (server: Server, selling: KeptSelling): Promise<Known | null> =>
    server.known.get(selling.id) ?? (await servers.read(server, selling.id))

  /** Whether a voucher covers an answer, as the official server finds out: by the row if that is fresh, else by the service. */
  async function isCovered(server: Server, selling: KeptSelling, row: StoredRow | null, most: bigint): Promise<boolean> {
    if (row && row.onchainSyncedAt > schedule.now() - FRESH_MS) return most <= row.balance
    const body = soldBody({ type: 'voucher', channelConfig: selling.config, voucher: voucherOf(selling, most) }, selling)
    const hangUp = new AbortController()
    const answer = await servers.call(server, `a voucher of ${selling.name}`, (one) =>
      one.verify(MERCHANTS.keyed, body, {}, hangUp.signal),
    )
    return answer?.body.isValid === true
  }

  /** Sells one answer: reserves it with its voucher, serves, and commits the charge. */
  async function serve(server: Server, selling: KeptSelling, deposit: Deposit | null): Promise<void> {
    const { id, name } = selling
    const known = await knownBy(server, selling)
    if (!known || isHeld(known.row)) return
    const charged = known.row?.chargedCumulativeAmount ?? 0n
    const most = charged + PRICE
    if (most > selling.signed) selling.signed = most
    if (!deposit && !(await isCovered(server, selling, known.row, most))) return void server.known.delete(id)
    const pending = { id: random.hex(8), signed: most }
    const reserved = await servers.update(server, id, known, (row) =>
      isHeld(row) || (row?.chargedCumulativeAmount ?? 0n) !== charged ? null : written(selling, charged, most, pending),
    )
    if (reserved.end !== 'written') return
    await servers.pause(server, 0, 400)
    const amount = BigInt(random.pick(deposit ? [1, 500, Number(PRICE)] : [0, 1, 500, Number(PRICE)]))
    // The request that settles a deposit names its charge: what the server deleted meanwhile, the service counts by that.
    if (deposit) selling.charged += amount
    const body = deposit && depositBody(selling, deposit, { most, charge: amount })
    const paid = body && (await servers.settle(server, `the deposit of ${name}`, body))
    if (random.chance(0.12)) return servers.crash(server)
    const isOwn = (row: StoredRow | null) => row?.pendingRequest?.pendingId === pending.id
    const isServed = !deposit || paid?.body.success === true
    const charge = isServed ? amount : 0n
    // From here on the write may be done, whatever is heard of it.
    if (!deposit) selling.charged += charge
    if (random.chance(0.12)) schedule.after(random.whole(0, 60), world, '', () => servers.crash(server))
    const committed = await servers.update(server, id, reserved.known, (row) =>
      isOwn(row) ? written(selling, charged + charge, most, null) : null,
    )
    if (committed.end === 'written') selling.kept.confirmed += charge
  }

  /** The official channel manager claims by itself, sometimes more than it charged. */
  async function claim(server: Server, selling: KeptSelling): Promise<void> {
    const row = (await knownBy(server, selling))?.row
    if (!row || row.signedMaxClaimable === 0n) return
    const total = random.pick([row.chargedCumulativeAmount, row.signedMaxClaimable])
    const body = managerBody({ type: 'claim', claims: [rowOf(selling, total, row.signedMaxClaimable)] })
    const heard = await servers.settle(server, `a claim of ${selling.name}`, body)
    if (heard) oracle.claimed([{ id: selling.id, total }], { ...heard, replayed: false })
  }

  /** The payer asks for what is left: the server holds the channel meanwhile. */
  async function refund(server: Server, selling: KeptSelling): Promise<void> {
    const { id, name } = selling
    const known = await knownBy(server, selling)
    if (!known?.row || isHeld(known.row)) return
    const { chargedCumulativeAmount: charged, signedMaxClaimable: signed } = known.row
    const pending = { id: random.hex(8), signed: charged }
    const held = await servers.update(server, id, known, (row) =>
      isHeld(row) || row?.chargedCumulativeAmount !== charged ? null : written(selling, charged, signed, pending),
    )
    if (held.end !== 'written') return
    oracle.refundAsked(selling, charged)
    const heard = await servers.settle(server, `the refund of ${name}`, refundBody(selling, charged))
    if (heard) oracle.refunded(selling, { ...heard, replayed: false })
    await servers.update(server, id, held.known, (row) =>
      row?.pendingRequest?.pendingId === pending.id ? written(selling, charged, signed, null) : null,
    )
  }

  /** A server whose memory is old asks for a refund, and holds nothing. */
  async function refundStale(server: Server, selling: KeptSelling): Promise<void> {
    const row = (await knownBy(server, selling))?.row
    if (!row) return
    const shown = random.pick([0n, row.chargedCumulativeAmount])
    oracle.refundAsked(selling, shown)
    const body = refundBody(selling, shown)
    const heard = await servers.settle(server, `a stale refund of ${selling.name}`, body)
    if (heard) oracle.refunded(selling, { ...heard, replayed: false })
  }

  /** A server that was restored writes an older row back: by its old version, as a new channel, or over the newest version. */
  async function rollBack(server: Server, selling: KeptSelling): Promise<void> {
    const old = await servers.read(server, selling.id)
    if (!old?.row) return
    const { chargedCumulativeAmount: charged, signedMaxClaimable: signed } = old.row
    await servers.pause(server, 500, 4_000)
    const newest = await servers.read(server, selling.id)
    // What was deleted meanwhile may begin again with what it was charged.
    if (!newest?.row || newest.row.chargedCumulativeAmount <= charged) return
    const condition = random.pick([{ 'if-match': old.tag }, { 'if-none-match': '*' }, { 'if-match': newest.tag }])
    const headers: Record<string, string> = { 'idempotency-key': random.hex(8) }
    for (const [header, value] of Object.entries(condition)) if (value) headers[header] = value
    const row = written(selling, charged, signed, null)
    const answer = await servers.store(server, { method: 'PUT', id: selling.id, headers, row })
    server.known.delete(selling.id)
    if (answer?.status === 200) oracle.broken('I24', `an older row of ${selling.name} was written back, charged ${charged}`)
  }

  /** A server deletes a channel: what was charged of it is claimed nevertheless. */
  async function remove(server: Server, { id }: KeptSelling): Promise<void> {
    const known = await servers.read(server, id)
    if (!known?.tag || isHeld(known.row)) return
    server.known.delete(id)
    await servers.store(server, { method: 'DELETE', id, headers: { 'idempotency-key': random.hex(8), 'if-match': known.tag } })
  }

  /** Another merchant reads and writes the channel. */
  async function cheat(server: Server, selling: KeptSelling): Promise<void> {
    const { id, signed, name } = selling
    const row = written(selling, signed, signed, null)
    const headers = { 'idempotency-key': random.hex(8), 'if-none-match': '*' }
    const requests = [{ method: 'GET', id, headers: {} } as const, { method: 'PUT', id, headers, row } as const]
    const answer = await servers.store(server, random.pick(requests), MERCHANTS.small)
    if (answer?.status === 200) oracle.broken('I22', `another merchant got at the stored row of ${name}`)
  }

  return {
    cut: servers.cut,
    isBusy() {
      if (planned > 0 || servers.isBusy()) return true
      return schedule.elapsed() < WAIT_MS && (oracle.isUnclaimed(sellings) || oracle.isUnpaid(sellings))
    },
  }
}
