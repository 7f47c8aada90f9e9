import type { LocalAccount } from 'viem'
import { usdcAbi } from '../../../devnet/abi'
import { type SignedPayment, v2Body } from '../payloads/payments'
import { until } from '../until'
import type { Harness } from './harness'
import { type Merchant, newMerchant } from './surface'

/** What a settle request was answered. */
type Said = { success?: boolean; errorReason?: string; errorMessage?: string; transaction?: string; error?: string }

/** Payers whose money leaves between the send and the block, on a chain with a block a second. */
export function createDraining(harness: () => Harness) {
  const pause = () => harness().chain.client.setIntervalMining({ interval: 0 })
  const goOn = () => harness().chain.client.setIntervalMining({ interval: 1 })
  const stateCount = (tenantId: string, state: string) => harness().app.db.settlement.count({ where: { tenantId, state } })
  const busy = (plan: 'scale' | 'growth' = 'scale') => newMerchant(harness().app, { plan, rps: 10_000 })

  async function settle({ v1 }: Merchant, payment: SignedPayment, body = v2Body(payment), headers = {}) {
    const { status, body: said, headers: told } = await v1.settle(body, { headers })
    const facts = { replayed: told.get('idempotent-replayed'), left: told.get('x-settlement-remaining') }
    return { status, ...facts, ...(said as Said) }
  }

  /** Takes all money out of an account, in the next block ahead of everything else. */
  async function drain(account: LocalAccount): Promise<void> {
    const { chain } = harness()
    await chain.fund(account.address, 10n ** 18n)
    const value = await chain.tokens(account.address)
    await chain.client.writeContract({
      account,
      chain: chain.client.chain,
      address: chain.usdc,
      abi: usdcAbi,
      functionName: 'transfer',
      args: ['0x00000000000000000000000000000000000000aa', value],
      nonce: 0,
      gas: 100_000n,
      maxPriorityFeePerGas: 10n ** 11n,
      maxFeePerGas: 10n ** 12n,
    })
  }

  /** Settles these, and once all are on the wire, drains their payers before the block. */
  async function settleAndDrain(merchant: Merchant, payments: SignedPayment[], payers: LocalAccount[], headers = {}) {
    await pause()
    const before = await stateCount(merchant.tenantId, 'BROADCAST')
    const answers = payments.map((payment) => settle(merchant, payment, v2Body(payment), headers))
    const all = before + payments.length
    await until(async () => (await stateCount(merchant.tenantId, 'BROADCAST')) === all, 'all to be on the wire', 60_000)
    for (const payer of payers) await drain(payer)
    await goOn()
    return answers
  }

  return { pause, goOn, stateCount, busy, settle, drain, settleAndDrain }
}
