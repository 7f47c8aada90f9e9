import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../base/errors'
import type { Log } from '../base/log'
import { type Endpoint, type EndpointStatus, isForeign, openEndpoint, type Proof } from './endpoint'
import { rejectionOf } from './json-rpc'

/** One JSON-RPC call. `alone`: its response depends on untrusted code, so it gets its own HTTP request with a small response limit. */
export type Rpc = (method: string, params: unknown[], how?: 'alone') => Promise<unknown>

/** An endpoint by its recent calls: how many, how many got no response, and the median time of the others in milliseconds. */
export type EndpointCalls = { status: EndpointStatus; calls: number; failed: number; medianMs: number | null }

/** A client of a network: a call goes to the first endpoint that responds; each of `nodes` is one endpoint without failover. */
export type Nodes = {
  rpc: Rpc
  nodes: readonly Rpc[]
  endpoints: () => EndpointCalls[]
  /** Whether every endpoint is on another chain. */
  isForeign: () => boolean
}

/** What the nodes of a chain family have in common. */
type Dialect = {
  proof: Proof
  /** Whether calls made in the same turn of the event loop leave as one HTTP request. */
  batched: boolean
  /** Whether a node's error is the chain's own verdict on the call, the same on any node. */
  isFinal: (error: unknown) => boolean
  /** Whether a call may be retried once after this error. */
  isTransient: (method: string, error: unknown) => boolean
  /** Methods that change the chain; all others only read. */
  sends: ReadonlySet<string>
}

/** Wraps every call of a client, with the number of its endpoint (from 1) and the method. */
export type AroundCall = (call: { endpoint: number; method: string }, send: () => Promise<unknown>) => Promise<unknown>

const unobserved: AroundCall = (_call, send) => send()

/** After this time without a response, the next endpoint gets the call too. */
const SLOW_MS = 500
/** A broken connection, or a balancer without a node, has often recovered by then. */
const PAUSE_MS = 50

/**
 * A JSON-RPC client over the endpoints of a network: each call, sends included, goes to the next endpoint until one responds. Silent
 * endpoints are used only without a healthy one. A failed read is retried once, soon after an isolated failure or after an error that the
 * dialect calls transient. Sends are never retried. `nodes` gives each endpoint alone: a result combined from several may match none.
 */
export function openNodes(urls: string[], network: string, dialect: Dialect, log: Log, around: AroundCall = unobserved): Nodes {
  const endpoints = urls.map((url, at) => {
    const endpoint = openEndpoint(url, {
      proof: dialect.proof,
      batched: dialect.batched,
      timeoutMs: SLOW_MS,
      // By number, because URLs of endpoints hold keys.
      onChange: (status) => log[status === 'fit' ? 'info' : 'warn']({ network, endpoint: at + 1, status }, 'RPC endpoint'),
    })
    const recent = createRecentCalls()
    const request: Rpc = (method, params, how) =>
      around({ endpoint: at + 1, method }, () => recent.note(endpoint.request(method, params, how)))
    return { ...endpoint, request, calls: recent.calls }
  })
  const request: Rpc = (method, params, how) => {
    const requests = inTurn(endpoints).map((endpoint) => () => endpoint.request(method, params, how))
    return firstAnswer(requests, dialect.isFinal)
  }
  const isBlip = (method: string, error: unknown) =>
    !dialect.sends.has(method) && rejectionOf(error) === null && endpoints.some((endpoint) => endpoint.status() === 'fit')
  const rpc: Rpc = async (method, params, how) => {
    const startedAt = performance.now()
    try {
      return await request(method, params, how)
    } catch (error) {
      const soon = performance.now() - startedAt < SLOW_MS
      if (soon && isBlip(method, error)) await delay(PAUSE_MS)
      else if (!dialect.isTransient(method, error)) throw error
      return request(method, params, how)
    }
  }
  return {
    rpc,
    nodes: endpoints.map(alone),
    endpoints: () => endpoints.map(({ status, calls }) => ({ status: status(), ...calls() })),
    isForeign: () => endpoints.every(({ status }) => status() === 'foreign'),
  }
}

const RECENT_CALLS = 100
const RECENT_MS = 10 * 60_000

/** Remembers how long the last 100 calls took, for ten minutes. A node's own error is a response too. */
function createRecentCalls() {
  let last: { at: number; ms: number; failed: boolean }[] = []
  function add(startedAt: number, failed: boolean): void {
    const at = performance.now()
    last.push({ at, ms: at - startedAt, failed })
    // Cut rarely, so that a call does not move a hundred others.
    if (last.length >= 2 * RECENT_CALLS) last = last.slice(-RECENT_CALLS)
  }
  return {
    note(call: Promise<unknown>): Promise<unknown> {
      const startedAt = performance.now()
      call.then(
        () => add(startedAt, false),
        (error: unknown) => add(startedAt, rejectionOf(error) === null),
      )
      return call
    },
    calls() {
      const since = performance.now() - RECENT_MS
      const recent = last.slice(-RECENT_CALLS).filter(({ at }) => at >= since)
      const times = recent.flatMap(({ ms, failed }) => (failed ? [] : [ms])).sort((one, other) => one - other)
      const median = times[times.length >> 1]
      return {
        calls: recent.length,
        failed: recent.length - times.length,
        medianMs: median === undefined ? null : Math.round(median * 10) / 10,
      }
    },
  }
}

function inTurn(endpoints: readonly Endpoint[]): Endpoint[] {
  const statuses = endpoints.map((endpoint) => endpoint.status())
  const those = (status: (typeof statuses)[number]) => endpoints.filter((_, at) => statuses[at] === status)
  return [those('fit'), those('silent'), those('foreign')].find((some) => some.length > 0) ?? []
}

/** One endpoint without failover. One that is silent is not waited for: `status` asks it now and then whether it is back. */
function alone({ request, status }: Endpoint): Rpc {
  return (method, params, how) =>
    status() === 'silent' ? Promise.reject(new Error('the endpoint is silent')) : request(method, params, how)
}

/** Calls one after the other, each when the one before failed or is slow; resolves with the first response. */
function firstAnswer(requests: readonly (() => Promise<unknown>)[], isFinal: Dialect['isFinal']): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const errors: unknown[] = []
    let started = 0
    function requestNext(): void {
      const request = requests[started++]
      if (!request) return
      let moved = false
      const move = () => {
        if (!moved) requestNext()
        moved = true
      }
      const slow = setTimeout(move, SLOW_MS)
      const failed = (error: unknown) => {
        clearTimeout(slow)
        errors.push(error)
        // The chain's own error is final, and any node error says more than silence.
        if (isFinal(error)) reject(error)
        else if (errors.length === requests.length) reject(errors.find((one) => rejectionOf(one) !== null) ?? error)
        else move()
      }
      const answered = (answer: unknown) => {
        clearTimeout(slow)
        moved = true
        resolve(answer)
      }
      request().then(answered, failed)
    }
    requestNext()
  })
}

/** The refusal for a node that failed before anything was sent. */
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
