import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freshIp } from '../../test/client'
import { until } from '../../test/harness'
import { type ProcessAnswer, postTo, type ServiceProcess, startServiceProcess } from '../../test/process'
import { type SvmHouse, type SvmPurchase, startSvmHouse } from '../../test/svm-house'
import type { FailpointName } from './failpoints'

// The house lends its chain, its node and its database; the services that are killed are processes of their own.
let house: SvmHouse
let env: Record<string, string>
const running: ServiceProcess[] = []
beforeAll(async () => {
  // A payment has to outlive a service that is killed, a second one that starts, and the dead request's deadline.
  house = await startSvmHouse({ slotMs: 1_000, env: { RECHECK_MS: '300', SETTLE_DEADLINE_MS: '1500' } })
  env = house.env
  await house.app.close()
})
afterEach(async () => {
  house.node.calm()
  for (const service of running.splice(0)) await service.kill('SIGKILL')
})
afterAll(() => house.closeAround())

type Sender = SvmPurchase & { ip: string }

async function start(changes: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...env, ...changes })
  running.push(service)
  return service
}

const newSender = async (): Promise<Sender> => ({ ...(await house.purchase({ balance: 1_000n })), ip: freshIp() })
const settle = (service: ServiceProcess, { body, ip }: Sender): Promise<ProcessAnswer> =>
  postTo(service, '/sandbox/settle', body, ip)
const settlementsOf = ({ payTo }: Sender) => house.db.settlement.findMany({ where: { payTo, state: { not: 'REJECTED' } } })

/** Starts a service that kills itself at that moment, and settles there until it has. */
async function killedAt(moment: FailpointName, sender: Sender, changes: Record<string, string> = {}): Promise<void> {
  const doomed = await start({ ...changes, FAILPOINT: moment })
  let alive = true
  void doomed.gone.then(() => {
    alive = false
  })
  await until(() => settle(doomed, sender).then(() => !alive), `the service to die when ${moment}`, 30_000, 250)
}

/** Repeats the request, as a merchant would, until it succeeds or its success was told to nobody alive. */
async function retry(service: ServiceProcess, sender: Sender): Promise<ProcessAnswer> {
  let last: ProcessAnswer = 'no answer'
  const isOver = async () => (await settlementsOf(sender)).some(({ deliveredAt }) => deliveredAt)
  await until(
    async () => {
      last = await settle(service, sender)
      return last !== 'no answer' && (last.body.success === true || (await isOver()))
    },
    'an answer to the retry',
    30_000,
    250,
  )
  return last
}

/** The money moved once, under one signature, and the history says so once. */
async function expectMovedOnce(sender: Sender): Promise<void> {
  await until(async () => (await house.solana.tokens(sender.payTo)) === 1_000n, 'the money to move')
  const [settlement, ...others] = await settlementsOf(sender)
  expect(others).toEqual([])
  const attempts = await house.db.svmAttempt.findMany({ where: { settlementId: settlement?.id ?? '' } })
  const history = await house.db.history.findMany({ where: { payTo: sender.payTo } })
  expect(attempts).toHaveLength(1)
  expect(history).toMatchObject([{ success: true, txHash: attempts[0]?.signature }])
}

async function expectOneSuccess(sender: Sender): Promise<void> {
  const service = await start()
  expect(await retry(service, sender)).toMatchObject({ status: 200, body: { success: true } })
  expect(await settle(service, sender)).toMatchObject({ status: 409 })
  await expectMovedOnce(sender)
}

describe('a process killed with kill -9 while it settles on Solana', () => {
  test.each<FailpointName>(['judged', 'claimed', 'signed', 'committed', 'sent', 'mined', 'landed'])(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const sender = await newSender()
      await killedAt(moment, sender)
      await expectOneSuccess(sender)
    },
    120_000,
  )

  test('while the node, which took the bytes, was about to answer: the retry gets the one success', async () => {
    const sender = await newSender()
    const doomed = await start()
    house.node.disturb(async (call) => {
      if (call.method !== 'sendTransaction') return undefined
      await house.node.forward(call.method, call.params)
      await doomed.kill('SIGKILL')
      return 'cut'
    })
    expect(await settle(doomed, sender)).toBe('no answer')
    house.node.calm()
    await expectOneSuccess(sender)
  }, 120_000)

  test('when it had delivered: the retry is a conflict that names the transaction', async () => {
    const sender = await newSender()
    await killedAt('delivered', sender, { SETTLE_DEADLINE_MS: '20000' })
    await expectMovedOnce(sender)
    const [settlement] = await settlementsOf(sender)
    expect(await retry(await start(), sender)).toMatchObject({ status: 409, body: { transaction: settlement?.txHash } })
  }, 120_000)

  test('under load leaves every payment with one true outcome', async () => {
    const doomed = await start()
    const senders = await Promise.all(Array.from({ length: 20 }, newSender))
    const first = senders.map((sender) => settle(doomed, sender))
    const landed = () =>
      house.db.settlement.count({ where: { payTo: { in: senders.map(({ payTo }) => payTo) }, txHash: { not: null } } })
    await until(async () => (await landed()) > 4, 'some sends')
    await doomed.kill('SIGKILL')
    const told = await Promise.all(first)
    const service = await start()
    await Promise.all(
      senders.map(async (sender, at) => {
        const answer = told[at]
        if (answer === 'no answer' || answer?.body.success !== true) await retry(service, sender)
      }),
    )
    for (const sender of senders) await expectMovedOnce(sender)
  }, 120_000)

  test('is finished by another instance on the same database', async () => {
    const sender = await newSender()
    const other = await start({ PORT: '0' })
    await killedAt('committed', sender)
    expect(await retry(other, sender)).toMatchObject({ status: 200, body: { success: true } })
    await expectMovedOnce(sender)
  }, 120_000)

  test('on the embedded database keeps what it had promised', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'quittance-kill-svm-'))
    const embedded = { DATABASE_URL: '', DATA_DIR: folder, SETTLE_DEADLINE_MS: '20000' }
    const sender = await newSender()
    await killedAt('sent', sender, embedded)
    const service = await start(embedded)
    expect(await settle(service, sender)).toMatchObject({ status: 200, body: { success: true } })
    expect(await house.solana.tokens(sender.payTo)).toBe(1_000n)
    await service.kill('SIGTERM')
    await rm(folder, { recursive: true })
  }, 120_000)
})
