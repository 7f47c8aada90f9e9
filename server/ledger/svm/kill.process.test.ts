import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../../test/money/audit'
import { type SvmCustomer, type SvmKillSetup, startSvmKillSetup } from '../../../test/money/kill/svm'
import { embeddedFolder } from '../../../test/support/database/embedded'
import { inLongRuns } from '../../../test/support/long-run'
import { askUntilDead, killWhileSending, type ProcessAnswer, type ServiceProcess } from '../../../test/support/service/process'
import { until } from '../../../test/support/until'
import type { FailpointName } from '../../base/failpoints'

let setup: SvmKillSetup
beforeAll(async () => {
  // A payment has to outlive a service that is killed, a second one that starts, and the dead request's deadline.
  setup = await startSvmKillSetup({ slotMs: 1_000, env: { RECHECK_MS: '300', SETTLE_DEADLINE_MS: '1500' } })
})
afterEach(() => setup.clear())
afterAll(() => setup.close())

/** Starts a service that kills itself at that moment, and settles there until it has. */
async function killedAt(moment: FailpointName, customer: SvmCustomer, changes: Record<string, string> = {}): Promise<void> {
  const doomed = await setup.start({ ...changes, FAILPOINT: moment })
  await askUntilDead(doomed, moment, () => setup.settle(doomed, customer))
}

/** Retries the request, as a merchant would, until it succeeds, or until only the killed process got its success. */
async function retry(service: ServiceProcess, customer: SvmCustomer): Promise<ProcessAnswer> {
  let last: ProcessAnswer = 'no answer'
  const isOver = async () => (await setup.settlementsOf(customer)).some(({ deliveredAt }) => deliveredAt)
  await until(
    async () => {
      last = await setup.settle(service, customer)
      return last !== 'no answer' && (last.body.success === true || (await isOver()))
    },
    'an answer to the retry',
    30_000,
    250,
  )
  return last
}

/** The money moved once, under one signature, and the history says so once. */
async function expectMovedOnce(customer: SvmCustomer): Promise<void> {
  await until(async () => (await setup.harness.solana.tokens(customer.payTo)) === 1_000n, 'the money to move')
  const [settlement, ...others] = await setup.settlementsOf(customer)
  expect(others).toEqual([])
  const attempts = await setup.harness.db.svmAttempt.findMany({ where: { settlementId: settlement?.id ?? '' } })
  const history = await setup.harness.db.history.findMany({ where: { payTo: customer.payTo } })
  expect(attempts).toHaveLength(1)
  expect(history).toMatchObject([{ success: true, txHash: attempts[0]?.signature }])
}

async function expectOneSuccess(customer: SvmCustomer): Promise<void> {
  // A request that reads the ledger just before the kill gets the success first; then no retry gets it.
  const delivered = (await setup.settlementsOf(customer)).some(({ deliveredAt }) => deliveredAt)
  const service = await setup.start()
  expect(await retry(service, customer)).toMatchObject(delivered ? { status: 409 } : { status: 200, body: { success: true } })
  expect(await setup.settle(service, customer)).toMatchObject({ status: 409 })
  await expectMovedOnce(customer)
}

describe('a process killed with kill -9 while it settles on Solana', () => {
  test.each<FailpointName>(['judged', 'claimed', 'signed', 'committed', 'sent', 'mined', 'landed'])(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const customer = await setup.newCustomer()
      await killedAt(moment, customer)
      await expectOneSuccess(customer)
    },
  )

  test('while the node, which took the bytes, was about to answer: the retry gets the one success', async () => {
    const customer = await setup.newCustomer()
    const doomed = await setup.start()
    killWhileSending(doomed, setup.node, 'sendTransaction')
    expect(await setup.settle(doomed, customer)).toBe('no answer')
    setup.node.calm()
    await expectOneSuccess(customer)
  })

  test('when it had delivered: the retry is a conflict that names the transaction', async () => {
    const customer = await setup.newCustomer()
    await killedAt('delivered', customer, { SETTLE_DEADLINE_MS: '20000' })
    await expectMovedOnce(customer)
    const [settlement] = await setup.settlementsOf(customer)
    expect(await retry(await setup.start(), customer)).toMatchObject({ status: 409, body: { transaction: settlement?.txHash } })
  })

  inLongRuns(() => {
    test('under load leaves every payment with one true outcome', async () => {
      const doomed = await setup.start()
      const customers = await Promise.all(Array.from({ length: 20 }, () => setup.newCustomer()))
      const first = customers.map((customer) => setup.settle(doomed, customer))
      const landed = () =>
        setup.harness.db.settlement.count({
          where: { payTo: { in: customers.map(({ payTo }) => payTo) }, txHash: { not: null } },
        })
      await until(async () => (await landed()) > 4, 'some sends')
      await doomed.kill('SIGKILL')
      const responses = await Promise.all(first)
      const service = await setup.start()
      await Promise.all(
        customers.map(async (customer, at) => {
          const answer = responses[at]
          if (answer === 'no answer' || answer?.body.success !== true) await retry(service, customer)
        }),
      )
      for (const customer of customers) await expectMovedOnce(customer)
    })
  })

  test('is finished by another instance on the same database', async () => {
    const customer = await setup.newCustomer()
    const other = await setup.start({ PORT: '0' })
    await killedAt('committed', customer)
    expect(await retry(other, customer)).toMatchObject({ status: 200, body: { success: true } })
    await expectMovedOnce(customer)
  })

  test('leaves nothing that the auditor objects to', async () => {
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })

  // After the audit: what it settles is in a ledger of its own.
  inLongRuns(() => {
    test('on the embedded database keeps what it had answered', async () => {
      const folder = await embeddedFolder()
      const embedded = { DATABASE_URL: '', DATA_DIR: folder, SETTLE_DEADLINE_MS: '20000' }
      const customer = await setup.newCustomer()
      await killedAt('sent', customer, embedded)
      const service = await setup.start(embedded)
      expect(await setup.settle(service, customer)).toMatchObject({ status: 200, body: { success: true } })
      expect(await setup.harness.solana.tokens(customer.payTo)).toBe(1_000n)
      await service.kill('SIGTERM')
      await rm(folder, { recursive: true })
    })
  })
})
