import { createTokenBuckets, type Rate } from '../base/token-buckets'
import { WIDER_TIMES } from '../ledger/statements/usage'
import { ipSubject, widerSubject } from './caller'

/** Takes the cost of a page from its address, and returns 0; or takes nothing and returns the seconds to wait. */
type PageRate = (ip: string, cost: number) => number

/** Pages with their prefetches come in bursts: this many at once, then so many a second. A page costs as `server/http/pages.ts` says. */
const PAGE_RATE: Rate = { burst: 600, perSecond: 30 }
const WIDER: Rate = { burst: PAGE_RATE.burst * WIDER_TIMES, perSecond: PAGE_RATE.perSecond * WIDER_TIMES }

/** The rate of this process: what it protects is the thread of this process. An IPv6 /48 has eight times the rate of its /64. */
export function createPageRate(buckets = createTokenBuckets()): PageRate {
  return (ip, cost) => {
    const subject = `pages:${ipSubject(ip)}`
    const wider = widerSubject(subject)
    return buckets.take(subject, cost, PAGE_RATE) || (wider ? buckets.take(wider, cost, WIDER) : 0)
  }
}
