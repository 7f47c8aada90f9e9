import type { ServiceProcess } from '../../support/service/process'
import { until } from '../../support/until'
import { type ChainPayments, SUCCESS } from './chain-payments'

/** The result of a traffic run. */
export type Outcome = {
  /** Payments with a known outcome, from an answer or from the ledger. */
  known: number
  /** Failed payments by reason. */
  failed: Map<string, number>
  unknown: unknown[]
  /** Payments whose first answer was the success. */
  atOnce: number
  /** Settle and verify answers by status; broken connections are not counted. */
  statuses: Map<string, number>
  /** Durations of settle requests in milliseconds, shortest first. */
  waits: number[]
}

type Instances = { running: readonly ServiceProcess[] }

/** 10 if FAULT_PACE is unset; a slow machine needs less. */
export const SETTLES_A_SECOND = Number(process.env.FAULT_PACE ?? 10)
const VERIFIES_A_SETTLE = 2
const AGAIN_MS = 500

const more = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** Settles and verifies at a fixed rate on alternating instances, and retries each payment until its outcome is known. */
export async function travel<Payer, Payment>(
  payments: ChainPayments<Payer, Payment>,
  instances: Instances,
  payers: readonly Payer[],
): Promise<Outcome> {
  const outcome: Outcome = { known: 0, failed: new Map(), unknown: [], atOnce: 0, statuses: new Map(), waits: [] }
  let turn = 0
  const next = () => instances.running[turn++ % Math.max(1, instances.running.length)]

  async function settleUntilKnown(payer: Payer): Promise<void> {
    const payment = await payments.sign(payer)
    let tries = 0
    let end: string | null = null
    const ask = async () => {
      const service = next()
      if (!service) return false
      const began = performance.now()
      const answer = await payments.settle(service, payment)
      tries++
      if (answer === 'no answer') return false
      outcome.waits.push(performance.now() - began)
      more(outcome.statuses, `settle ${answer.status}`)
      if (answer.body.success === true && tries === 1) outcome.atOnce++
      end = answer.body.success === true ? SUCCESS : await payments.endOf(payment)
      return end !== null
    }
    await until(ask, 'an outcome', payments.knownMs, AGAIN_MS).then(
      () => outcome.known++,
      () => outcome.unknown.push(payment),
    )
    if (end !== null && end !== SUCCESS) more(outcome.failed, end)
  }

  async function verify(payer: Payer): Promise<void> {
    const service = next()
    if (!service) return
    const answer = await payments.verify(service, await payments.sign(payer))
    if (answer !== 'no answer') more(outcome.statuses, `verify ${answer.status}`)
  }

  const open: Promise<void>[] = []
  const began = performance.now()
  for (const [at, payer] of payers.entries()) {
    const due = began + (at * 1_000) / SETTLES_A_SECOND
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    open.push(settleUntilKnown(payer))
    for (let one = 0; one < VERIFIES_A_SETTLE; one++) open.push(verify(payer))
  }
  await Promise.all(open)
  outcome.waits.sort((a, b) => a - b)
  return outcome
}
