import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/audit'
import { fundedKey, until } from '../../test/harness'
import { expectOneSuccess, type KillingGround, killingGround } from '../../test/kills'
import { killWhileSending } from '../../test/process'
import type { FailpointName } from './failpoints'

let ground: KillingGround
beforeAll(async () => {
  ground = await killingGround()
})
afterEach(() => ground.clear())
afterAll(() => ground.close())

const usageOf = ({ ip }: { ip: string }) =>
  ground.database.db.usage.findFirstOrThrow({ where: { subject: `ip:${ip}`, meter: 'settlement' } })

describe('a process killed with kill -9', () => {
  test('after it judged a payment and before it claimed: the retry succeeds for one unit', async () => {
    const sender = await ground.newSender()
    await ground.killedAt('judged', sender)
    expect(await ground.settlementsOf(sender)).toEqual([])
    await expectOneSuccess(ground, sender)
    expect(await usageOf(sender)).toMatchObject({ used: 1, returned: 0 })
  }, 120_000)

  test('after it claimed: the retry gets the one success for one unit', async () => {
    const sender = await ground.newSender()
    await ground.killedAt('claimed', sender)
    await expectOneSuccess(ground, sender)
    expect(await usageOf(sender)).toMatchObject({ used: 1 })
  }, 120_000)

  test.each<FailpointName>(['signed', 'committed', 'sent', 'mined', 'landed'])(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const sender = await ground.newSender()
      await ground.killedAt(moment, sender)
      await expectOneSuccess(ground, sender)
    },
    120_000,
  )

  test('while the node, which took the bytes, was about to answer: the retry gets the one success', async () => {
    const sender = await ground.newSender()
    const doomed = await ground.start()
    killWhileSending(doomed, ground.node, 'eth_sendRawTransaction')
    expect(await ground.settle(doomed, sender)).toBe('no answer')
    ground.node.disturb(() => undefined)
    await expectOneSuccess(ground, sender)
    const [settlement] = await ground.settlementsOf(sender)
    expect(await ground.database.db.attempt.count({ where: { slotId: settlement?.slotId ?? '' } })).toBe(1)
  }, 120_000)

  test('when it had delivered: the retry is a conflict that names the transaction, history says success', async () => {
    const sender = await ground.newSender()
    // Long enough for a busy machine: who was told waits for nothing any more.
    await ground.killedAt('delivered', sender, { SETTLE_DEADLINE_MS: '20000' })
    const service = await ground.start()
    const [row] = await ground.historyOf(sender)
    expect(row).toMatchObject({ success: true })
    expect(await ground.retry(service, sender)).toMatchObject({ status: 409, body: { transaction: row?.txHash } })
    expect(await ground.balanceOf(sender)).toBe(0n)
  }, 120_000)

  test('under load leaves every payment with one true outcome', async () => {
    const doomed = await ground.start()
    const senders = await Promise.all(Array.from({ length: 40 }, () => ground.newSender()))
    const before = await ground.database.db.attempt.count({ where: { sentAt: { not: null } } })
    const first = senders.map((sender) => ground.settle(doomed, sender))
    await until(
      async () => (await ground.database.db.attempt.count({ where: { sentAt: { not: null } } })) > before + 4,
      'some sends',
    )
    await doomed.kill('SIGKILL')
    const told = await Promise.all(first)

    const service = await ground.start()
    await Promise.all(
      senders.map(async (sender, at) => {
        const answer = told[at]
        if (answer === 'no answer' || answer?.body.success !== true) await ground.retry(service, sender)
      }),
    )
    for (const sender of senders) {
      expect(await ground.balanceOf(sender)).toBe(0n)
      expect(await ground.settlementsOf(sender)).toHaveLength(1)
      expect(await ground.historyOf(sender)).toMatchObject([{ success: true }])
    }
  }, 120_000)

  test('leaves nothing that the auditor objects to', async () => {
    expect(await ground.audit()).toEqual(NO_OFFENCE)
  }, 120_000)

  test('on the embedded database keeps what it had preconfirmed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'quittance-kill-'))
    const signer = await fundedKey(ground.chain)
    // Nobody's wait outlives its process here, so it may be long.
    const embedded = { DATABASE_URL: '', DATA_DIR: folder, EVM_SANDBOX_SIGNER_KEYS: signer, SETTLE_DEADLINE_MS: '20000' }
    const sender = await ground.newSender()
    const doomed = await ground.start({ ...embedded, FAILPOINT: 'sent' })
    expect(await ground.settle(doomed, sender)).toBe('no answer')
    await doomed.gone
    const service = await ground.start(embedded)
    expect(await ground.settle(service, sender)).toMatchObject({ status: 200, body: { success: true } })
    expect(await ground.balanceOf(sender)).toBe(0n)
    await service.kill('SIGTERM')
    await rm(folder, { recursive: true })
  }, 120_000)
})
