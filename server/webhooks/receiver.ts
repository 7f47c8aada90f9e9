import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { codesOf } from '../base/upstream'
import { PRIVATE_ADDRESS, publicOnly, type Resolve, resolveAll } from '../http/public-addresses'
import { isPublicHost } from '../x402/listing-url'

/** A receiver's response: `Retry-After` unchanged, and the beginning of its body as text, if it has one. */
type Answer = { status: number; retryAfter?: string; text?: string }

/** A receiver's response, or the reason for none as readable text. */
export type Reply = Answer | { failure: string }

/** Sends a message to a receiver. Never throws. */
export type SendWebhook = (url: string, headers: Record<string, string>, body: string) => Promise<Reply>

/** Where messages may go: `privateHosts` allows private hosts and http. */
type ReceiverRules = { privateHosts: boolean }

/** Options for tests. */
type Seams = { timeoutMs?: number; resolve?: Resolve }

const RECEIVER_URL_MAX = 2_048
const TIMEOUT_MS = 10_000
/** How much of the response body is read, and how much of that is kept. */
const ANSWER_BYTES_MAX = 65_536
const KEPT_BYTES_MAX = 4_096

/** What is wrong with a receiver's URL; null when messages may go there. */
export function receiverFault(written: string, { privateHosts }: ReceiverRules): string | null {
  if (!URL.canParse(written)) return 'must be an absolute URL'
  const { protocol, hostname, username, password, hash } = new URL(written)
  if (written.length > RECEIVER_URL_MAX) return `must have at most ${RECEIVER_URL_MAX} characters`
  if (username || password || hash) return 'must have no user name, no password and no fragment'
  if (protocol !== 'https:' && !(privateHosts && protocol === 'http:')) return 'must begin with https://'
  if (!privateHosts && !isPublicHost(hostname)) return 'must have a public host, by its name'
  return null
}

/**
 * Sends messages by POST, once; a redirect is a response. The name is resolved for the connection itself, which is refused when any of
 * its addresses is private: an earlier lookup proves nothing.
 */
export function createSendWebhook(
  rules: ReceiverRules,
  { timeoutMs = TIMEOUT_MS, resolve = resolveAll }: Seams = {},
): SendWebhook {
  const guard = rules.privateHosts ? {} : { lookup: publicOnly(resolve) }
  return async (url, headers, body) => {
    const flaw = receiverFault(url, rules)
    if (flaw) return { failure: `its URL ${flaw}` }
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await post(new URL(url), { headers, body, timeout, ...guard })
    } catch (error) {
      if (timeout.aborted) return { failure: `no answer within ${Math.ceil(timeoutMs / 1_000)} seconds` }
      const { detail } = codesOf(error)
      return {
        failure: detail === PRIVATE_ADDRESS ? 'its name resolves to a private address' : `it cannot be reached (${detail})`,
      }
    }
  }
}

type Sending = { headers: Record<string, string>; body: string; timeout: AbortSignal; lookup?: LookupFunction }

function post(url: URL, { headers, body, timeout, lookup }: Sending): Promise<Answer> {
  const bytes = Buffer.from(body)
  const options = {
    method: 'POST',
    // A new connection each time: a reused one would keep an earlier address of the name.
    agent: false,
    signal: timeout,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Quittance-Webhooks',
      ...headers,
      'content-length': bytes.length,
    },
    ...(lookup ? { lookup } : {}),
  }
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    let answered = false
    const fail = (error: Error) => answered || reject(error)
    request.on('error', fail)
    request.on('response', (response) => {
      answered = true
      void drained(response).then((body) => resolve(answerOf(response, body)))
    })
    // On another protocol (101) Node closes the connection without an event.
    request.on('close', () => fail(Object.assign(new Error('closed without a response'), { code: UNANSWERED })))
    request.end(bytes)
  })
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer): Answer {
  const { 'retry-after': retryAfter } = headers
  const text = textOf(body)
  return { status: statusCode, ...(retryAfter === undefined ? {} : { retryAfter }), ...(text === '' ? {} : { text }) }
}

// Half a character at the cut is left out, and so are zeros, which PostgreSQL does not store.
function textOf(body: Buffer): string {
  const text = new TextDecoder().decode(body.subarray(0, KEPT_BYTES_MAX), { stream: true }).replaceAll('\0', '')
  return body.length > KEPT_BYTES_MAX ? `${text}…` : text
}

// The status has arrived, so the result is known. Resolves with the beginning of the body, as far as it came.
async function drained(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response) {
      if (size <= KEPT_BYTES_MAX) pieces.push(Buffer.from(piece))
      size += Buffer.byteLength(piece)
      if (size > ANSWER_BYTES_MAX) break
    }
  } catch {
    // Broken off, or too slow.
  } finally {
    response.destroy()
  }
  return Buffer.concat(pieces)
}

const UNANSWERED = 'NO_ANSWER'
