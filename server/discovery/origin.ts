import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { publicOnly, type Resolve, resolveAll } from '../http/public-addresses'
import { readAddress } from '../x402/addresses'
import { decodeBase64 } from '../x402/encodings'
import { parseJson } from '../x402/json'
import { isPublicHost } from '../x402/listing-url'
import { readNetwork } from '../x402/networks/networks'

/** What an origin answered: its status, its header `PAYMENT-REQUIRED` and its body. */
type OriginAnswer = { status: number; required: string | undefined; body: string }

/** Reads a URL of an origin by GET, once and without redirects. Null if it gives no answer; never throws. */
export type ReadOrigin = (url: string) => Promise<OriginAnswer | null>

/** A network and an address on it, as one text. */
type Payee = string

/** The file in which an origin may name whom it pays: `{"accepts": [{"network", "payTo"}]}`, as in a 402. */
const PAYEES_FILE = '/.well-known/x402'

const TIMEOUT_MS = 3_000
const BODY_MAX = 65_536
const OFFERS_MAX = 64

/** The name of a payee in proofs. */
export const payeeOf = (network: string, address: string): Payee => `${network} ${address}`

/**
 * Reads origins over https, at public addresses only: the name is resolved for the connection itself, as for webhooks. `privateHosts`
 * allows any host and http, for development.
 */
export function createReadOrigin(
  { privateHosts }: { privateHosts: boolean },
  { timeoutMs = TIMEOUT_MS, resolve = resolveAll }: { timeoutMs?: number; resolve?: Resolve } = {},
): ReadOrigin {
  const guard = privateHosts ? {} : { lookup: publicOnly(resolve) }
  return async (written) => {
    const url = new URL(written)
    if (!privateHosts && (url.protocol !== 'https:' || !isPublicHost(url.hostname))) return null
    try {
      return await get(url, { signal: AbortSignal.timeout(timeoutMs), ...guard })
    } catch {
      // Not reached, too slow or too large: it proves nothing, and the next payment asks it again.
      return null
    }
  }
}

async function get(url: URL, by: { signal: AbortSignal; lookup?: LookupFunction }): Promise<OriginAnswer> {
  const headers = { accept: 'application/json', 'user-agent': 'Quittance-Catalog' }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // A new connection each time: a reused one would keep an earlier address of the name.
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { agent: false, headers, ...by }, resolve)
    request.on('error', reject)
    request.on('close', () => reject(new Error('closed without a response')))
    request.end()
  })
  const { 'payment-required': required } = response.headers
  return {
    status: response.statusCode ?? 0,
    required: typeof required === 'string' ? required : undefined,
    body: await bodyOf(response),
  }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response) {
      size += piece.length
      if (size > BODY_MAX) throw new Error('the body is too long')
      pieces.push(piece)
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(pieces).toString()
}

/**
 * Whom an origin says that it pays: in its own 402 at the resource, else in its file. A listing with a route template stands for many
 * pages, of which one may be another party's, so that only the file counts.
 */
export async function payeesAt(read: ReadOrigin, resource: string, hasTemplate: boolean): Promise<ReadonlySet<Payee>> {
  const { origin, pathname } = new URL(resource)
  const challenge = hasTemplate ? null : await read(`${origin}${pathname}`)
  const said = challenge?.status === 402 ? payeesIn(challenge) : null
  if (said) return said
  const file = await read(`${origin}${PAYEES_FILE}`)
  return (file?.status === 200 ? payeesIn(file) : null) ?? new Set()
}

function payeesIn({ required, body }: OriginAnswer): ReadonlySet<Payee> | null {
  const offers = Object(jsonIn(required === undefined ? () => body : () => decodeBase64(required, 'PAYMENT-REQUIRED'))).accepts
  if (!Array.isArray(offers) || offers.length === 0) return null
  return new Set(offers.slice(0, OFFERS_MAX).flatMap(payeeIn))
}

function payeeIn(offer: unknown): Payee[] {
  const { network, payTo } = Object(offer)
  if (typeof network !== 'string' || typeof payTo !== 'string') return []
  const [read, address] = [readNetwork(network), readAddress(payTo)]
  return read && 'known' in read && address !== null ? [payeeOf(read.known, address)] : []
}

function jsonIn(text: () => string): unknown {
  try {
    return parseJson(text(), 'the answer')
  } catch {
    // A page of another kind.
    return null
  }
}
