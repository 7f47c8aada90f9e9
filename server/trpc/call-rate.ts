import { ipSubject, widerSubject } from '../accounts/caller'
import { sha256 } from '../base/hash'
import { createTokenBuckets, type Rate } from '../base/token-buckets'
import { WIDER_TIMES } from '../ledger/statements/usage'

/** Takes so many calls of a browser at an address, and returns 0; or takes nothing and returns the seconds to wait. */
export type CallRate = (browser: { ip: string; cookie: string | null }, calls: number) => number

/** A call costs 4 ms of a core, also one that is refused for what it asks. A screen makes twenty at once, and then a few a second. */
const OF_BROWSER: Rate = { burst: 200, perSecond: 30 }
/** An office has one address. */
const OF_ADDRESS: Rate = { burst: 600, perSecond: 60 }
const WIDER: Rate = { burst: OF_ADDRESS.burst * WIDER_TIMES, perSecond: OF_ADDRESS.perSecond * WIDER_TIMES }

/** The rate of this process: what it protects is the thread of this process. An IPv6 /48 has eight times the rate of its /64. */
export function createCallRate(buckets = createTokenBuckets()): CallRate {
  return ({ ip, cookie }, calls) => {
    const address = `calls:${ipSubject(ip)}`
    const wider = widerSubject(address)
    // Before the browser's: cookies without end must not fill the buckets.
    const full = buckets.wait(address, calls, OF_ADDRESS) || (wider ? buckets.wait(wider, calls, WIDER) : 0)
    if (full > 0) return full
    // Its session is read later: to open the cookie costs more than this.
    const browser = cookie === null ? 'none' : Buffer.from(sha256(cookie)).toString('base64')
    const seconds = buckets.take(`${address} ${browser}`, calls, OF_BROWSER)
    if (seconds > 0) return seconds
    buckets.take(address, calls, OF_ADDRESS)
    if (wider) buckets.take(wider, calls, WIDER)
    return 0
  }
}
