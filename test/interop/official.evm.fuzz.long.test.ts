import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { evmDifferences, evmSettleDifferences } from '../money/fuzz/differences'
import { createEvmStage, type EvmPlan, evmPlan, soundEvmPlan } from '../money/fuzz/evm-payments'
import { type BothVerdicts, explained, explaining, inVersions } from '../money/fuzz/explaining'
import { patience, tries } from '../money/fuzz/runs'
import { asV1Network, officiallySettled, officiallyVerified, settled, type Verdict, verified } from '../money/fuzz/verdicts'
import { fundedKey } from '../support/chain/funded-key'
import { fixture } from '../support/fixture'
import { officialSigner } from '../support/nodes/official-facilitator'
import { startHarness } from '../support/service/harness'
import { newClient } from '../support/service/surface'

const harness = fixture(startHarness)
let official: x402Facilitator
let bodyOf: (plan: EvmPlan) => Promise<Record<string, unknown>>
beforeAll(async () => {
  const signer = officialSigner({ chainId: 84532, chainUrl: harness.chain.url, key: await fundedKey(harness.chain) })
  official = new x402Facilitator()
    .register('eip155:84532', new ExactEvmScheme(signer))
    .registerV1(asV1Network('base-sepolia'), new ExactEvmSchemeV1(signer))
  bodyOf = await createEvmStage(harness)
})

/** Both verify verdicts on the same body, ours first. */
const verdictsOf: BothVerdicts<EvmPlan> = async (plan) => {
  const body = await bodyOf(plan)
  return Promise.all([verified(newClient(harness.app), body), officiallyVerified(official, body)])
}

/** Both settle verdicts, ours first; each settles its own payment of the same plan. */
const outcomesOf: BothVerdicts<EvmPlan> = async (plan) => {
  const [mine, theirs] = [await bodyOf(plan), await bodyOf(plan)]
  return Promise.all([settled(newClient(harness.app), mine), officiallySettled(official, theirs)])
}

/** Once accepted by mistake: a smart wallet's signature for a domain other than the requested one. */
const ONCE_BROKEN: [EvmPlan][] = [1, 2].map((version) => [
  { ...soundEvmPlan, version: version === 1 ? 1 : 2, payer: 'coded', domain: { signed: 'own', asked: 'mainnet' } },
])

/** The verdicts that a run must reach; chance alone misses the second one once in 400 runs of half the length. */
const REACHING: [EvmPlan][] = [[soundEvmPlan], [{ ...soundEvmPlan, payer: 'poor' }]]

describe("the official facilitator's verdict on an EVM payment", () => {
  test(
    'equals our verify verdict, or is in the table of differences',
    async () => {
      const said = new Set<Verdict>()
      await fc.assert(
        fc.asyncProperty(evmPlan, async (plan) => {
          said.add(await explained(verdictsOf, evmDifferences, plan))
        }),
        { ...tries(200), examples: [...REACHING, ...ONCE_BROKEN] },
      )
      expect([...said]).toEqual(expect.arrayContaining(['valid', 'invalid_exact_evm_insufficient_balance']))
    },
    patience(60),
  )

  test(
    'equals our settle verdict, or is in the table of differences',
    async () => {
      await fc.assert(
        fc.asyncProperty(evmPlan, async (plan) => {
          await explained(outcomesOf, [...evmDifferences, ...evmSettleDifferences], plan)
        }),
        tries(40),
      )
    },
    patience(60),
  )

  test.each(inVersions(evmDifferences))(
    'of verify differs in version $version where ours is $ours: official $official',
    async (row) => {
      const { example, version, ours, official } = row
      const plan = { ...soundEvmPlan, ...example, version }
      const [our, their] = await verdictsOf(plan)
      expect(our).toBe(ours)
      expect(explaining(evmDifferences, plan, our, their).map((row) => row.official)).toContain(official)
    },
  )

  test.each(inVersions(evmSettleDifferences))(
    'of settle differs in version $version where ours is $ours: official $official',
    async (row) => {
      const { example, version, ours, official } = row
      const plan = { ...soundEvmPlan, ...example, version }
      const [our, their] = await outcomesOf(plan)
      expect(our).toBe(ours)
      expect(explaining(evmSettleDifferences, plan, our, their).map((row) => row.official)).toContain(official)
    },
  )

  test('on a payment that we settled is a used nonce, because it reads only the chain', async () => {
    const body = await bodyOf(soundEvmPlan)
    expect(await settled(newClient(harness.app), body)).toBe('valid')
    const both = [await verified(newClient(harness.app), body), await officiallyVerified(official, body)]
    expect(both).toEqual(['duplicate_settlement', 'invalid_exact_evm_nonce_already_used'])
  })
})
