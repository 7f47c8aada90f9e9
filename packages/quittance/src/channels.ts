import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createFacilitatorConfig } from './config'
import { fieldOf } from './payment-key'

type Hex = `0x${string}`

/** A payment channel as the official server keeps it. Amounts are atomic units as digits; times are Unix milliseconds. */
export type Channel = {
  channelId: string
  channelConfig: {
    payer: Hex
    payerAuthorizer: Hex
    receiver: Hex
    receiverAuthorizer: Hex
    token: Hex
    withdrawDelay: number
    salt: Hex
  }
  chargedCumulativeAmount: string
  signedMaxClaimable: string
  signature: string
  balance: string
  totalClaimed: string
  withdrawRequestedAt: number
  refundNonce: number
  onchainSyncedAt?: number
  lastRequestTimestamp: number
  pendingRequest?: { pendingId: string; signedMaxClaimable: string; expiresAt: number }
}

/** What became of an update. Servers that take locks also get `conflict`, instead of an error, for one that lost every race. */
export type ChannelUpdate = { channel: Channel | undefined; status: 'updated' | 'unchanged' | 'deleted' }

export type QuittanceChannelsOptions = {
  /** Your API key; without it `url`, or `FACILITATOR_URL`, must contain one. */
  key?: string
  /** The base URL of the service, or any facilitator URL of it. By default `FACILITATOR_URL`. */
  url?: string
  /** The network of the channels, such as `eip155:8453`. */
  network: string
  /** How long one request may take, in milliseconds: 2 seconds. */
  answerWithinMs?: number
  /** How long an update or a reading may take with all its retries: 10 seconds. */
  giveUpAfterMs?: number
}

/** A channel as it was read, and its version; without one there is no such channel. */
type Known = { row: Channel | undefined; tag: string | null }

/** How many channels are remembered. */
const KNOWN_MAX = 10_000
const PAUSE_MS = 50
/** Answers after which the same request may yet succeed. */
const PASSING = [408, 429, 500, 502, 503, 504]

/**
 * Keeps the payment channels of official servers at the facilitator, which claims them: pass it as `storage` to the batch-settlement scheme,
 * and no `receiverAuthorizerSigner`. One for each network. Each update is durable when it resolves, and of two servers that update one channel
 * one goes first. Every method throws when the facilitator does not answer or refuses: then the server does not serve.
 */
export class QuittanceChannels {
  readonly #base: string
  readonly #answerWithinMs: number
  readonly #giveUpAfterMs: number
  readonly #known = new Map<string, Known>()
  readonly #turns = new Map<string, Promise<unknown>>()
  /** Names of writes are `<writer>.<number>`. The facilitator knows the newest write of each writer again. */
  readonly #writer = randomUUID()
  #writes = 0
  /** The locks that this process holds. The official server takes them in its next release; until then it writes them in its rows. */
  readonly #held = new Map<string, { pendingId: string; expiresAt: number }>()
  #takesLocks = false

  constructor({ key, url, network, answerWithinMs = 2_000, giveUpAfterMs = 10_000 }: QuittanceChannelsOptions) {
    const choice = url === undefined ? {} : { url }
    const chosen = key === undefined ? (url ?? createFacilitatorConfig().url) : createFacilitatorConfig(key, choice).url
    const base = chosen.replace(/\/+$/, '').replace(/\/flash$/, '')
    if (!/^https?:\/\/[^/].*\/v1\/[\w-]+$/.test(base)) throw new Error('channels are kept below an API key: …/v1/<API_KEY>')
    this.#base = `${base}/channels/${network}`
    this.#answerWithinMs = answerWithinMs
    this.#giveUpAfterMs = giveUpAfterMs
  }

  /** A channel as it is now; undefined if it is not kept here. */
  async get(channelId: string): Promise<Channel | undefined> {
    const id = channelId.toLowerCase()
    return (await this.#read(id, this.#deadline())).row
  }

  /** All channels of the key on this network. */
  async list(): Promise<Channel[]> {
    const until = this.#deadline()
    const channels: Channel[] = []
    let cursor = ''
    do {
      const { status, body } = await this.#ask(`?limit=100&cursor=${cursor}`, { method: 'GET' }, until)
      if (status !== 200) throw refused(status, body)
      channels.push(...rowsIn(body))
      cursor = String(fieldOf(body, 'cursor') ?? '')
    } while (cursor !== '')
    return channels
  }

  /**
   * Changes a channel by a function of what it is: undefined deletes it, the same object leaves it. The function is called again if somebody else
   * changed the channel meanwhile.
   */
  updateChannel(channelId: string, update: (current: Channel | undefined) => Channel | undefined): Promise<ChannelUpdate> {
    const id = channelId.toLowerCase()
    return this.#inTurn(id, () =>
      this.#update(id, (current) => {
        const next = update(current)
        const held = this.#heldNow(id)
        if (!held || !next || next === current) return next
        return { ...next, pendingRequest: { ...held, signedMaxClaimable: next.signedMaxClaimable } }
      }),
    )
  }

  /** Takes the lock of a channel for so many milliseconds; false if another request has it. */
  acquire(channelId: string, pendingId: string, ttlMs: number): Promise<boolean> {
    const id = channelId.toLowerCase()
    this.#takesLocks = true
    return this.#inTurn(id, async () => {
      const now = Date.now()
      if (this.#heldNow(id)) return false
      const lock = { pendingId, expiresAt: now + ttlMs }
      let isTaken = false
      const update = await this.#update(id, (current) => {
        isTaken = (current?.pendingRequest?.expiresAt ?? 0) > now
        // Without a row there is nothing to write yet: the deposit that comes with the first request can be used once.
        if (isTaken || !current) return current
        return { ...current, pendingRequest: { ...lock, signedMaxClaimable: current.signedMaxClaimable } }
      })
      if (isTaken || isConflict(update)) return false
      this.#held.set(id, lock)
      return true
    })
  }

  /** Gives a lock back if this request has it. */
  release(channelId: string, pendingId: string): Promise<void> {
    const id = channelId.toLowerCase()
    return this.#inTurn(id, async () => {
      if (this.#held.get(id)?.pendingId === pendingId) this.#held.delete(id)
      await this.#update(id, (current) => {
        if (current?.pendingRequest?.pendingId !== pendingId) return current
        const { pendingRequest: _, ...free } = current
        return free
      })
    })
  }

  /** Whether a request has the lock of a channel; with `pendingId`: whether this one has it. */
  async isHeld(channelId: string, pendingId?: string): Promise<boolean> {
    const id = channelId.toLowerCase()
    const written = (await this.get(id))?.pendingRequest
    const holder = written && written.expiresAt > Date.now() ? written : this.#heldNow(id)
    return holder !== undefined && (pendingId === undefined || holder.pendingId === pendingId)
  }

  #heldNow(id: string): { pendingId: string; expiresAt: number } | undefined {
    const held = this.#held.get(id)
    if (held && held.expiresAt > Date.now()) return held
    this.#held.delete(id)
    return undefined
  }

  #deadline = () => Date.now() + this.#giveUpAfterMs

  /** Runs the updates of one channel one after the other: this process need not race itself. */
  async #inTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id)
    const mine = (before ?? Promise.resolve()).then(act, act)
    const settled = mine.catch(() => {})
    this.#turns.set(id, settled)
    try {
      return await mine
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id)
    }
  }

  async #update(id: string, update: (current: Channel | undefined) => Channel | undefined): Promise<ChannelUpdate> {
    const until = this.#deadline()
    const remembered = this.#known.get(id)
    let known = remembered ?? (await this.#read(id, until))
    let isRemembered = remembered !== undefined
    while (Date.now() < until) {
      const next = update(known.row)
      const isSame = next === known.row
      if (isSame && !isRemembered) return { channel: known.row, status: 'unchanged' }
      // A write is compared with the newest version; a decision not to write must be made about it.
      const after = isSame ? await this.#read(id, until) : await this.#write(id, known, next, until)
      if ('done' in after) return after.done
      known = after
      isRemembered = false
    }
    if (this.#takesLocks) return conflict(known.row)
    throw new Error('other processes kept changing the channel')
  }

  async #read(id: string, until: number): Promise<Known> {
    const { status, body, tag } = await this.#ask(`/${id}`, { method: 'GET' }, until)
    if (status === 404) return this.#remember(id, { row: undefined, tag: null })
    if (status !== 200) throw refused(status, body)
    return this.#remember(id, { row: rowIn(body), tag })
  }

  /** Writes a row, or deletes it; what is known instead if it was changed meanwhile. */
  async #write(id: string, { tag }: Known, next: Channel | undefined, until: number): Promise<Known | { done: ChannelUpdate }> {
    // What is remembered may be wrong until the answer is here.
    this.#known.delete(id)
    const condition: Record<string, string> = tag === null ? { 'if-none-match': '*' } : { 'if-match': tag }
    const headers = { ...condition, 'idempotency-key': `${this.#writer}.${++this.#writes}` }
    const request = next
      ? { method: 'PUT', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(next) }
      : { method: 'DELETE', headers }
    const { status, body, tag: newest } = await this.#ask(`/${id}`, request, until)
    if (status === 412) {
      const row = fieldOf(body, 'channel')
      return this.#remember(id, row === null ? { row: undefined, tag: null } : { row: rowIn(row), tag: newest })
    }
    if (!next && (status === 200 || status === 404)) {
      this.#remember(id, { row: undefined, tag: null })
      return { done: { channel: undefined, status: 'deleted' } }
    }
    if (status !== 200) throw refused(status, body)
    const { row } = this.#remember(id, { row: rowIn(body), tag: newest })
    return { done: { channel: row, status: 'updated' } }
  }

  #remember(id: string, known: Known): Known {
    this.#known.delete(id)
    this.#known.set(id, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest)
    return known
  }

  /** Sends a request until it is answered: the same one, which its name lets happen once. */
  async #ask(path: string, request: RequestInit, until: number): Promise<{ status: number; body: unknown; tag: string | null }> {
    for (let pause = PAUSE_MS; ; pause *= 2) {
      const answered = await this.#askOnce(path, request).catch((cause: unknown) => ({ cause }))
      if (!('cause' in answered) && !PASSING.includes(answered.status)) return answered
      if (Date.now() + pause >= until) {
        if ('cause' in answered) throw new Error('the facilitator does not answer', { cause: answered.cause })
        throw refused(answered.status, answered.body)
      }
      await delay(pause)
    }
  }

  async #askOnce(path: string, request: RequestInit) {
    const signal = AbortSignal.timeout(this.#answerWithinMs)
    const response = await fetch(`${this.#base}${path}`, { ...request, signal })
    const body: unknown = await response.json()
    return { status: response.status, body, tag: response.headers.get('etag') }
  }
}

const refused = (status: number, body: unknown) =>
  new Error(`the facilitator answered ${status}: ${String(fieldOf(body, 'error') ?? 'without a reason')}`)

// The facilitator wrote it: a row without its charge is none.
function rowIn(body: unknown): Channel {
  if (typeof fieldOf(body, 'chargedCumulativeAmount') !== 'string') throw new Error('the facilitator answered without a channel')
  return body as Channel
}

function rowsIn(body: unknown): Channel[] {
  const rows = fieldOf(body, 'channels')
  return Array.isArray(rows) ? rows.map(rowIn) : []
}

const isConflict = ({ status }: { status: string }): boolean => status === 'conflict'

// The types of this release have no such status, and those of the next one do.
const conflict = (channel: Channel | undefined) => ({ channel, status: 'conflict' }) as unknown as ChannelUpdate
