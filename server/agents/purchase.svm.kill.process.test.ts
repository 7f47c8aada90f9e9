import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from '../../test/support/long-run'
import { freshIp } from '../../test/support/service/client'
import {
  askUntilDead,
  type ProcessAnswer,
  postTo,
  type ServiceProcess,
  startServiceProcess,
} from '../../test/support/service/process'
import { someAddress } from '../../test/support/svm/forge'
import { newSvmKey, type SvmHarness, startSvmHarness } from '../../test/support/svm/harness'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

// The harness has the chain, the node and the database; the services that sell are separate processes.
const payTo = someAddress()
let harness: SvmHarness
const running: ServiceProcess[] = []
beforeAll(async () => {
  const env = { RECHECK_MS: '300', SETTLE_DEADLINE_MS: '1500', PURCHASE_PAY_TO_SOLANA: payTo, PURCHASE_NETWORKS: 'solana-devnet' }
  // The payment must stay valid through a killed service, a second start, and the dead request's deadline.
  harness = await startSvmHarness({ slotMs: 1_000, env })
  await harness.solana.openAccount(payTo)
  await harness.app.close()
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill('SIGKILL')
})
afterAll(() => harness.closeAround())

async function start(changes: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...harness.env, ...changes })
  running.push(service)
  return service
}

/** A wallet's payment for 100 credits; each call sends the same one. */
async function newBuyer(changed: { feePayer?: string } = {}) {
  const { payer, body } = await harness.purchase({ payTo, amount: 100_000n, balance: 100_000n, ...changed })
  const header = Buffer.from(JSON.stringify(body.paymentPayload)).toString('base64')
  const ip = freshIp()
  return {
    wallet: String(payer.address),
    buy: (service: ServiceProcess) => postTo(service, '/api/v1/agent/purchase', {}, ip, { 'payment-signature': header }),
  }
}

const isOver = (answer: ProcessAnswer) =>
  answer !== 'no answer' && (answer.status === 200 || (answer.status === 409 && !answer.headers.has('retry-after')))

describe('a process killed with kill -9 while credits are bought on Solana', () => {
  test.each(casesOf<FailpointName>(['landed', 'delivered'], ['claimed', 'committed', 'sent']))(
    'when it had just %s: paid once and credited once',
    async (moment) => {
      const { wallet, buy } = await newBuyer()
      const before = await harness.solana.tokens(payTo)
      const doomed = await start({ FAILPOINT: moment })
      await askUntilDead(doomed, moment, () => buy(doomed))
      const service = await start()
      await until(() => buy(service).then(isOver), 'an answer to the repeated purchase', 30_000, 250)
      expect(await buy(service)).toMatchObject({ status: 409, body: { error: expect.stringContaining('/api/v1/agent/keys') } })
      expect(await harness.solana.tokens(payTo)).toBe(before + 100_000n)
      const where = { wallet, environment: 'testnet' }
      expect(await harness.db.creditEntry.findMany({ where })).toMatchObject([{ kind: 'purchase', delta: 100n }])
      expect(await harness.db.creditAccount.findMany({ where })).toMatchObject([{ purchased: 100n, used: 0n }])
    },
  )

  test('a payment with a fee payer that is not ours buys and moves nothing', async () => {
    const { wallet, buy } = await newBuyer({ feePayer: newSvmKey().address })
    const before = await harness.solana.tokens(payTo)
    expect(await buy(await start())).toMatchObject({ status: 402 })
    expect(await harness.solana.tokens(payTo)).toBe(before)
    expect(await harness.db.creditEntry.count({ where: { wallet } })).toBe(0)
  })
})
