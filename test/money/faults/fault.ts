import type { RequestFate, RpcProxy } from '../../support/nodes/faulty-node'
import type { ProcessAnswer, ServiceProcess } from '../../support/service/process'
import type { KillSetup } from '../kill/kills'

/** Two running instances and their setup. */
export type Setup<Place = KillSetup> = {
  setup: Place
  services: ServiceProcess[]
  /** Replaces an instance by a new one. */
  replace: (at: number) => Promise<void>
  sleep: (ms: number) => Promise<void>
  /** True while the fault lasts. */
  lasts: () => boolean
}

/** A fault during traffic; `id` is its id in the plan of faults. */
export type Fault<Place = KillSetup> = {
  id: string
  what: string
  /** The tier in which it can happen; every tier if unset. */
  tier?: string
  happen: (setup: Setup<Place>) => Promise<void>
  /** Extra environment variables of the instances. */
  variables?: (setup: Place) => Record<string, string>
}

type HasNode = { node: RpcProxy }

/** Repeats a step while the fault lasts. */
export async function whileLasting({ lasts }: Pick<Setup, 'lasts'>, step: () => Promise<unknown>): Promise<void> {
  while (lasts()) await step()
}

/** Waits for the end of the fault. */
export const waits = (setup: Setup<unknown>): Promise<void> => whileLasting(setup, () => setup.sleep(500))

/** A fault of the node that lasts for the whole time. */
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
 * Adds one payment per second while the fault lasts, and retries each until a 200 with any outcome.
 * `newOne` makes a payment and resolves with the function that sends it.
 */
export async function moreEachSecond(
  { sleep, lasts }: Setup<unknown>,
  newOne: () => Promise<() => Promise<ProcessAnswer>>,
): Promise<void> {
  const open: Promise<void>[] = []
  const sendUntilAccepted = async () => {
    const send = await newOne()
    let accepted = false
    await whileLasting({ lasts: () => lasts() && !accepted }, async () => {
      const answer = await send()
      accepted = answer !== 'no answer' && answer.status === 200
      if (!accepted) await sleep(500)
    })
  }
  await whileLasting({ lasts }, async () => {
    open.push(sendUntilAccepted())
    await sleep(1_000)
  })
  await Promise.all(open)
}

/** Resolves after `ms` with the fate of a normal call. */
export const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** A fault in which a share of all requests has this fate. */
export function requests(id: string, what: string, fate: RequestFate, happensTo: () => () => boolean): Fault<HasNode> {
  return node(id, what, ({ node }) => {
    const happens = happensTo()
    node.receive(() => (happens() ? fate : undefined))
  })
}
