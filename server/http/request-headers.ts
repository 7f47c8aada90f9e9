import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { holdsKey } from '../base/log'
import { CLIENT_IP_HEADER, REQUEST_ID_HEADER } from './request'

// Our own headers, proxy headers, and Next's internal ones (base-server, router-server, api-utils), with the policy that holds the nonce.
// `next-action` calls a function of the server; we have none.
// Next's two request ids stay: its development client hangs without them, and production ignores them.
const PRIVATE_HEADER =
  /^(?:x-(?:quittance|forwarded|middleware|invoke|nextjs(?!-(?:html-)?request-id$)|next|now|vercel|prerender|matched|action|invocation)(?:-|$)|x-real-ip$|forwarded$|next-(?:resume|action)|content-security-policy)/

/** The id of a request: the caller's if it is short, plain and not a key, else a new one. */
export function requestIdFrom(headers: IncomingHttpHeaders): string {
  const given = headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) && !holdsKey(given) ? given : randomUUID()
}

/** Removes untrusted headers and sets our own, in place, because Next reads the same object. */
export function setTrustedHeaders(headers: IncomingHttpHeaders, trusted: { clientIp: string; id: string }): void {
  for (const name in headers) if (PRIVATE_HEADER.test(name)) delete headers[name]
  headers[CLIENT_IP_HEADER] = trusted.clientIp
  headers[REQUEST_ID_HEADER] = trusted.id
}

/** Why the headers are invalid, as a message for the caller; undefined if valid. */
export function headerFault(headers: IncomingHttpHeaders, httpVersion: string): string | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return 'an HTTP/1.1 request needs a Host header'
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') return 'the only supported transfer encoding is "chunked"'
  const content = headers['content-encoding']
  if (content !== undefined && content.toLowerCase() !== 'identity')
    return 'compressed bodies are not accepted; send the body without Content-Encoding'
  return undefined
}

/**
 * The client's IP address: the socket's, or with N trusted proxies the Nth entry from the right of `X-Forwarded-For`. The client may
 * have written the entries further left.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string | undefined, trustedHops: number): string {
  const direct = readAddress(socketAddress ?? '') ?? '0.0.0.0'
  if (trustedHops === 0 || !forwardedFor) return direct
  const hops = forwardedFor.split(',')
  return readAddress(hops[Math.max(0, hops.length - trustedHops)] ?? '') ?? direct
}

// Some proxies write `1.2.3.4:5678`, `[2001:db8::1]:443` or a zone; each client needs one form.
function readAddress(text: string): string | undefined {
  const [bare = ''] = text
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .split('%')
  if (isIPv6(bare)) return canonical(bare)
  return isIP(bare) ? bare : undefined
}

/** The canonical form of an IPv6 address; an IPv4-mapped one becomes IPv4, because its clients share no /64. */
function canonical(ip: string): string {
  const address = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}
