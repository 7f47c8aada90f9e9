import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FlashView, startFlashView } from '../../devnet/flash'
import { newPayments } from '../../test/money/faults/fault-harness'
import { expectSettledOnce, isSuccess } from '../../test/support/chain/settled-once'
import { v2Body } from '../../test/support/payloads/payments'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { type Merchant, newMerchant } from '../../test/support/service/surface'

// One payment, one transaction, and blocks only when the test makes them, so that exactly one preconfirmation fails.
let harness: Harness
let view: FlashView
let merchant: Merchant
let mining: NodeJS.Timeout | undefined
beforeAll(async () => {
  const env: Record<string, string> = { RECHECK_MS: '500', FLASH_DEADLINE_MS: '20000', BATCH_MAX: '1' }
  harness = await startHarness({
    production: true,
    env,
    async rpcUrl(chain) {
      view = await startFlashView(chain)
      env.BASE_SEPOLIA_FLASH_RPC_URL = view.url
      return chain.url
    },
  })
  merchant = await newMerchant(harness.app, { rps: 1_000 })
})
afterAll(async () => {
  clearInterval(mining)
  await harness.close()
  await view.stop()
})

test('of twenty preconfirmed transfers of which the chain loses one, all land in the end', async () => {
  const payments = await newPayments(harness, 20)
  await harness.chain.client.setIntervalMining({ interval: 0 })
  await harness.chain.client.setAutomine(false)
  const run = await Promise.all(
    payments.map(async (payment) => ({ payment, balance: 1_000_000n, answers: [await merchant.flash.settle(v2Body(payment))] })),
  )
  expect(run.map(({ answers }) => answers.every(isSuccess))).toEqual(payments.map(() => true))
  expect(await harness.app.db.settlement.count({ where: { state: 'PRECONFIRMED' } })).toBe(20)

  const slot = await harness.app.db.slot.findFirstOrThrow({ where: { nonce: 7n }, include: { attempts: true } })
  for (const { hash } of slot.attempts) await harness.chain.client.dropTransaction({ hash: asHex(hash) })
  mining = setInterval(() => void harness.chain.mine(1).catch(() => {}), 150)
  const endings = await expectSettledOnce(harness, run, 60_000)
  expect(endings.map(({ state, slots }) => [state, slots])).toEqual(payments.map(() => ['FINAL', 1]))
})

function asHex(hash: string): Hex {
  return `0x${hash.slice(2)}`
}
