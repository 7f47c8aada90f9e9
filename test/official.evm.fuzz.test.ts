import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evmDifferences, explaining } from './fuzz/differences'
import { createEvmStage, type EvmPlan, evmPlan, soundEvmPlan } from './fuzz/evm-payments'
import { patience, tries } from './fuzz/runs'
import { asV1Network, officiallyVerified, type Verdict, verified } from './fuzz/verdicts'
import { fundedKey, type Harness, startHarness } from './harness'
import { officialSigner } from './official-facilitator'
import { newVisitor } from './surface'

let house: Harness
let official: x402Facilitator
let bodyOf: (plan: EvmPlan) => Promise<Record<string, unknown>>
beforeAll(async () => {
  house = await startHarness()
  const signer = officialSigner({ chainId: 84532, chainUrl: house.chain.url, key: await fundedKey(house.chain) })
  official = new x402Facilitator()
    .register('eip155:84532', new ExactEvmScheme(signer))
    .registerV1(asV1Network('base-sepolia'), new ExactEvmSchemeV1(signer))
  bodyOf = await createEvmStage(house)
})
afterAll(() => house.close())

/** What both say of one and the same body: ours first. */
async function verdictsOf(plan: EvmPlan): Promise<[Verdict, Verdict]> {
  const body = await bodyOf(plan)
  return Promise.all([verified(newVisitor(house.app), body), officiallyVerified(official, body)])
}

/** A wallet's word for another domain than the one that is asked for was taken for its word. */
const ONCE_BROKEN: [EvmPlan][] = [1, 2].map((version) => [
  { ...soundEvmPlan, version: version === 1 ? 1 : 2, payer: 'coded', domain: { signed: 'own', asked: 'mainnet' } },
])

describe('what the official facilitator says of a payment on EVM', () => {
  test(
    'is what we say of it, or stands in the table of differences',
    async () => {
      const said = new Set<Verdict>()
      await fc.assert(
        fc.asyncProperty(evmPlan, async (plan) => {
          const [ours, theirs] = await verdictsOf(plan)
          said.add(ours)
          if (ours !== theirs && explaining(evmDifferences, plan, ours, theirs).length === 0) {
            throw new Error(`we say "${ours}", the official facilitator says "${theirs}"`)
          }
        }),
        { ...tries(200), examples: ONCE_BROKEN },
      )
      expect([...said]).toEqual(expect.arrayContaining(['valid', 'invalid_exact_evm_insufficient_balance']))
    },
    patience(60),
  )

  const rows = evmDifferences.flatMap((row) => ([1, 2] as const).map((version) => ({ ...row, version, only: row.version })))
  test.each(rows.filter(({ only, version }) => (only ?? version) === version))(
    'differs in version $version where we say $ours: it $official',
    async ({ example, version, ours, official }) => {
      const plan = { ...soundEvmPlan, ...example, version }
      const [our, their] = await verdictsOf(plan)
      expect([our, explaining(evmDifferences, plan, our, their).some((row) => row.official === official)]).toEqual([ours, true])
      expect(our).not.toBe(their)
    },
  )
})
