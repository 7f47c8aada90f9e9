import type { KillingGround } from '../kills'
import type { ProcessAnswer, ServiceProcess } from '../process'
import type { RequestFate, RpcProxy } from '../rpc-proxy'

/** Two instances and what they stand on, to be disturbed. */
export type Ground<Place = KillingGround> = {
  ground: Place
  services: ServiceProcess[]
  /** Starts another instance in the place of one. */
  replace: (at: number) => Promise<void>
  sleep: (ms: number) => Promise<void>
  /** True while the fault shall last. */
  lasts: () => boolean
}

/** Something that goes wrong while payments are made; `id` is its name in the plan of faults. */
export type Fault<Place = KillingGround> = {
  id: string
  what: string
  /** Where it can happen; everywhere unless told. */
  tier?: string
  happen: (ground: Ground<Place>) => Promise<void>
  /** What the instances are started with because of it. */
  variables?: (ground: Place) => Record<string, string>
}

type HasNode = { node: RpcProxy }

/** Takes one step after the other for as long as the fault lasts. */
export async function whileLasting({ lasts }: Pick<Ground, 'lasts'>, step: () => Promise<unknown>): Promise<void> {
  while (lasts()) await step()
}

/** Waits for the end of the fault. */
export const waits = (ground: Ground<unknown>): Promise<void> => whileLasting(ground, () => ground.sleep(500))

/** A node that does something to each call for as long as the fault lasts. */
export function node<Place extends HasNode>(id: string, what: string, disturb: (ground: Place) => void): Fault<Place> {
  return {
    id,
    what,
    async happen(ground) {
      disturb(ground.ground)
      await waits(ground)
      ground.ground.node.calm()
    },
  }
}

/**
 * Adds payments to the traffic, one each second while the fault lasts, each sent again until it is taken: a 200, of whatever outcome.
 * `newOne` resolves with how it is sent.
 */
export async function moreEachSecond(
  { sleep, lasts }: Ground<unknown>,
  newOne: () => Promise<() => Promise<ProcessAnswer>>,
): Promise<void> {
  const open: Promise<void>[] = []
  const bring = async () => {
    const send = await newOne()
    let taken = false
    await whileLasting({ lasts: () => lasts() && !taken }, async () => {
      const answer = await send()
      taken = answer !== 'no answer' && answer.status === 200
      if (!taken) await sleep(500)
    })
  }
  await whileLasting({ lasts }, async () => {
    open.push(bring())
    await sleep(1_000)
  })
  await Promise.all(open)
}

/** Answers late, by milliseconds. */
export const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** A share of all requests that come to an end of their own. */
export function requests(id: string, what: string, fate: RequestFate, happensTo: () => () => boolean): Fault<HasNode> {
  return node(id, what, ({ node }) => {
    const happens = happensTo()
    node.receive(() => (happens() ? fate : undefined))
  })
}
