import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'

type Witnessed = Pick<EvmChain, 'network' | 'witnesses'>

/**
 * Those of these items of which two endpoints show the same; all of them on a network with one endpoint, which alone decides there. An
 * endpoint that does not answer shows nothing.
 */
export function shownTwice<T>(
  { witnesses }: Witnessed,
  items: readonly T[],
  shows: (one: EvmChain) => Promise<readonly boolean[]>,
): Promise<T[]> {
  if (witnesses.length === 0 || items.length === 0) return Promise.resolve([...items])
  const counts = items.map(() => 0)
  const shown = () => items.filter((_, at) => (counts[at] ?? 0) > 1)
  return new Promise((resolve) => {
    let open = witnesses.length
    const answered = (holds: readonly boolean[]) => {
      for (const [at, held] of holds.entries()) if (held) counts[at] = (counts[at] ?? 0) + 1
      open--
      // A slow endpoint is not waited for once two agree.
      if (open === 0 || shown().length === items.length) resolve(shown())
    }
    for (const one of witnesses)
      shows(one).then(answered, () => {
        answered([])
      })
  })
}

/** Whether two endpoints show a fact; true on a network with one endpoint. */
export async function isShownTwice(chain: Witnessed, shows: (one: EvmChain) => Promise<boolean>): Promise<boolean> {
  return (await shownTwice(chain, [true], async (one) => [await shows(one)])).length === 1
}

/**
 * Asks in the background whether two endpoints show a fact about a subject, so that a slow endpoint delays nothing else: false until they
 * do. A disagreement is logged, and asked again after a pause. `shown` is called when they agree.
 */
type SecondLook = (subject: object, fact: string, shows: (one: EvmChain) => Promise<boolean>, shown: () => void) => boolean

/** The second looks of a network. */
export function createSecondLook(chain: Witnessed, { pauseMs, log }: { pauseMs: number; log: Log }): SecondLook {
  const asked = new WeakMap<object, { fact: string; end: 'open' | 'shown' | 'not shown'; at: number }>()
  return (subject, fact, shows, shown) => {
    if (chain.witnesses.length === 0) return true
    const known = asked.get(subject)
    if (known?.fact === fact) {
      if (known.end === 'shown') return true
      if (known.end === 'open' || performance.now() - known.at < pauseMs) return false
    }
    const asking = { fact, end: 'open' as 'open' | 'shown' | 'not shown', at: performance.now() }
    asked.set(subject, asking)
    void isShownTwice(chain, shows).then((agreed) => {
      asking.end = agreed ? 'shown' : 'not shown'
      asking.at = performance.now()
      if (agreed) shown()
      else log.warn({ network: chain.network, fact }, 'no second endpoint shows what one shows; nothing is concluded')
    })
    return false
  }
}
