import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { createUptoForge, type UptoPayment } from '../../test/support/permit2/upto'
import { freshIp } from '../../test/support/service/client'
import { askUntilDead, postTo, type ServiceProcess } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(startKillSetup)
afterEach(() => setup.clear())

const facilitator = () => privateKeyToAccount(`0x${setup.env.EVM_SANDBOX_SIGNER_KEYS?.replace(/^0x/, '')}`).address
const newPayment = () => createUptoForge(setup.chain).paying({ facilitator: facilitator() })

type Charge = { payment: UptoPayment; amount: bigint; ip: string }

const settle = (service: ServiceProcess, { payment, amount, ip }: Charge) =>
  postTo(service, '/sandbox/settle', payment.charging(amount), ip)

const rowsOf = ({ payer }: UptoPayment) =>
  setup.database.db.settlement.findMany({ where: { payer: payer.toLowerCase(), state: { not: 'REJECTED' } } })

async function killedAt(moment: FailpointName, charge: Charge): Promise<void> {
  const doomed = await setup.start({ FAILPOINT: moment })
  await askUntilDead(doomed, moment, () => settle(doomed, charge))
}

/** Retries as a merchant does, until the success is answered or was answered before. */
async function retried(service: ServiceProcess, charge: Charge): Promise<void> {
  const isOver = async () => (await rowsOf(charge.payment)).some(({ deliveredAt }) => deliveredAt)
  await until(
    async () => {
      const answer = await settle(service, charge)
      return answer !== 'no answer' && (answer.body.success === true || (await isOver()))
    },
    'an answer to the retry',
    60_000,
    250,
  )
}

describe('a process killed while it charges a part of what was signed', () => {
  test.each<FailpointName>(['claimed', 'signed', 'committed', 'sent', 'landed'])(
    'when it had just %s: the retry gets the one success, and only that charge moved',
    async (moment) => {
      const payment = await newPayment()
      const charge = { payment, amount: 700n, ip: freshIp() }
      await killedAt(moment, charge)
      const service = await setup.start()
      await retried(service, charge)
      expect(await settle(service, { ...charge, amount: 900n })).toMatchObject({ status: 409 })
      await until(async () => (await setup.chain.tokens(payment.payer)) === 1_000_000n - 700n, 'the charge to move')
      expect((await rowsOf(payment)).map(({ amount, maximum }) => [String(amount), String(maximum)])).toEqual([['700', '100000']])
    },
  )

  test.each<FailpointName>(['claimed', 'uncharged'])(
    'when it had just %s nothing: the retry gets the one success, and no other charge follows',
    async (moment) => {
      const payment = await newPayment()
      const charge = { payment, amount: 0n, ip: freshIp() }
      await killedAt(moment, charge)
      const service = await setup.start()
      await retried(service, charge)
      expect(await settle(service, { ...charge, amount: 900n })).toMatchObject({ status: 409 })
      expect(await setup.chain.tokens(payment.payer)).toBe(1_000_000n)
      expect(await rowsOf(payment)).toMatchObject([{ state: 'UNCHARGED', slotId: null }])
    },
  )
})
