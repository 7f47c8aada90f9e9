import { ServiceError } from '../../errors'
import type { Log } from '../../log'
import { type EvmNetworkId, networks } from '../../x402/networks'
import { isExecutionFailure, rejectionOf } from './answers'
import { type Endpoint, isForeign, openEndpoint } from './endpoint'

/** One JSON-RPC call. Calls made in the same turn of the event loop leave as one HTTP request. */
export type Rpc = (method: string, params: unknown[]) => Promise<unknown>

/** An endpoint that keeps a call waiting for this long is not waited for alone: the next one is asked too. */
const PATIENCE_MS = 500

/**
 * A JSON-RPC client over one or more endpoints of a network, the first that answers: a call that one does not answer goes to
 * the next, a send too, whose bytes are the same. Endpoints that were silent lately are asked only when there is no other, those of
 * another chain only for their chain id. Nothing else is repeated but a read that met a node in the moment between two blocks: callers know what else may be.
 */
export function createRpc(urls: string[], network: EvmNetworkId, log: Log): Rpc {
  const endpoints = urls.map((url, at) =>
    openEndpoint(url, {
      chainId: networks[network].chainId,
      patienceMs: PATIENCE_MS,
      // By its number: addresses of endpoints hold keys.
      onChange: (standing) => log[standing === 'fit' ? 'info' : 'warn']({ network, endpoint: at + 1, standing }, 'RPC endpoint'),
    }),
  )
  const request: Rpc = (method, params) => firstAnswer(inTurn(endpoints).map((endpoint) => () => endpoint.ask(method, params)))
  return async (method, params) => {
    try {
      return await request(method, params)
    } catch (error) {
      if (!READS.has(method) || !betweenBlocks(error)) throw error
      return request(method, params)
    }
  }
}

function inTurn(endpoints: readonly Endpoint[]): Endpoint[] {
  const standings = endpoints.map((endpoint) => endpoint.standing())
  const those = (standing: (typeof standings)[number]) => endpoints.filter((_, at) => standings[at] === standing)
  return [those('fit'), those('silent'), those('foreign')].find((some) => some.length > 0) ?? []
}

/** Asks one after the other, each when the one before failed or is slow, and resolves with the first answer. */
function firstAnswer(asks: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const errors: unknown[] = []
    let asked = 0
    function askNext(): void {
      const ask = asks[asked++]
      if (!ask) return
      let moved = false
      const move = () => {
        if (!moved) askNext()
        moved = true
      }
      const slow = setTimeout(move, PATIENCE_MS)
      const failed = (error: unknown) => {
        clearTimeout(slow)
        errors.push(error)
        // What the contract's code said is an answer; and what some node said tells more than another one's silence.
        if (isExecutionFailure(error)) reject(error)
        else if (errors.length === asks.length) reject(errors.find((one) => rejectionOf(one) !== null) ?? error)
        else move()
      }
      const answered = (answer: unknown) => {
        clearTimeout(slow)
        moved = true
        resolve(answer)
      }
      ask().then(answered, failed)
    }
    askNext()
  })
}

const READS: ReadonlySet<string> = new Set(['eth_call', 'eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'])

// "Latest" named a block that the replica behind a balancer does not have yet, or a pruning node has no more.
function betweenBlocks(error: unknown): boolean {
  return /header not found|unknown block|block ?not ?found|out ?of ?range/i.test(rejectionOf(error)?.message ?? '')
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
