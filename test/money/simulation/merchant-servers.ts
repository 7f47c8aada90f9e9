import type { Hex } from 'viem'
import { z } from 'zod'
import { isKnown, wordOf } from './channel-traffic'
import type { Instance, StorageRequest } from './instance'
import { MERCHANTS, type Merchant } from './merchants'
import type { Random } from './random'
import type { Owner, Schedule } from './schedule'

/** The row of a channel as a server reads it. */
const rowSchema = z.object({
  chargedCumulativeAmount: z.string().transform(BigInt),
  signedMaxClaimable: z.string().transform(BigInt),
  balance: z.string().transform(BigInt),
  onchainSyncedAt: z.number(),
  pendingRequest: z.object({ pendingId: z.string(), expiresAt: z.number() }).optional(),
})

/** A channel as a server read it. */
export type StoredRow = z.output<typeof rowSchema>

/** A row with its version; without one there is no such channel. */
export type Known = { row: StoredRow | null; tag: string | null }

const NONE: Known = { row: null, tag: null }

/** A process of the merchant's server. What it remembers of channels dies with it. */
export type Server = { owner: Owner; known: Map<Hex, Known> }

/** What a server heard; null: nothing. */
type Answer = { status: number; tag: string | null; later: boolean; body: Record<string, unknown> } | null

/** What came of an update: the row as it is written; nothing was to be written any more; or nobody knows. */
type Updated = { end: 'written'; known: Known } | { end: 'left'; known: Known } | { end: 'refused' | 'lost' }

type ServerOptions = {
  schedule: Schedule
  random: Random
  /** The instances of the service that accept requests now. */
  instances: () => readonly Instance[]
  /** Whether answers may be lost now. */
  isFaulty: () => boolean
  broken: (number: string, what: string) => void
}

/** The processes of a merchant that keep their channels at the service, and all that they ask it. */
type Servers = {
  /** A random one that runs; null while none does. */
  pick(): Server | null
  /** Kills a process; a new one with an empty memory follows. */
  crash(server: Server): void
  /** Runs a piece of work of a process, which ends with it. */
  play(server: Server, work: (server: Server) => Promise<void>): void
  pause(server: Server, least: number, most: number): Promise<void>
  /** Asks a random instance once. */
  call(server: Server, what: string, act: (instance: Instance) => Promise<Response>): Promise<Answer>
  /** Asks for an act until its outcome is known; null: it was not told. */
  settle(server: Server, what: string, body: object): Promise<Exclude<Answer, null> | null>
  read(server: Server, id: Hex): Promise<Known | null>
  /** Writes one row, or deletes it, by one name until that is answered. `as`: another merchant than the channel's. */
  store(server: Server, request: StorageRequest, as?: Merchant): Promise<Answer>
  /** Changes a row as the official server does: from its newest version, again if another server was faster. Null: leave it. */
  update(server: Server, id: Hex, known: Known, change: (row: StoredRow | null) => object | null): Promise<Updated>
  /** Breaks the connections of a dead instance. */
  cut(instance: Instance): void
  isBusy(): boolean
}

const TRIES_MAX = 10
/** A server remembers the row that it wrote last, and writes from it without reading. */
const remember = (server: Server, id: Hex, known: Known): Known => {
  server.known.set(id, known)
  return known
}

/** Two processes of the merchant's server. */
export function createServers({ schedule, random, instances, isFaulty, broken }: ServerOptions): Servers {
  const open = new Map<Instance, Set<() => void>>()
  const working = new Map<Server, number>()
  const running: Server[] = []
  let started = 0
  const begin = () => void running.push({ owner: { name: `server ${++started}`, alive: true, pausedUntil: 0 }, known: new Map() })
  begin()
  begin()

  const work = (server: Server, more: 1 | -1) => {
    const left = (working.get(server) ?? 0) + more
    if (left > 0) working.set(server, left)
    else working.delete(server)
  }

  const pause = (server: Server, least: number, most: number) =>
    new Promise<void>((resolve) => void schedule.after(random.whole(least, most), server.owner, '', resolve))

  function call(server: Server, what: string, act: (instance: Instance) => Promise<Response>): Promise<Answer> {
    return new Promise((resolve) => {
      const up = instances()
      if (up.length === 0) return void schedule.after(500, server.owner, '', () => resolve(null))
      const instance = random.pick(up)
      const connections = open.get(instance) ?? new Set()
      open.set(instance, connections)
      let over = false
      function end(answer: Answer, afterMs: number): void {
        if (over) return
        over = true
        connections.delete(cut)
        schedule.after(afterMs, server.owner, '', () => {
          schedule.note(`${what} hears ${answer ? `${answer.status} ${wordOf({ ...answer, replayed: false })}` : 'nothing'}`)
          resolve(answer)
        })
      }
      const cut = () => end(null, 1)
      connections.add(cut)
      // What a dead process sent still arrives.
      schedule.after(random.whole(0, 20), instance.owner, `${what} of ${server.owner.name} at ${instance.owner.name}`, () => {
        if (isFaulty() && random.chance(0.08)) schedule.after(random.whole(5, 3_000), schedule.world, '', () => end(null, 1))
        void act(instance).then(async (response) => {
          const body: Record<string, unknown> = await response.json()
          if (!instance.owner.alive) return
          const { status, headers } = response
          if (status === 500) broken('500', `${what}: ${JSON.stringify(body)}`)
          end({ status, tag: headers.get('etag'), later: headers.has('retry-after'), body }, random.whole(1, 20))
        })
      })
    })
  }

  async function store(server: Server, request: StorageRequest, as: Merchant = MERCHANTS.keyed): Promise<Answer> {
    for (let left = TRIES_MAX; left > 0; left--) {
      const answer = await call(server, `${request.method} ${request.id.slice(0, 8)}`, (one) => one.storage(as, request))
      if (answer && !PASSING.has(answer.status)) return answer
      await pause(server, 50, 1_500)
    }
    return null
  }

  async function read(server: Server, id: Hex): Promise<Known | null> {
    const answer = await store(server, { method: 'GET', id, headers: {} })
    if (answer?.status === 404) return remember(server, id, NONE)
    return answer?.status === 200 ? remember(server, id, knownOf(answer)) : null
  }

  return {
    pick: () => (running.length > 0 ? random.pick(running) : null),
    crash(server) {
      const at = running.indexOf(server)
      if (at < 0) return
      running.splice(at, 1)
      schedule.note(`${server.owner.name} dies`)
      server.owner.alive = false
      working.delete(server)
      schedule.after(random.whole(50, 2_500), schedule.world, 'a server of the merchant starts', begin)
    },
    play(server, run) {
      work(server, 1)
      void run(server).finally(() => work(server, -1))
    },
    pause,
    call,
    async settle(server, what, body) {
      for (let left = TRIES_MAX; left > 0; left--) {
        const hangUp = new AbortController()
        const answer = await call(server, what, (one) => one.settle(MERCHANTS.keyed, body, {}, hangUp.signal))
        if (answer && isKnown({ ...answer, replayed: false })) return answer
        await pause(server, 100, 1_500)
      }
      return null
    },
    read,
    store,
    async update(server, id, before, change) {
      let known = before
      for (let left = TRIES_MAX; left > 0; left--) {
        const row = change(known.row)
        if (row === null) return { end: 'left', known }
        const { tag } = known
        // What is remembered may be wrong until the answer is here.
        server.known.delete(id)
        const headers = { 'idempotency-key': random.hex(8), ...(tag === null ? { 'if-none-match': '*' } : { 'if-match': tag }) }
        const answer = await store(server, { method: 'PUT', id, headers, row })
        if (answer === null) return { end: 'lost' }
        if (answer.status === 200) return { end: 'written', known: remember(server, id, knownOf(answer)) }
        if (answer.status !== 412) return { end: 'refused' }
        const { channel = null } = answer.body
        known = remember(server, id, channel === null ? NONE : { row: rowSchema.parse(channel), tag: answer.tag })
      }
      return { end: 'lost' }
    },
    cut(instance) {
      for (const broken of open.get(instance) ?? []) broken()
    },
    isBusy: () => working.size > 0 || [...open.values()].some(({ size }) => size > 0),
  }
}

const knownOf = ({ body, tag }: Exclude<Answer, null>): Known => ({ row: rowSchema.parse(body), tag })

/** Answers after which the same request may yet succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
