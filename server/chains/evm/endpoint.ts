import { http } from 'viem'
import { asHex, asRecord } from './answers'

/**
 * What is known of an endpoint: it answers; it was silent several times in a row; or it is on another chain. One that is not
 * fit is asked its chain id now and then, and is fit again when the answer is right.
 */
export type Standing = 'fit' | 'silent' | 'foreign'

/** One JSON-RPC endpoint of a network. */
export type Endpoint = {
  /** Throws what the node said, or that it said nothing. Nothing is believed of a node that is on another chain. */
  ask(method: string, params: unknown[]): Promise<unknown>
  standing(): Standing
}

export type EndpointOptions = {
  chainId: number
  /** To be slower than this counts as silence until the answer comes. */
  patienceMs: number
  onChange: (standing: Standing) => void
}

const TIMEOUT_MS = 4_000
const BATCH_MAX = 100
const MISSES_MAX = 3
const PROBE_EVERY_MS = 5_000
/** A name may come to stand for another machine: its chain is asked for again after every failure and this long. */
const PROVEN_FOR_MS = 30_000
const clock = () => performance.now()

/** Opens an endpoint. Nothing is asked before the first call, whose HTTP request also asks for the chain id. */
export function openEndpoint(url: string, { chainId, patienceMs, onChange }: EndpointOptions): Endpoint {
  let misses = 0
  let foreign = false
  let provenAt = Number.NEGATIVE_INFINITY
  let probedAt = Number.NEGATIVE_INFINITY
  let proving: Promise<void> | null = null
  let told: Standing = 'fit'
  const batch = { batchSize: BATCH_MAX, wait: 0 }
  const transport = http(url, { batch, retryCount: 0, timeout: TIMEOUT_MS, fetchFn: fetchCounted })({ retryCount: 0 })
  const request = (method: string, params: unknown[]): Promise<unknown> => transport.request({ method, params })

  const now = (): Standing => {
    if (foreign) return 'foreign'
    return misses >= MISSES_MAX ? 'silent' : 'fit'
  }

  function tell(): void {
    if (now() === told) return
    told = now()
    onChange(told)
  }

  function miss(): void {
    misses++
    tell()
  }

  // Counted by HTTP request: a hundred calls in one that fails are one failure.
  async function fetchCounted(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    let late = false
    const slow = setTimeout(() => {
      late = true
      miss()
    }, patienceMs)
    try {
      const response = await fetchExactly(input, init)
      misses = 0
      tell()
      return response
    } catch (error) {
      provenAt = Number.NEGATIVE_INFINITY
      if (!late) miss()
      throw error
    } finally {
      clearTimeout(slow)
    }
  }

  async function prove(): Promise<void> {
    probedAt = clock()
    foreign = BigInt(asHex(await request('eth_chainId', []), 'eth_chainId')) !== BigInt(chainId)
    if (!foreign) provenAt = clock()
    tell()
    if (foreign) throw Object.assign(new Error('the node is on another chain'), { name: FOREIGN })
  }

  function proof(): Promise<void> {
    proving ??= prove().finally(() => {
      proving = null
    })
    return proving
  }

  return {
    async ask(method, params) {
      if (foreign) await proof()
      if (clock() - provenAt < PROVEN_FOR_MS) return request(method, params)
      const [proven, answer] = await Promise.allSettled([proof(), request(method, params)])
      if (proven.status === 'rejected') throw proven.reason
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    },
    standing() {
      // Beside the calls, so that none of them waits for a probe.
      if (now() !== 'fit' && clock() - probedAt >= PROBE_EVERY_MS) proof().catch(() => {})
      return now()
    },
  }
}

const FOREIGN = 'ForeignChainError'

/** Whether a call failed because the node is on another chain. */
export function isForeign(error: unknown): boolean {
  return error instanceof Error && error.name === FOREIGN
}

// viem pairs a batch with its answers by order alone: one that is missing or foreign would hand the others round.
async function fetchExactly(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (!response.ok) throw new Error(`node answered with status ${response.status}`)
  const text = await response.text()
  if (idsOf(text) !== idsOf(String(init?.body))) throw new Error('node did not answer exactly what it was asked')
  return new Response(text, response)
}

function idsOf(batch: string): string {
  const entries: unknown = JSON.parse(batch)
  if (!Array.isArray(entries)) return 'not a batch'
  return entries
    .map((entry: unknown) => JSON.stringify(asRecord(entry, 'a batch').id))
    .sort()
    .join()
}
