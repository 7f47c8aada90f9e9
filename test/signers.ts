import type { Address } from 'viem'
import { expect } from 'vitest'
import type { LaneClass } from '../server/ledger/statements/lanes'
import { type Harness, until } from './harness'
import { newPurchase } from './purchases'
import type { Answer } from './surface'

/**
 * Leaves a Base Sepolia signer with ether for one transfer, spends it with `settle`, and waits until its lane notices. Resolves with a
 * function that refills it.
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
  const became = (wanted: string) =>
    until(
      () => app.engine.laneStatus().some(({ class: one, status }) => one === laneClass && status === wanted),
      `the lane to be ${wanted}`,
    )
  const { baseFee } = await network.chain.head()
  const cost = network.chain.costOf(baseFee)
  await fund((cost * 3n) / 2n)
  const { status, body } = await settle((await newPurchase(harness)).body)
  if (status === 503) {
    // The lane knows an older and higher base fee, so this is not enough for one transfer.
    await fund((cost * 5n) / 2n)
    await became('ready')
    expect((await settle((await newPurchase(harness)).body)).body).toMatchObject({ success: true })
  } else expect(body).toMatchObject({ success: true })
  await became('low balance')
  return async () => {
    await fund(10n ** 19n)
    await became('ready')
  }
}
