import { isIP, isIPv6 } from 'node:net'

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
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
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
