import { decodedHeader } from '../wallets/terms'
import type { Part } from './steps'

/** Longer than a facilitator waits for a chain. */
const PATIENCE_MS = 30_000

export type Answer = { status: number; headers: Headers; text: string }

/** Asks the sample merchant. Throws, in words for whoever pressed the button, when no answer comes. */
export async function ask(url: string, asked: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...asked, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    throw new Error(whyNot(url, cause), { cause })
  }
}

function whyNot(url: string, cause: unknown): string {
  const { origin } = new URL(url)
  return cause instanceof DOMException && cause.name === 'TimeoutError'
    ? `The sample merchant at ${origin} did not answer within ${PATIENCE_MS / 1_000} seconds. See what the demo says in its terminal, then try again.`
    : `The sample merchant at ${origin} cannot be reached. It is part of the demo: see that npm run demo still runs, then try again.`
}

/** What an answer says went wrong, with its status. */
export function complaint({ status, text }: Answer): string {
  const said = parsed(text)
  const error: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, 'error') : undefined
  return typeof error === 'string' ? `${error} (${status})` : `its answer was ${status}`
}

/** A text as it is, or its JSON as people read it. */
export function readable(text: string): string {
  const json = parsed(text)
  return json === undefined ? text : pretty(json)
}

/** JSON as people read it; amounts as digits. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2)
}

/** A header of x402, with what is in its base64. */
export function header(name: string, value: string): Part {
  const size = value.length.toLocaleString('en')
  return { name: `${name}, decoded from ${size} characters of base64`, text: pretty(decodedHeader(value)) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
