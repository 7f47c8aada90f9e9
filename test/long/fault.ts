import type { KillSetup } from '../kills'
import type { ProcessAnswer, ServiceProcess } from '../process'
import type { RequestFate, RpcProxy } from '../rpc-proxy'

/** Two instances and what they stand on, to be disturbed. */
export type Setup<Place = KillSetup> = {
  setup: Place
  services: ServiceProcess[]
  /** Starts another instance in the place of one. */
  replace: (at: number) => Promise<void>
  sleep: (ms: number) => Promise<void>
  /** True while the fault shall last. */
  lasts: () => boolean
}

/** Something that goes wrong while payments are made; `id` is its name in the plan of faults. */
export type Fault<Place = KillSetup> = {
  id: string
  what: string
  /** Where it can happen; everywhere unless told. */
  tier?: string
  happen: (setup: Setup<Place>) => Promise<void>
  /** What the instances are started with because of it. */
  variables?: (setup: Place) => Record<string, string>
}

type HasNode = { node: RpcProxy }

/** Takes one step after the other for as long as the fault lasts. */
export async function whileLasting({ lasts }: Pick<Setup, 'lasts'>, step: () => Promise<unknown>): Promise<void> {
  while (lasts()) await step()
}

/** Waits for the end of the fault. */
export const waits = (setup: Setup<unknown>): Promise<void> => whileLasting(setup, () => setup.sleep(500))

/** A node that does something to each call for as long as the fault lasts. */
export function node<Place extends HasNode>(id: string, what: string, disturb: (setup: Place) => void): Fault<Place> {
  return {
    id,
    what,
    async happen(setup) {
      disturb(setup.setup)
      await waits(setup)
      setup.setup.node.calm()
    },
  }
}

/**
 * Adds payments to the traffic, one each second while the fault lasts, each sent again until it is taken: a 200, of whatever outcome.
 * `newOne` resolves with how it is sent.
 */
export async function moreEachSecond(
  { sleep, lasts }: Setup<unknown>,
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
