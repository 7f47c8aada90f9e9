import { z } from 'zod'
import { bodyOf, canRequest, codesOf, jsonOrUndefined } from '../../base/upstream'
import { USUAL_SCHEME } from '../../x402/schemes/scheme-names'

/**
 * Another facilitator's response to a settle request, which proves nothing about money. `not reached`: no byte of the request was sent.
 * `refused`: it says that it did not act. `answered`: any other response, with the transaction that it named, if any. `unknown`: it may
 * have acted.
 */
export type RemoteAnswer =
  | { end: 'not reached'; detail: string }
  | { end: 'refused'; status: number }
  | { end: 'answered'; success: boolean; transaction: `0x${string}` | null }
  | { end: 'unknown'; detail: string }

/** What another facilitator publishes about itself. Addresses are lower case where they are hex. */
export type RemoteSupported = {
  kinds: { network: string; feePayer: string | null }[]
  /** By CAIP-2 family, such as `eip155:*`. */
  signers: Record<string, string[]>
}

/** Another x402 facilitator. No result or error holds its URL or our token. */
export type RemoteFacilitator = {
  /** Sends the request once. Never throws. */
  settle(request: object, by: { timeoutMs: number; signal: AbortSignal }): Promise<RemoteAnswer>
  /** Throws without a valid response. */
  supported(signal: AbortSignal): Promise<RemoteSupported>
}

const SUPPORTED_MS = 5_000

const shortText = z.string().max(200)
const Settled = z.object({ success: z.boolean(), transaction: z.string().nullish() })
const Supported = z.object({
  kinds: z
    .array(
      z.object({
        scheme: shortText,
        network: shortText,
        extra: z
          .object({ feePayer: shortText.nullish().catch(null) })
          .nullish()
          .catch(null),
      }),
    )
    .max(500),
  signers: z.record(shortText, z.array(shortText).max(200)).default({}),
})

/** Statuses that mean the server did not act, with any body. */
const REFUSALS: ReadonlySet<number> = new Set([301, 307, 308, 401, 403, 404, 405, 413, 415, 429])
/** Statuses that mean the server did not act, unless the body reports a settlement. */
const UNREADABLE: ReadonlySet<number> = new Set([400, 422])

/** The facilitator behind this base URL. Throws when URL and token do not make a valid request; the error names neither. */
export function remoteFacilitator(url: string, token: string | undefined): RemoteFacilitator {
  const base = url.replace(/\/+$/, '')
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  if (!canRequest(base, headers)) throw new Error('the URL or the token of a remote facilitator cannot be used in a request')
  return {
    async settle(request, { timeoutMs, signal }) {
      const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const init = { method: 'POST', headers, body: JSON.stringify(request), redirect: 'manual', signal: within } as const
      try {
        const response = await fetch(`${base}/settle`, init)
        return readAnswer(response.status, await bodyOf(response))
      } catch (error) {
        const { connected, detail } = codesOf(error)
        return connected ? { end: 'unknown', detail } : { end: 'not reached', detail }
      }
    },
    async supported(signal) {
      const within = AbortSignal.any([signal, AbortSignal.timeout(SUPPORTED_MS)])
      const text = await fetch(`${base}/supported`, { headers, redirect: 'manual', signal: within })
        .then((response) => (response.ok ? bodyOf(response) : `status ${response.status}`))
        .catch((error: unknown) => {
          throw new Error(`it does not answer (${codesOf(error).detail})`)
        })
      const read = Supported.safeParse(jsonOrUndefined(text))
      if (!read.success) throw new Error('it answered with something else than what it supports')
      return supportedOf(read.data)
    },
  }
}

function readAnswer(status: number, text: string): RemoteAnswer {
  const body = jsonOrUndefined(text)
  const parsed = Settled.safeParse(body)
  const transaction = hashIn(body)
  const refused = REFUSALS.has(status) || (UNREADABLE.has(status) && !parsed.success)
  if (refused && transaction === null) return { end: 'refused', status }
  if (parsed.success || transaction !== null) {
    return { end: 'answered', success: parsed.success && parsed.data.success && status >= 200 && status < 300, transaction }
  }
  return { end: 'unknown', detail: `status ${status}` }
}

const HASH = /^0x[0-9a-f]{64}$/i

/** The transaction hash in a response, under the field names that facilitators use. */
function hashIn(body: unknown): `0x${string}` | null {
  if (typeof body !== 'object' || body === null) return null
  for (const name of ['transaction', 'txHash', 'transactionHash']) {
    const value: unknown = Reflect.get(body, name)
    if (typeof value === 'string' && HASH.test(value)) return `0x${value.slice(2).toLowerCase()}`
  }
  return null
}

function supportedOf({ kinds, signers }: z.output<typeof Supported>): RemoteSupported {
  const forwarded = kinds.filter(({ scheme }) => scheme === USUAL_SCHEME)
  const lower = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address)
  return {
    kinds: forwarded.map(({ network, extra }) => ({ network, feePayer: extra?.feePayer ?? null })),
    signers: Object.fromEntries(Object.entries(signers).map(([family, addresses]) => [family, addresses.map(lower)])),
  }
}
