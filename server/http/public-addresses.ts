import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net'

/** All addresses of a name. */
export type Resolve = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>

/** The code of a connection that was refused because its name has a private address. */
export const PRIVATE_ADDRESS = 'PRIVATE_ADDRESS'

/** Resolves a name as the system does. */
export const resolveAll: Resolve = (hostname, options) => lookup(hostname, { ...options, all: true })

/** Resolves a name for a connection; fails when any of its addresses is private. */
export const publicOnly =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, found) => {
    resolve(hostname, options).then(
      (addresses) => {
        const [first] = addresses
        if (!first || addresses.some(({ address }) => !isPublicAddress(address))) {
          return found(Object.assign(new Error('a private address'), { code: PRIVATE_ADDRESS }), [])
        }
        return options.all ? found(null, addresses) : found(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => found(error, []),
    )
  }

// IANA's registries of special-purpose addresses (RFC 6890 and its successors).
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
// Of IPv6 only 2000::/3 is public, except for reserved ranges and those that embed IPv4.
const PUBLIC_V6 = '2000::/3'
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (ranges: readonly string[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number.parseInt(bits, 10), family)
  }
  return list
}
const specialV4 = listOf(SPECIAL_V4, 'ipv4')
const specialV6 = listOf(SPECIAL_V6, 'ipv6')
const publicV6 = listOf([PUBLIC_V6], 'ipv6')

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4')
  return isIPv6(address) && publicV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}
