import { isIPv6 } from 'node:net'
import { type NetworkId, networkIds, networks } from '../x402/networks'
import { type Plan, type PlanName, plans } from './plans'

/** Who asks on a payment route, as the path and the socket say. */
export type Caller = {
  kind: 'visitor'
  tenantId: string
  /** Whose quota and rate limit this is, and what "the same caller" means for a retry. */
  subject: string
  planName: PlanName
  plan: Plan
  networks: readonly NetworkId[]
}

/** The tenant of everyone without a key. */
export const SANDBOX_TENANT = '00000000-0000-0000-0000-000000000000'

/** The networks behind `/sandbox`: the two testnets (SPEC "Path prefixes"). */
export const sandboxNetworks: readonly NetworkId[] = networkIds.filter((id) => networks[id].testnet)

/** A caller of the sandbox, known by IP address only. */
export function visitor(ip: string): Caller {
  return {
    kind: 'visitor',
    tenantId: SANDBOX_TENANT,
    subject: `ip:${ipSubject(ip)}`,
    planName: 'sandbox',
    plan: plans.sandbox,
    networks: sandboxNetworks,
  }
}

/** The part of an IP address that one subscriber holds: all of IPv4, the /64 of IPv6. */
export function ipSubject(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.toLowerCase().replace(/%.*$/, '').split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
