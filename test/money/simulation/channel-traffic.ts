import type { Chain } from './chain'
import {
  DEPOSIT,
  depositBody,
  managerBody,
  newSelling,
  PRICE,
  RECEIVER,
  refundBody,
  rowOf,
  soldBody,
  voucherOf,
} from './channel-bodies'
import type { ChannelOracle } from './channel-oracle'
import type { Instance } from './instance'
import { CHANNELLESS_SEEDS, PATIENT_SEEDS } from './kept'
import { MERCHANTS, type Merchant } from './merchants'
import type { Heard } from './purchase'
import type { Random } from './random'
import type { Schedule } from './schedule'
import type { Selling } from './selling'
import { ASSET } from './token'

/**
 * How many channels a run has, and whether their merchant does more with one while its claim is under way. Its draws come from a stream of their
 * own.
 */
export type Channels = { count: number; hurries: boolean; random: Random }

/** Draws the channels of a seed: every fourth seed has some, because such a run takes longer. */
export function drawChannels(seed: number, random: Random): Channels | null {
  return seed <= CHANNELLESS_SEEDS || seed % 4 !== 2 ? null : { count: random.whole(1, 3), hurries: seed > PATIENT_SEEDS, random }
}

const TRIES_MAX = 12

type Planning = {
  channels: Channels
  schedule: Schedule
  chain: Chain
  oracle: ChannelOracle
  instances: () => readonly Instance[]
  /** When the faults of the run end, milliseconds after its start. */
  lastsMs: number
}

export type Traffic = {
  /** Breaks the connections of a dead instance. */
  cut(instance: Instance): void
  /** Whether its merchant still has requests to make, or waits for an answer. */
  isBusy(): boolean
}

/** Draws what a merchant, its payers and strangers do with channels, and schedules it. At the end, the merchant claims all that it charged. */
export function planChannels({
  channels: { count, hurries, random },
  schedule,
  chain,
  oracle,
  instances,
  lastsMs,
}: Planning): Traffic {
  const { world } = schedule
  const open = new Map<Instance, Set<() => void>>()
  const now = BigInt(Math.floor(schedule.now() / 1_000))
  let playing = 0
  let isOver = false

  /** Asks a random instance once. */
  function askOnce(
    what: string,
    merchant: Merchant,
    body: object,
    then: (heard: Heard) => void,
    route: 'settle' | 'verify',
  ): void {
    const up = instances()
    if (up.length === 0) return void schedule.after(500, world, '', () => then('nothing'))
    const instance = random.pick(up)
    const connections = open.get(instance) ?? new Set()
    open.set(instance, connections)
    let ended = false
    function end(heard: Heard, afterMs: number): void {
      if (ended) return
      ended = true
      connections.delete(broken)
      schedule.after(afterMs, world, '', () => {
        schedule.note(`${what} hears ${heard === 'nothing' ? heard : `${heard.status} ${wordOf(heard)}`}`)
        then(heard)
      })
    }
    const broken = () => end('nothing', 1)
    connections.add(broken)
    schedule.after(random.whole(0, 20), instance.owner, `${what} of ${merchant.name} at ${instance.owner.name}`, () => {
      const hangUp = new AbortController()
      if (random.chance(0.08))
        schedule.after(random.whole(5, 3_000), instance.owner, '', () => {
          if (ended) return
          hangUp.abort()
          end('nothing', 1)
        })
      void instance[route](merchant, body, {}, hangUp.signal).then(async (response) => {
        const heard: Record<string, unknown> = await response.json()
        if (!instance.owner.alive || hangUp.signal.aborted) return
        if (response.status === 500) oracle.broken('500', `${what}: ${JSON.stringify(heard)}`)
        const { status, headers } = response
        end({ status, replayed: false, later: headers.has('retry-after'), body: heard }, random.whole(1, 20))
      })
    })
  }

  /** Asks until the outcome is known, sometimes twice at once. */
  function ask(what: string, body: object, then: (heard: Exclude<Heard, 'nothing'>) => void, tries = TRIES_MAX): void {
    playing++
    function again(left: number): void {
      askOnce(
        what,
        MERCHANTS.keyed,
        body,
        (heard) => {
          if (heard !== 'nothing' && isKnown(heard)) then(heard)
          else if (left > 0) return void schedule.after(random.whole(100, 1_500), world, '', () => again(left - 1))
          playing--
        },
        'settle',
      )
    }
    again(tries)
    if (random.chance(0.25)) askOnce(what, MERCHANTS.keyed, body, () => {}, 'settle')
  }

  const later = (least: number, most: number, what: string, act: () => void) =>
    schedule.after(random.whole(least, most), world, what, act)

  const sellings = Array.from({ length: count }, (_, at) => newSelling(at, now, random))
  for (const selling of sellings) {
    const { name, authorization, config } = selling
    oracle.knows(selling)
    chain.signed(authorization)
    const hash = random.hex(32)
    later(200, 2_000, `${name} is opened`, () => {
      ask(`the deposit of ${name}`, depositBody(selling), ({ body }) => {
        if (body.success !== true) return
        selling.open = true
        charge(selling, PRICE)
      })
      if (random.chance(0.1)) later(0, 2_000, 'a stranger deposits it', () => chain.deed({ kind: 'use', authorization, hash }))
    })
    for (let left = random.whole(2, 6); left > 0; left--)
      later(2_500, lastsMs, '', () => {
        if (selling.open && !selling.closing) sell(selling)
      })
    if (random.chance(0.5)) later(4_000, lastsMs, '', () => refund(selling))
    if (random.chance(0.4)) later(4_000, lastsMs, '', () => refundStale(selling))
    if (random.chance(0.4)) later(2_000, lastsMs, '', () => cheat(selling))
    if (random.chance(0.4)) {
      const [asks, takes] = [random.hex(32), random.hex(32)]
      later(2_500, lastsMs, `the payer of ${name} asks to withdraw`, () => {
        chain.deed({ kind: 'withdraw', channel: config, hash: asks })
        later(9_000, 12_000, `the payer of ${name} withdraws`, () =>
          chain.deed({ kind: 'withdraw', channel: config, hash: takes }),
        )
      })
    }
  }
  for (let left = random.whole(1, 4); left > 0; left--) later(3_000, lastsMs, '', () => claim(sellings))
  if (random.chance(0.6))
    later(4_000, lastsMs, '', () => ask('a payout', managerBody({ type: 'settle', receiver: RECEIVER, token: ASSET }), () => {}))
  schedule.after(lastsMs + 1_500, world, 'all is claimed', claimRest)

  function charge(selling: Selling, amount: bigint): void {
    if (selling.charged + amount > DEPOSIT) return
    selling.charged += amount
    selling.charges.push(selling.charged)
    if (selling.signed < selling.charged) selling.signed = selling.charged
  }

  /** Sells one answer; of some the service is asked about the voucher first. */
  function sell(selling: Selling): void {
    if (selling.charged + PRICE > DEPOSIT) return
    selling.signed = selling.charged + PRICE
    const voucher = voucherOf(selling, selling.signed)
    if (random.chance(0.3)) {
      const body = soldBody({ type: 'voucher', channelConfig: selling.config, voucher }, selling)
      askOnce(`a voucher of ${selling.name}`, MERCHANTS.keyed, body, () => {}, 'verify')
    }
    charge(selling, BigInt(random.pick([0, 1, 500, 1_000])))
  }

  function claim(some: readonly Selling[]): void {
    const due = some.filter(({ charged }) => charged > 0n)
    if (due.length === 0) return
    const rows = due.map((one) => ({ id: one.id, total: one.charged }))
    const body = managerBody({ type: 'claim', claims: due.map((one) => rowOf(one, one.charged, one.signed)) })
    ask('a claim', body, (heard) => oracle.claimed(rows, heard))
    if (!hurries) return
    const [first] = due
    if (first && random.chance(0.15)) later(0, 400, '', () => refundStale(first))
    // Another instance of the merchant's server charges more meanwhile, and claims that.
    if (random.chance(0.3))
      later(0, 600, '', () => {
        for (const one of due) if (!one.closing) charge(one, 1n)
        claim(due)
      })
  }

  /** The last claim of each channel. A node may be behind: then it is asked for again, as it is when a deposit comes back to the chain. */
  function claimRest(left = TRIES_MAX): void {
    const due = sellings.filter(({ charged }) => charged > 0n)
    if (playing === 0) isOver = left === 0 || !oracle.isUnclaimed(due)
    if (playing > 0 || isOver) return void schedule.after(500, world, '', () => claimRest(left))
    claim(due)
    schedule.after(2_000, world, '', () => claimRest(left - 1))
  }

  function refund(selling: Selling): void {
    if (!selling.open || selling.closing) return
    selling.closing = true
    oracle.refundAsked(selling, selling.charged)
    ask(`the refund of ${selling.name}`, refundBody(selling, selling.charged), (heard) => oracle.refunded(selling, heard))
  }

  /** A server whose storage was rolled back asks for a refund: it knows an older charge, or none. */
  function refundStale(selling: Selling): void {
    if (!selling.open) return
    const known = random.pick([0n, ...selling.charges])
    oracle.refundAsked(selling, known)
    ask(`a stale refund of ${selling.name}`, refundBody(selling, known), (heard) => oracle.refunded(selling, heard), 2)
  }

  /** Another merchant asks for the refund of this channel, or for a claim of all that its payer signed. */
  function cheat(selling: Selling): void {
    const { signed } = selling
    const claimed = managerBody({ type: 'claim', claims: [rowOf(selling, DEPOSIT, DEPOSIT)] })
    const body = random.chance(0.5) ? refundBody(selling, 0n) : claimed
    if (signed > 0n)
      askOnce(
        `a cheat on ${selling.name}`,
        MERCHANTS.small,
        body,
        (heard) => heard !== 'nothing' && oracle.cheated(selling, heard),
        'settle',
      )
  }

  return {
    cut(instance) {
      for (const broken of open.get(instance) ?? []) broken()
    },
    isBusy: () => !isOver || playing > 0 || [...open.values()].some(({ size }) => size > 0),
  }
}

/** What of an answer a run prints. */
export const wordOf = ({ body }: Exclude<Heard, 'nothing'>) =>
  JSON.stringify(body.success ?? body.isValid ?? body.errorReason ?? body.reason ?? '')

/** Whether an answer tells the outcome. */
export function isKnown({ status, later, body }: Exclude<Heard, 'nothing'>): boolean {
  if (status !== 200) return status === 400 || status === 403 || (status === 409 && !later)
  return body.success === true || body.errorReason !== 'settlement_pending'
}
