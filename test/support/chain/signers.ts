import type { Address } from 'viem'
import { expect } from 'vitest'
import type { LaneClass } from '../../../server/ledger/statements/lanes'
import type { Harness } from '../service/harness'
import { newPurchase } from '../service/purchases'
import type { Answer } from '../service/surface'
import { until } from '../until'

/**
 * Takes the ether of a Base Sepolia signer and waits until its lane notices: `settle` makes it send something. Resolves with a function
 * that refills it.
 */
export async function drain(
  harness: Harness,
  laneClass: LaneClass,
  settle: (body: unknown) => Promise<Answer>,
): Promise<() => Promise<void>> {
  const { app, chain } = harness
  const network = app.networks.get('eip155:84532')
  const [signer] = network?.signers[laneClass] ?? []
  if (network?.family !== 'evm' || !signer) throw new Error(`no ${laneClass} signer`)
  const fund = (wei: bigint) => chain.fund(signer as Address, wei)
  const isStatus = (wanted: string) =>
    app.engine.laneStatus().some(({ class: one, status }) => one === laneClass && status === wanted)
  const refill = async () => {
    await fund(10n ** 19n)
    await until(() => isStatus('ready'), 'the lane to be ready')
  }
  const pay = async () => expect((await settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
  // At the lowest base fee, costs do not change any more. The lane learns it with its next transaction.
  await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n })
  await pay()
  const { baseFee } = await network.chain.head()
  // Enough for one, and less than a lane wants to keep.
  await fund(network.chain.costOf(baseFee, 120_000n) * 3n)
  // After the payment before it the lane may look late enough to see this already.
  const { status, body } = await settle((await newPurchase(harness)).body)
  if (status !== 503) expect(body).toMatchObject({ success: true })
  await until(() => isStatus('low balance'), 'the lane to be low on balance')
  return refill
}
