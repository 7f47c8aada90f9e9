import { rm } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/audit'
import { embeddedFolder } from '../../test/embedded'
import { fixture } from '../../test/fixture'
import { fundedKey, until } from '../../test/harness'
import { expectOneSuccess, startKillSetup } from '../../test/kills'
import { inLongRuns } from '../../test/long-run'
import { killWhileSending } from '../../test/process'
import type { FailpointName } from './failpoints'

const setup = fixture(startKillSetup)
afterEach(() => setup.clear())

const usageOf = ({ ip }: { ip: string }) =>
  setup.database.db.usage.findFirstOrThrow({ where: { subject: `ip:${ip}`, meter: 'settlement' } })

describe('a process killed with kill -9', () => {
  test('after it judged a payment and before it claimed: the retry succeeds for one unit', async () => {
    const sender = await setup.newSender()
    await setup.killedAt('judged', sender)
    expect(await setup.settlementsOf(sender)).toEqual([])
    await expectOneSuccess(setup, sender)
    expect(await usageOf(sender)).toMatchObject({ used: 1, returned: 0 })
  })

  test('after it claimed: the retry gets the one success for one unit', async () => {
    const sender = await setup.newSender()
    await setup.killedAt('claimed', sender)
    await expectOneSuccess(setup, sender)
    expect(await usageOf(sender)).toMatchObject({ used: 1 })
  })

  test.each<FailpointName>(['signed', 'committed', 'sent', 'mined', 'landed'])(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const sender = await setup.newSender()
      await setup.killedAt(moment, sender)
      await expectOneSuccess(setup, sender)
    },
  )

  test('while the node, which took the bytes, was about to answer: the retry gets the one success', async () => {
    const sender = await setup.newSender()
    const doomed = await setup.start()
    killWhileSending(doomed, setup.node, 'eth_sendRawTransaction')
    expect(await setup.settle(doomed, sender)).toBe('no answer')
    setup.node.disturb(() => undefined)
    await expectOneSuccess(setup, sender)
    const [settlement] = await setup.settlementsOf(sender)
    expect(await setup.database.db.attempt.count({ where: { slotId: settlement?.slotId ?? '' } })).toBe(1)
  })

  test('when it had delivered: the retry is a conflict that names the transaction, history says success', async () => {
    const sender = await setup.newSender()
    // Long enough for a busy machine: a request with its answer waits for nothing.
    await setup.killedAt('delivered', sender, { SETTLE_DEADLINE_MS: '20000' })
    const service = await setup.start()
    const [row] = await setup.historyOf(sender)
    expect(row).toMatchObject({ success: true })
    expect(await setup.retry(service, sender)).toMatchObject({ status: 409, body: { transaction: row?.txHash } })
    expect(await setup.balanceOf(sender)).toBe(0n)
  })

  inLongRuns(() => {
    test('under load leaves every payment with one true outcome', async () => {
      const doomed = await setup.start()
      const senders = await Promise.all(Array.from({ length: 40 }, () => setup.newSender()))
      const before = await setup.database.db.attempt.count({ where: { sentAt: { not: null } } })
      const first = senders.map((sender) => setup.settle(doomed, sender))
      await until(
        async () => (await setup.database.db.attempt.count({ where: { sentAt: { not: null } } })) > before + 4,
        'some sends',
      )
      await doomed.kill('SIGKILL')
      const responses = await Promise.all(first)

      const service = await setup.start()
      await Promise.all(
        senders.map(async (sender, at) => {
          const answer = responses[at]
          if (answer === 'no answer' || answer?.body.success !== true) await setup.retry(service, sender)
        }),
      )
      for (const sender of senders) {
        expect(await setup.balanceOf(sender)).toBe(0n)
        expect(await setup.settlementsOf(sender)).toHaveLength(1)
        expect(await setup.historyOf(sender)).toMatchObject([{ success: true }])
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
    const sender = await setup.newSender()
    const doomed = await setup.start({ ...embedded, FAILPOINT: 'sent' })
    expect(await setup.settle(doomed, sender)).toBe('no answer')
    await doomed.gone
    const service = await setup.start(embedded)
    expect(await setup.settle(service, sender)).toMatchObject({ status: 200, body: { success: true } })
    expect(await setup.balanceOf(sender)).toBe(0n)
    await service.kill('SIGTERM')
    await rm(folder, { recursive: true })
  })
})
