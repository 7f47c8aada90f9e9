import { afterEach, describe, expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { askUntilDead, postTo, type ServiceProcess, startServiceProcess } from '../../../test/support/service/process'
import { startUptoService, uptoOffer } from '../../../test/support/svm/upto-service'
import { until } from '../../../test/support/until'
import type { FailpointName } from '../../base/failpoints'

// Only the harness's chain, key and database are used; the killed services are separate processes.
const setup = fixture(async () => {
  const service = await startUptoService({ slotMs: 1_000, env: { RECHECK_MS: '300', SETTLE_DEADLINE_MS: '5000' } })
  const offer = await uptoOffer(service.merchant)
  await service.app.close()
  return { ...service, next: () => service.paying({ offer }), close: service.closeAround }
})
const running: ServiceProcess[] = []
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill('SIGKILL')
})

type Payment = Awaited<ReturnType<typeof setup.next>>

async function start(changes: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...setup.env, ...changes })
  running.push(service)
  return service
}

const settle = (service: ServiceProcess, body: object) => postTo(service, `/v1/${setup.merchant.key}/settle`, body, '10.1.1.1')

async function killedAt(moment: FailpointName, body: object): Promise<void> {
  const doomed = await start({ FAILPOINT: moment })
  await askUntilDead(doomed, moment, () => settle(doomed, body))
}

/** Retries as a merchant does, until the success is answered or was answered before. */
async function retried(service: ServiceProcess, { payer }: Payment, kind: 'escrow' | 'payment', body: object): Promise<void> {
  const isOver = async () =>
    (await setup.db.settlement.count({ where: { payer: payer.address, kind, deliveredAt: { not: null } } })) > 0
  await until(
    async () => {
      const answer = await settle(service, body)
      return answer !== 'no answer' && (answer.body.success === true || (await isOver()))
    },
    'an answer to the retry',
    60_000,
    250,
  )
}

const rowsOf = ({ payer }: Payment) =>
  setup.db.settlement.findMany({ where: { payer: payer.address, state: { not: 'REJECTED' } }, orderBy: { id: 'asc' } })

describe('a process killed with kill -9 while a maximum on Solana is paid', () => {
  test.each<FailpointName>(['claimed', 'committed', 'sent', 'landed'])(
    'when its deposit was just %s: the retry gets the one success, and it can be charged',
    async (moment) => {
      const payment = await setup.next()
      await killedAt(moment, payment.depositing)
      const service = await start()
      await retried(service, payment, 'escrow', payment.depositing)
      expect(await payment.held()).toEqual([900_000n, 0n])
      await retried(service, payment, 'payment', payment.charging(700n))
      expect(await payment.held()).toEqual([999_300n, 700n])
      expect((await rowsOf(payment)).map(({ kind, amount }) => [kind, String(amount)])).toEqual([
        ['escrow', '100000'],
        ['payment', '700'],
      ])
    },
  )

  test.each<FailpointName>(['claimed', 'signed', 'committed', 'sent', 'landed'])(
    'when its charge was just %s: the retry gets the one success, and only that charge moved',
    async (moment) => {
      const payment = await setup.next()
      const first = await start()
      await retried(first, payment, 'escrow', payment.depositing)
      await first.kill('SIGKILL')
      await killedAt(moment, payment.charging(700n))
      const service = await start()
      await retried(service, payment, 'payment', payment.charging(700n))
      expect(await settle(service, payment.charging(900n))).toMatchObject({ status: 409 })
      await until(async () => (await payment.held())[1] === 700n, 'the charge to move')
      expect(await payment.held()).toEqual([999_300n, 700n])
      const charges = (await rowsOf(payment)).filter(({ kind }) => kind === 'payment')
      expect(charges.map(({ amount, maximum }) => [String(amount), String(maximum)])).toEqual([['700', '100000']])
    },
  )
})
