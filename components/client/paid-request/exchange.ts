import { decodedHeader } from '../wallets/terms'
import type { Part } from './steps'

/** Longer than a facilitator waits for a chain. */
const TIMEOUT_MS = 30_000

export type Answer = { status: number; headers: Headers; text: string }

/** Sends a request to the sample merchant, or to `server`. Throws a message for the user if no response comes. */
export async function request(url: string, init: RequestInit = {}, server?: string): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    throw new Error(server ? failureOf(server, cause) : failureText(url, cause), { cause })
  }
}

function failureOf(server: string, cause: unknown): string {
  return isTimeout(cause)
    ? `${server} did not answer within ${TIMEOUT_MS / 1_000} seconds. Look at your settlements before you try again.`
    : `${server} cannot be reached. Check your connection, then try again.`
}

const isTimeout = (cause: unknown) => cause instanceof DOMException && cause.name === 'TimeoutError'

function failureText(url: string, cause: unknown): string {
  const { origin } = new URL(url)
  return isTimeout(cause)
    ? `The sample merchant at ${origin} did not answer within ${TIMEOUT_MS / 1_000} seconds. Check the terminal of the demo, then try again.`
    : `The sample merchant at ${origin} cannot be reached. It is part of the demo: check that npm run demo still runs, then try again.`
}

/** The error in a response, with its status. */
export function errorIn({ status, text }: Answer): string {
  const body = parsed(text)
  const error: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined
  return typeof error === 'string' ? `${error} (${status})` : `HTTP ${status}`
}

/** A text, with JSON indented. */
export function readable(text: string): string {
  const json = parsed(text)
  return json === undefined ? text : pretty(json)
}

/** Indented JSON; bigints as digits. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2)
}

/** An x402 header, decoded from base64. */
export function header(name: string, value: string): Part {
  const size = value.length.toLocaleString('en')
  return { name: `${name}, decoded from ${size} characters of base64`, text: pretty(decodedHeader(value)) }
}

/** The JSON of a text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
