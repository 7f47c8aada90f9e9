import { isTooLong } from '../base/upstream'
import { openConnections, type Post } from './connections'
import { openJsonRpc } from './json-rpc'
import { maskedError, maskOf } from './url-mask'

/**
 * The health of an endpoint: `fit`; `silent` after several failures in a row; `foreign` on another chain. An endpoint that is not fit
 * is probed from time to time and is fit again after a right response.
 */
export type EndpointStatus = 'fit' | 'silent' | 'foreign'

/** One JSON-RPC endpoint of a network. */
export type Endpoint = {
  /**
   * Throws the node's error, or that it did not answer. A node on another chain is never believed. `alone`: an own HTTP request with a
   * small response limit.
   */
  request(method: string, params: unknown[], how?: 'alone'): Promise<unknown>
  status(): EndpointStatus
}

/** How a node proves its chain. `holds` throws on an invalid response. */
export type Proof = { method: string; holds: (answer: unknown) => boolean }

type EndpointOptions = {
  proof: Proof
  /** Whether calls of one turn of the event loop leave as one HTTP request. */
  batched: boolean
  /** A slower call counts as silence until the response comes. */
  timeoutMs: number
  onChange: (status: EndpointStatus) => void
}

const TIMEOUT_MS = 4_000
const BATCH_MAX = 100
/** The response limit: a request has at most 100 calls, and receipts of whole batches are the longest. */
const ANSWER_BYTES_MAX = 16 * 2 ** 20
/** The response limit of a call that is sent alone: a contract's code is the longest. */
const ALONE_BYTES_MAX = 2 ** 16
const MISSES_MAX = 3
const PROBE_EVERY_MS = 5_000
/** A name may point to another machine later, so the chain is proven again after every failure and after this time. */
const PROVEN_FOR_MS = 30_000
const clock = () => performance.now()

/** Opens an endpoint. The first call also requests the proof of its chain. */
export function openEndpoint(url: string, { proof, batched, timeoutMs, onChange }: EndpointOptions): Endpoint {
  let misses = 0
  let foreign = false
  let provenAt = Number.NEGATIVE_INFINITY
  let probedAt = Number.NEGATIVE_INFINITY
  let proving: Promise<void> | null = null
  let reported: EndpointStatus = 'fit'
  let turn: { missed: boolean } | null = null
  const send = openConnections(url)
  const mask = maskOf(url)
  const client = (batchMax: number, bytesMax: number) =>
    openJsonRpc((body, read) => exchangeCounted({ body, bytesMax }, read), batched ? batchMax : null, mask)
  const together = client(BATCH_MAX, ANSWER_BYTES_MAX)
  const alone = client(1, ALONE_BYTES_MAX)
  const inFlight = new Map<string, Promise<unknown>>()

  // Equal calls of one turn are sent once: payments judged together share the newest block.
  function ask(method: string, params: unknown[], how?: 'alone'): Promise<unknown> {
    const call = JSON.stringify([method, params, how])
    const answer = inFlight.get(call) ?? (how ? alone : together)(method, params)
    if (inFlight.size === 0) setImmediate(() => inFlight.clear())
    inFlight.set(call, answer)
    return answer
  }

  const now = (): EndpointStatus => {
    if (foreign) return 'foreign'
    return misses >= MISSES_MAX ? 'silent' : 'fit'
  }

  function report(): void {
    if (now() === reported) return
    reported = now()
    onChange(reported)
  }

  function thisTurn(): { missed: boolean } {
    if (turn) return turn
    setImmediate(() => {
      turn = null
    })
    turn = { missed: false }
    return turn
  }

  // Counted per turn of the event loop: a hundred calls that leave together and fail are one failure.
  async function exchangeCounted<T>(post: Pick<Post, 'body' | 'bytesMax'>, read: (text: string) => T): Promise<T> {
    const current = thisTurn()
    const miss = () => {
      if (!current.missed) misses++
      current.missed = true
      report()
    }
    const slow = setTimeout(miss, timeoutMs)
    const late = new AbortController()
    const giveUp = setTimeout(() => late.abort(), TIMEOUT_MS)
    try {
      const answer = read(await send({ ...post, signal: late.signal }))
      misses = 0
      report()
      return answer
    } catch (error) {
      // An overlong response is not silence: untrusted code must not make a node count as down.
      if (isTooLong(error)) throw error
      provenAt = Number.NEGATIVE_INFINITY
      miss()
      throw maskedError(error, mask)
    } finally {
      clearTimeout(slow)
      clearTimeout(giveUp)
    }
  }

  async function prove(): Promise<void> {
    probedAt = clock()
    foreign = !proof.holds(await ask(proof.method, []))
    if (!foreign) provenAt = clock()
    report()
    if (foreign) throw Object.assign(new Error('the node is on another chain'), { name: FOREIGN })
  }

  function proven(): Promise<void> {
    proving ??= prove().finally(() => {
      proving = null
    })
    return proving
  }

  return {
    async request(method, params, how) {
      if (foreign) await proven()
      if (clock() - provenAt < PROVEN_FOR_MS) return ask(method, params, how)
      const [itsChain, answer] = await Promise.allSettled([proven(), ask(method, params, how)])
      if (itsChain.status === 'rejected') throw itsChain.reason
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    },
    status() {
      // Beside the calls, so that none of them waits for a probe.
      if (now() !== 'fit' && clock() - probedAt >= PROBE_EVERY_MS) proven().catch(() => {})
      return now()
    },
  }
}

const FOREIGN = 'ForeignChainError'

/** Whether a call failed because the node is on another chain. */
export function isForeign(error: unknown): boolean {
  return error instanceof Error && error.name === FOREIGN
}
