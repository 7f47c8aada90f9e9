import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { type Customer, type KillSetup, startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import { killedItself, type ServiceProcess } from '../../test/support/service/process'
import { until } from '../../test/support/until'

const setup = fixture(() => startKillSetup({ SETTLE_DEADLINE_MS: '4000', BATCH_MAX: '20' }))
afterEach(() => setup.clear())

/** A lane with a known status: ready here, or leased elsewhere. */
const AWAITED = '"to":'

/** How often one of two is killed, and how many payments succeed in between. */
const KILLS = 6
const PAYMENTS_BETWEEN = 5

type Load = { succeeded: Customer[]; statuses: Map<number, number>; over: () => void; ended: Promise<unknown> }

/** Clients that each pay one payment after the other at the running instance, until stopped. */
function startLoad(clients: number, services: readonly ServiceProcess[], dead: ReadonlySet<ServiceProcess>): Load {
  const load = { succeeded: [] as Customer[], statuses: new Map<number, number>(), running: true }

  async function pay(first: number): Promise<void> {
    const customer = await setup.newCustomer()
    let attempt = first
    await until(
      async () => {
        const service = services[attempt++ % services.length]
        if (!service || dead.has(service)) return false
        const answer = await setup.settle(service, customer)
        // A response that a kill cut off counts for no one; every other one counts.
        if (answer === 'no answer') return false
        load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1)
        return answer.body.success === true || (await setup.settlementsOf(customer)).some(({ deliveredAt }) => deliveredAt)
      },
      'a payment to succeed',
      60_000,
      250,
    )
    load.succeeded.push(customer)
  }

  async function client(at: number): Promise<void> {
    for (let next = at; load.running; next++) await pay(next)
  }

  const ended = Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
  return {
    succeeded: load.succeeded,
    statuses: load.statuses,
    over() {
      load.running = false
    },
    ended,
  }
}

const patient = { SETTLE_DEADLINE_MS: '20000' }

describe('when the instance that holds the lane dies', () => {
  test('its unsigned claims of the other are signed by the other, whose caller gets the success', async () => {
    const holder = await setup.start({ ...patient, FAILPOINT: 'signed' })
    const other = await setup.start(patient, '"to":"leased elsewhere"')
    const customer = await setup.newCustomer()
    const answer = setup.settle(other, customer)
    await killedItself(holder)
    expect(await answer).toMatchObject({ status: 200, body: { success: true } })
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('by %s, the other one refuses no request', async (signal) => {
    const holder = await setup.start(patient)
    const other = await setup.start(patient, '"to":"leased elsewhere"')
    const customers = await Promise.all(Array.from({ length: 30 }, () => setup.newCustomer()))
    const gone = holder.kill(signal)
    const answers: ReturnType<KillSetup['settle']>[] = []
    let over = false
    const asking = until(
      () => {
        const customer = customers[answers.length]
        if (customer) answers.push(setup.settle(other, customer))
        return over || !customer
      },
      'all to ask',
      30_000,
      50,
    )
    await until(() => other.output().includes('"to":"ready"'), 'the lane to move', 20_000)
    over = true
    await Promise.all([asking, gone])
    const responses = await Promise.all(answers)
    expect(responses.map((answer) => answer !== 'no answer' && answer.body.success)).toEqual(responses.map(() => true))
  })
})

describe('two instances under load', () => {
  inLongRuns(() => {
    test('either of which is killed again and again stay one service: every payment succeeds once, and no answer is an error', async () => {
      const services = [await setup.start(), await setup.start({}, AWAITED)]
      const dead = new Set<ServiceProcess>()
      const load = startLoad(4, services, dead)
      for (let kill = 0; kill < KILLS; kill++) {
        const enough = load.succeeded.length + PAYMENTS_BETWEEN
        await Promise.race([until(() => load.succeeded.length >= enough, 'payments to succeed', 60_000), load.ended])
        const at = Math.random() < 0.5 ? 0 : 1
        const doomed = services[at]
        if (!doomed) throw new Error('no such instance')
        await doomed.kill('SIGKILL')
        dead.add(doomed)
        services[at] = await setup.start({}, AWAITED)
      }
      load.over()
      await load.ended
      expect(load.succeeded.length).toBeGreaterThanOrEqual(KILLS * PAYMENTS_BETWEEN)
      for (const customer of load.succeeded) {
        expect(await setup.balanceOf(customer)).toBe(0n)
        expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
      }
      expect([...load.statuses.keys()].filter((status) => ![200, 409, 503].includes(status))).toEqual([])
    }, 240_000)
  })

  test('both of which are killed and come back later resolve everything in flight, without a request', async () => {
    const services = [await setup.start(), await setup.start({}, AWAITED)]
    const customers = await Promise.all(Array.from({ length: 8 }, () => setup.newCustomer()))
    const statesOf = async () => (await Promise.all(customers.map(setup.settlementsOf))).map(([first]) => first?.state)
    const isFree = async () =>
      (await setup.database.db.$queryRaw<unknown[]>`SELECT 1 FROM "Lane" WHERE "leaseUntil" > now()`).length === 0
    await setup.chain.client.setIntervalMining({ interval: 0 })
    try {
      const answers = customers.map((customer, at) => setup.settle(services[at % 2 === 0 ? 0 : 1] ?? never(), customer))
      await until(async () => (await statesOf()).every((state) => state === 'BROADCAST'), 'all to be on their way', 30_000)
      await Promise.all(services.map((service) => service.kill('SIGKILL')))
      await Promise.all(answers)
      await until(isFree, 'the leases to run out')
    } finally {
      await setup.chain.client.setIntervalMining({ interval: 1 })
    }
    await Promise.all([setup.start({}, AWAITED), setup.start({}, AWAITED)])
    const isLanded = (state?: string) => state === 'INCLUDED' || state === 'FINAL'
    await until(async () => (await statesOf()).every(isLanded), 'all to have landed', 30_000)
    for (const customer of customers) expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
  })

  test('leave nothing that the auditor objects to', async () => {
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })
})

function never(): never {
  throw new Error('no such instance')
}
