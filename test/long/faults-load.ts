import { freshIp } from '../client'
import { v2Body } from '../harness'
import type { KillSetup, Sender } from '../kills'
import { postTo } from '../process'
import type { Deployment, Operation } from './deployment'

/** What clients may be told while more comes than can be done. */
const TOLD = [200, 409, 429, 502, 503]

const SPIKE_A_SECOND = 100
const SPIKE_SECONDS = 5
const HOSTILE_A_SECOND = 200

/** Does something at a steady pace, whatever became of the earlier ones; resolves when all of it is done. */
async function steadily(aSecond: number, goesOn: (at: number) => boolean, step: (at: number) => Promise<void>): Promise<void> {
  const began = performance.now()
  const open: Promise<void>[] = []
  for (let at = 0; goesOn(at); at++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + (at * 1_000) / aSecond - performance.now())))
    open.push(step(at))
  }
  await Promise.all(open)
}

/** Statuses that nobody may be told, each once. */
const strange = (statuses: ReadonlySet<number>) =>
  [...statuses].filter((status) => !TOLD.includes(status)).map((status) => `somebody was told ${status}`)

const senders = (setup: KillSetup, count: number) => Promise.all(Array.from({ length: count }, () => setup.newSender()))

const serviceAt = ({ services }: Deployment, at: number) => services[at % services.length]

/** More than there was, and somebody who means it badly. */
export const ofLoads: readonly Operation[] = [
  {
    ...{ id: 'L2', what: `${SPIKE_A_SECOND} settles a second more for ${SPIKE_SECONDS} s`, tier: 'sandbox', told: TOLD },
    async prepare(setup) {
      const payers: Sender[] = []
      while (payers.length < SPIKE_A_SECOND * SPIKE_SECONDS) payers.push(...(await senders(setup, 50)))
      const statuses = new Set<number>()
      return {
        async happen(deployment) {
          await deployment.sleep(3_000)
          await steadily(
            SPIKE_A_SECOND,
            (at) => at < payers.length,
            async (at) => {
              const [sender, service] = [payers[at], serviceAt(deployment, at)]
              if (!sender || !service) return
              const answer = await setup.settle(service, sender)
              if (answer !== 'no answer') statuses.add(answer.status)
            },
          )
          while (deployment.lasts()) await deployment.sleep(500)
        },
        offences: () => strange(statuses),
      }
    },
  },
  {
    ...{ id: 'L3', what: `${HOSTILE_A_SECOND} settles a second whose signatures are bad`, tier: 'sandbox', told: TOLD },
    async prepare(setup) {
      // Each with the signature of another one.
      const [first, second] = await senders(setup, 2)
      if (!first || !second) throw new Error('two payers are needed')
      const body = v2Body({ ...first.payment, signature: second.payment.signature })
      const statuses = new Set<number>()
      let paid = 0
      return {
        happen: (deployment) =>
          steadily(HOSTILE_A_SECOND, deployment.lasts, async (at) => {
            const service = serviceAt(deployment, at)
            if (!service) return
            const answer = await postTo(service, '/sandbox/settle', body, freshIp())
            if (answer === 'no answer') return
            statuses.add(answer.status)
            if (answer.body.success === true) paid++
          }),
        offences: () => [...strange(statuses), ...(paid > 0 ? [`${paid} payments that nobody signed were made`] : [])],
      }
    },
  },
]
