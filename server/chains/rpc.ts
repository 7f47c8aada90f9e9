import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../errors'
import type { Log } from '../log'
import { type Endpoint, isForeign, openEndpoint, type Proof, rejectionOf } from './endpoint'

/**
 * One JSON-RPC call. `alone`: it runs or reads what a stranger wrote, so it shares its HTTP request with no other call and little is
 * read of its answer.
 */
export type Rpc = (method: string, params: unknown[], how?: 'alone') => Promise<unknown>

/** A client of a network: its calls go to the first endpoint that answers; each of `nodes` is one endpoint and asks no other. */
export type Nodes = { rpc: Rpc; nodes: readonly Rpc[] }

/** What the nodes of a family of chains have in common. */
export type Dialect = {
  proof: Proof
  /** Whether calls made in the same turn of the event loop leave as one HTTP request. */
  batched: boolean
  /** Whether a node's error is what the chain says of the call, and would be said by any other node too. */
  isFinal: (error: unknown) => boolean
  /** Whether a call may be made once more after this error. */
  isPassing: (method: string, error: unknown) => boolean
  /** What changes something on the chain. Everything else only reads. */
  sends: ReadonlySet<string>
}

/** Hears of every call of a client: which endpoint of its list is asked (from 1), and what. */
export type AroundCall = (call: { endpoint: number; method: string }, ask: () => Promise<unknown>) => Promise<unknown>

const unobserved: AroundCall = (_call, ask) => ask()

/** An endpoint that keeps a call waiting for this long is not waited for alone: the next one is asked too. */
const SLOW_MS = 500
/** A connection that broke, or a balancer that had no node for us, is often over by then. */
const PAUSE_MS = 50

/**
 * A JSON-RPC client over one or more endpoints of a network, the first that answers: a call that one does not answer goes to
 * the next, a send too, whose bytes are the same. Endpoints that were silent lately are asked only when there is no other, those of
 * another chain only for their chain. A read that nobody answered, soon and for no known outage, is asked once more, and so is what
 * the dialect calls passing; sends are never repeated: callers know which may be.
 */
export function openRpc(urls: string[], network: string, dialect: Dialect, log: Log, around?: AroundCall): Rpc {
  return openNodes(urls, network, dialect, log, around).rpc
}

/** The same, with a way to ask each endpoint by itself: what several nodes say cannot be put together to what one of them would say. */
export function openNodes(urls: string[], network: string, dialect: Dialect, log: Log, around: AroundCall = unobserved): Nodes {
  const endpoints = urls.map((url, at) => {
    const endpoint = openEndpoint(url, {
      proof: dialect.proof,
      batched: dialect.batched,
      timeoutMs: SLOW_MS,
      // By its number: addresses of endpoints hold keys.
      onChange: (status) => log[status === 'fit' ? 'info' : 'warn']({ network, endpoint: at + 1, status }, 'RPC endpoint'),
    })
    const ask: Rpc = (method, params, how) => around({ endpoint: at + 1, method }, () => endpoint.ask(method, params, how))
    return { ...endpoint, ask }
  })
  const request: Rpc = (method, params, how) => {
    const requests = inTurn(endpoints).map((endpoint) => () => endpoint.ask(method, params, how))
    return firstAnswer(requests, dialect.isFinal)
  }
  const isBlip = (method: string, error: unknown) =>
    !dialect.sends.has(method) && rejectionOf(error) === null && endpoints.some((endpoint) => endpoint.status() === 'fit')
  const rpc: Rpc = async (method, params, how) => {
    const asked = performance.now()
    try {
      return await request(method, params, how)
    } catch (error) {
      const soon = performance.now() - asked < SLOW_MS
      if (soon && isBlip(method, error)) await delay(PAUSE_MS)
      else if (!dialect.isPassing(method, error)) throw error
      return request(method, params, how)
    }
  }
  return { rpc, nodes: endpoints.map((endpoint) => endpoint.ask) }
}

function inTurn(endpoints: readonly Endpoint[]): Endpoint[] {
  const statuses = endpoints.map((endpoint) => endpoint.status())
  const those = (status: (typeof statuses)[number]) => endpoints.filter((_, at) => statuses[at] === status)
  return [those('fit'), those('silent'), those('foreign')].find((some) => some.length > 0) ?? []
}

/** Asks one after the other, each when the one before failed or is slow, and resolves with the first answer. */
function firstAnswer(requests: readonly (() => Promise<unknown>)[], isFinal: Dialect['isFinal']): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const errors: unknown[] = []
    let asked = 0
    function requestNext(): void {
      const ask = requests[asked++]
      if (!ask) return
      let moved = false
      const move = () => {
        if (!moved) requestNext()
        moved = true
      }
      const slow = setTimeout(move, SLOW_MS)
      const failed = (error: unknown) => {
        clearTimeout(slow)
        errors.push(error)
        // What the chain itself said is an answer; and what some node said tells more than another one's silence.
        if (isFinal(error)) reject(error)
        else if (errors.length === requests.length) reject(errors.find((one) => rejectionOf(one) !== null) ?? error)
        else move()
      }
      const answered = (answer: unknown) => {
        clearTimeout(slow)
        moved = true
        resolve(answer)
      }
      ask().then(answered, failed)
    }
    requestNext()
  })
}

/** The refusal for a node that failed us before anything was sent. */
export function unreachable(network: string, cause: unknown): ServiceError {
  if (isForeign(cause)) {
    const message = `every ${network} node is on another chain; nothing was sent, try again shortly`
    return new ServiceError('unavailable', message, { reason: 'facilitator_unavailable', retryAfterSeconds: 2, cause })
  }
  return new ServiceError('upstream', `the ${network} node did not answer; nothing was sent, try again`, {
    reason: 'upstream_unreachable',
    cause,
  })
}
