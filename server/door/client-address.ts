import { isIP } from 'node:net'

/**
 * The address a request is counted under: the socket's, or with N trusted proxies the Nth entry from the right of `X-Forwarded-For`.
 * Entries further left were written by whoever called, so they prove nothing.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string | undefined, trustedHops: number): string {
  const direct = readAddress(socketAddress ?? '') ?? '0.0.0.0'
  if (trustedHops === 0 || !forwardedFor) return direct
  const hops = forwardedFor.split(',')
  return readAddress(hops[Math.max(0, hops.length - trustedHops)] ?? '') ?? direct
}

// Some proxies write `1.2.3.4:5678`, `[2001:db8::1]:443` or a zone; one client must have one spelling.
function readAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const address = bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
  return isIP(address) ? address : undefined
}
