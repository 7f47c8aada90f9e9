import { createReadSlots, type ReadSlots } from '../base/read-slots'

/** The turns of explanations: each may read a chain, and no quota counts it. */
export type ExplanationSlots = {
  /** Below the prefixes. */
  routes: ReadSlots
  /** On the page, where nodes of mainnets answer visitors without a key. */
  page: ReadSlots
}

const ROUTES_PER_SECOND = 200
const PAGE_PER_SECOND = 20

/** The turns of one process. */
export function createExplanationSlots(): ExplanationSlots {
  return {
    routes: paced(createReadSlots({ what: 'explanations', atOnce: 20, eachAtOnce: 2 }), 20 / ROUTES_PER_SECOND),
    page: paced(createReadSlots({ what: 'explanations', atOnce: 4, eachAtOnce: 1 }), 4 / PAGE_PER_SECOND),
  }
}

/** Slots that stay taken for so many seconds, so that no more begin in a second; the result does not wait for that. */
export function paced(slots: ReadSlots, heldSeconds: number): ReadSlots {
  return <T>(reader: string, read: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      slots(reader, async () => {
        const held = new Promise((free) => setTimeout(free, heldSeconds * 1_000).unref())
        await Promise.allSettled([read().then(resolve, reject), held])
      }).catch(reject)
    })
}
