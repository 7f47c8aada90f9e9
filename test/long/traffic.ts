import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { freshIp } from '../client'
import { signed, until, v2Body } from '../harness'
import type { KillingGround, Sender } from '../kills'
import { postTo, type ServiceProcess } from '../process'

/** What came of some traffic. */
export type Outcome = {
  /** Payments whose merchants know how they ended: a success was told, or is in the ledger for whoever asks. */
  known: number
  unknown: Sender[]
  /** Payments whose first answer was the success. */
  atOnce: number
  /** Answers to settle and verify requests, by status; a connection that broke is none. */
  statuses: Map<string, number>
  /** How long answers to settle requests took, in ms, shortest first. */
  waits: number[]
}

type Instances = { running: readonly ServiceProcess[] }

const SETTLES_A_SECOND = 10
const VERIFIES_A_SECOND = 20
const AGAIN_MS = 500
/** After the faults have ended everything is known within this. */
const KNOWN_MS = 120_000
const VALUE = 1_000n

/** Payers for so many seconds of traffic, paid before anything goes wrong. */
export async function newPayers(ground: KillingGround, seconds: number): Promise<PrivateKeyAccount[]> {
  const payers: PrivateKeyAccount[] = []
  while (payers.length < seconds * SETTLES_A_SECOND) {
    const some = Array.from({ length: 50 }, () => privateKeyToAccount(generatePrivateKey()))
    await Promise.all(some.map(({ address }) => ground.chain.mint(address, VALUE)))
    payers.push(...some)
  }
  // Deeper than any reorganisation goes.
  await ground.chain.mine(12)
  return payers
}

/** Settles and verifies at the instances in turn at a steady pace, and sends each payment again, as merchants do, until its outcome is known. */
export async function travel(
  ground: KillingGround,
  instances: Instances,
  payers: readonly PrivateKeyAccount[],
): Promise<Outcome> {
  const outcome: Outcome = { known: 0, unknown: [], atOnce: 0, statuses: new Map(), waits: [] }
  const note = (status: string) => outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1)
  let turn = 0
  const next = () => instances.running[turn++ % Math.max(1, instances.running.length)]

  async function settleUntilKnown(payer: PrivateKeyAccount): Promise<void> {
    const sender: Sender = { payment: await signed(payer), ip: freshIp() }
    let tries = 0
    const ask = async () => {
      const service = next()
      if (!service) return false
      const began = performance.now()
      const answer = await ground.settle(service, sender)
      tries++
      if (answer === 'no answer') return false
      outcome.waits.push(performance.now() - began)
      note(`settle ${answer.status}`)
      if (answer.body.success === true && tries === 1) outcome.atOnce++
      return answer.body.success === true || (await ground.settlementsOf(sender)).some(({ deliveredAt }) => deliveredAt)
    }
    await until(ask, 'an outcome', KNOWN_MS, AGAIN_MS).then(
      () => outcome.known++,
      () => outcome.unknown.push(sender),
    )
  }

  async function verify(payer: PrivateKeyAccount): Promise<void> {
    const service = next()
    if (!service) return
    const answer = await postTo(service, ground.verifyRoute, v2Body(await signed(payer)), freshIp())
    if (answer !== 'no answer') note(`verify ${answer.status}`)
  }

  const open: Promise<void>[] = []
  const began = performance.now()
  for (const [at, payer] of payers.entries()) {
    const due = began + (at * 1_000) / SETTLES_A_SECOND
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    open.push(settleUntilKnown(payer))
    for (let one = 0; one < VERIFIES_A_SECOND / SETTLES_A_SECOND; one++) open.push(verify(payer))
  }
  await Promise.all(open)
  outcome.waits.sort((a, b) => a - b)
  return outcome
}
