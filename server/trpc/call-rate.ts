import { ipSubject } from '../accounts/caller'
import { sha256 } from '../base/hash'
import { createTokenBuckets, type Rate } from '../base/token-buckets'

/** Takes so many calls of a browser at an address, and returns 0; or takes nothing and returns the seconds to wait. */
export type CallRate = (browser: { ip: string; cookie: string | null }, calls: number) => number

/** A call costs 4 ms of a core, also one that is refused for what it asks. A screen makes twenty at once, and then a few a second. */
const OF_BROWSER: Rate = { burst: 200, perSecond: 30 }
/** An office has one address. */
const OF_ADDRESS: Rate = { burst: 600, perSecond: 60 }

/** The rate of this process: what it protects is the thread of this process. */
export function createCallRate(buckets = createTokenBuckets()): CallRate {
  return ({ ip, cookie }, calls) => {
    // Its session is read later: to open the cookie costs more than this.
    const browser = cookie === null ? 'none' : Buffer.from(sha256(cookie)).toString('base64')
    const address = ipSubject(ip)
    const seconds = buckets.take(`browser:${address} ${browser}`, calls, OF_BROWSER)
    return seconds || buckets.take(`address:${address}`, calls, OF_ADDRESS)
  }
}
