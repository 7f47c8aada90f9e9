import type { Mask } from './url-mask'

/** Sends a body to a node and resolves with what `read` finds in the response. Throws when there is none, and what `read` throws. */
export type Exchange = (body: string, read: (text: string) => Answers) => Promise<Answers>

type Answers = ReadonlyMap<unknown, Record<string, unknown>>
type Waiting = { id: number; method: string; params: unknown[]; leaveWith: (answers: Promise<Answers>) => void }

/**
 * A client of a node: each call resolves with its result, and throws the node's error (`rejectionOf`) with `mask` over its messages. Up to
 * `batchMax` calls share an HTTP request: those of one turn of the event loop, or of a millisecond while another request is in flight.
 * With null each call is an HTTP request of its own, without a list around it.
 */
export function openJsonRpc(exchange: Exchange, batchMax: number | null, mask: Mask) {
  let lastId = 0
  let inFlight = 0
  let waiting: Waiting[] = []

  function leave(): void {
    const calls = waiting
    waiting = []
    if (calls.length === 0) return
    const asked = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
    const body = JSON.stringify(batchMax === null ? asked[0] : asked)
    inFlight++
    const answers = exchange(body, (text) => answersIn(text, calls, batchMax !== null)).finally(() => inFlight--)
    for (const { leaveWith } of calls) leaveWith(answers)
  }

  return async function call(method: string, params: unknown[]): Promise<unknown> {
    const id = ++lastId
    const answers = await new Promise<Answers>((leaveWith) => {
      waiting.push({ id, method, params, leaveWith })
      if (waiting.length >= (batchMax ?? 1)) leave()
      else if (waiting.length > 1) return
      else if (inFlight === 0) setImmediate(leave)
      else setTimeout(leave, 0)
    })
    const { error, result } = answers.get(id) ?? {}
    if (error) throw rejectionFrom(error, mask)
    return result
  }
}

/** The answers by the ids of their calls. Throws unless each call has one and there is no other. */
function answersIn(text: string, calls: readonly Waiting[], listed: boolean): Answers {
  const body: unknown = JSON.parse(text)
  const entries: unknown[] = Array.isArray(body) ? body : [body]
  const answers = new Map(entries.map((entry) => [idOf(entry), asRecord(entry, 'a call')]))
  const isExact = Array.isArray(body) === listed && entries.length === calls.length && calls.every(({ id }) => answers.has(id))
  if (!isExact) throw new Error('node did not answer exactly what it was asked')
  return answers
}

const idOf = (entry: unknown) => asRecord(entry, 'a call').id

const REJECTED = 'RpcRequestError'

// A node's error may quote its URL, which holds a key; logs and callers may see the message.
function rejectionFrom(error: unknown, mask: Mask): Error {
  const masked = JSON.stringify({ error }, (name, value: unknown) => {
    if (name !== 'error' || typeof value !== 'object' || value === null) return value
    return 'message' in value && typeof value.message === 'string' ? { ...value, message: mask(value.message) } : value
  })
  const { code, message, data } = asRecord(asRecord(JSON.parse(masked), 'a call').error, 'an error')
  const details = typeof message === 'string' ? message : 'no reason given'
  return Object.assign(new Error(details), { name: REJECTED, code, details, data })
}

/** An object from a node. Throws on anything else. */
export function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value))
  throw new Error(`node answered ${what} with something that is not an object`)
}

/** The node's JSON-RPC error, with its data unchanged; null when the node did not answer. */
export function rejectionOf(error: unknown): { code: number; message: string; data: unknown } | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.name !== REJECTED || !('code' in at) || typeof at.code !== 'number') continue
    const details = 'details' in at && typeof at.details === 'string' ? at.details : at.message
    return { code: at.code, message: details, data: 'data' in at ? at.data : undefined }
  }
  return null
}
