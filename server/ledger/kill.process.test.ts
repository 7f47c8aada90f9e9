import { rm } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { expectOneSuccess, startKillSetup } from '../../test/money/kill/kills'
import { fundedKey } from '../../test/support/chain/funded-key'
import { embeddedFolder } from '../../test/support/database/embedded'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import { killedItself, killWhileSending } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(startKillSetup)
afterEach(() => setup.clear())

const usageOf = ({ ip }: { ip: string }) =>
  setup.database.db.usage.findFirstOrThrow({ where: { subject: `ip:${ip}`, meter: 'settlement' } })

describe('a process killed with kill -9', () => {
  test('after it judged a payment and before it claimed: the retry succeeds for one unit', async () => {
    const customer = await setup.newCustomer()
    await setup.killedAt('judged', customer)
    expect(await setup.settlementsOf(customer)).toEqual([])
    await expectOneSuccess(setup, customer)
    expect(await usageOf(customer)).toMatchObject({ used: 1, returned: 0 })
  })

  test('after it claimed: the retry gets the one success for one unit', async () => {
    const customer = await setup.newCustomer()
    await setup.killedAt('claimed', customer)
    await expectOneSuccess(setup, customer)
    expect(await usageOf(customer)).toMatchObject({ used: 1 })
  })

  test.each<FailpointName>(['signed', 'committed', 'sent', 'mined', 'landed'])(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const customer = await setup.newCustomer()
      await setup.killedAt(moment, customer)
      await expectOneSuccess(setup, customer)
    },
  )

  test('while the node, which took the bytes, was about to answer: the retry gets the one success', async () => {
    const customer = await setup.newCustomer()
    const doomed = await setup.start()
    killWhileSending(doomed, setup.node, 'eth_sendRawTransaction')
    expect(await setup.settle(doomed, customer)).toBe('no answer')
    setup.node.disturb(() => undefined)
    await expectOneSuccess(setup, customer)
    const [settlement] = await setup.settlementsOf(customer)
    expect(await setup.database.db.attempt.count({ where: { slotId: settlement?.slotId ?? '' } })).toBe(1)
  })

  test('when it had delivered: the retry is a conflict that names the transaction, history says success', async () => {
    const customer = await setup.newCustomer()
    // Long enough for a busy machine: a request with its answer waits for nothing.
    await setup.killedAt('delivered', customer, { SETTLE_DEADLINE_MS: '20000' })
    const service = await setup.start()
    const [row] = await setup.historyOf(customer)
    expect(row).toMatchObject({ success: true })
    expect(await setup.retry(service, customer)).toMatchObject({ status: 409, body: { transaction: row?.txHash } })
    expect(await setup.balanceOf(customer)).toBe(0n)
  })

  inLongRuns(() => {
    test('under load leaves every payment with one true outcome', async () => {
      const doomed = await setup.start()
      const customers = await Promise.all(Array.from({ length: 40 }, () => setup.newCustomer()))
      const before = await setup.database.db.attempt.count({ where: { sentAt: { not: null } } })
      const first = customers.map((customer) => setup.settle(doomed, customer))
      await until(
        async () => (await setup.database.db.attempt.count({ where: { sentAt: { not: null } } })) > before + 4,
        'some sends',
      )
      await doomed.kill('SIGKILL')
      const responses = await Promise.all(first)

      const service = await setup.start()
      await Promise.all(
        customers.map(async (customer, at) => {
          const answer = responses[at]
          if (answer === 'no answer' || answer?.body.success !== true) await setup.retry(service, customer)
        }),
      )
      for (const customer of customers) {
        expect(await setup.balanceOf(customer)).toBe(0n)
        expect(await setup.settlementsOf(customer)).toHaveLength(1)
        expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
      }
    })
  })

  test('leaves nothing that the auditor objects to', async () => {
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })

  test('on the embedded database settles what it had sent', async () => {
    const folder = await embeddedFolder()
    const signer = await fundedKey(setup.chain)
    // No wait outlives its process here, so it may be long.
    const embedded = { DATABASE_URL: '', DATA_DIR: folder, EVM_SANDBOX_SIGNER_KEYS: signer, SETTLE_DEADLINE_MS: '20000' }
    const customer = await setup.newCustomer()
    const doomed = await setup.start({ ...embedded, FAILPOINT: 'sent' })
    expect(await setup.settle(doomed, customer)).toBe('no answer')
    await killedItself(doomed)
    const service = await setup.start(embedded)
    expect(await setup.settle(service, customer)).toMatchObject({ status: 200, body: { success: true } })
    expect(await setup.balanceOf(customer)).toBe(0n)
    await service.kill('SIGTERM')
    await rm(folder, { recursive: true })
  })
})
