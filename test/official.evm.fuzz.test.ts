import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evmDifferences, evmSettleDifferences } from './fuzz/differences'
import { createEvmStage, type EvmPlan, evmPlan, soundEvmPlan } from './fuzz/evm-payments'
import { explained, explaining, inVersions } from './fuzz/explaining'
import { patience, tries } from './fuzz/runs'
import { asV1Network, officiallySettled, officiallyVerified, settled, type Verdict, verified } from './fuzz/verdicts'
import { fundedKey, type Harness, startHarness } from './harness'
import { officialSigner } from './official-facilitator'
import { newClient } from './surface'

let harness: Harness
let official: x402Facilitator
let bodyOf: (plan: EvmPlan) => Promise<Record<string, unknown>>
beforeAll(async () => {
  harness = await startHarness()
  const signer = officialSigner({ chainId: 84532, chainUrl: harness.chain.url, key: await fundedKey(harness.chain) })
  official = new x402Facilitator()
    .register('eip155:84532', new ExactEvmScheme(signer))
    .registerV1(asV1Network('base-sepolia'), new ExactEvmSchemeV1(signer))
  bodyOf = await createEvmStage(harness)
})
afterAll(() => harness.close())

type Asked = (plan: EvmPlan) => Promise<[Verdict, Verdict]>

/** What both verify of one and the same body: ours first. */
const verdictsOf: Asked = async (plan) => {
  const body = await bodyOf(plan)
  return Promise.all([verified(newClient(harness.app), body), officiallyVerified(official, body)])
}

/** What each settles of a payment of its own, made by the same plan: ours first. */
const outcomesOf: Asked = async (plan) => {
  const [mine, theirs] = [await bodyOf(plan), await bodyOf(plan)]
  return Promise.all([settled(newClient(harness.app), mine), officiallySettled(official, theirs)])
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
          said.add(await explained(verdictsOf, evmDifferences, plan))
        }),
        { ...tries(200), examples: ONCE_BROKEN },
      )
      expect([...said]).toEqual(expect.arrayContaining(['valid', 'invalid_exact_evm_insufficient_balance']))
    },
    patience(60),
  )

  test(
    'and does is what we do, or stands there',
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

  test.each(inVersions(evmDifferences))('differs in version $version where we say $ours: it $official', async (row) => {
    const { example, version, ours, official } = row
    const plan = { ...soundEvmPlan, ...example, version }
    const [our, their] = await verdictsOf(plan)
    expect(our).toBe(ours)
    expect(explaining(evmDifferences, plan, our, their).map((row) => row.official)).toContain(official)
  })

  test.each(inVersions(evmSettleDifferences))(
    'and does differs in version $version where we say $ours: it $official',
    async (row) => {
      const { example, version, ours, official } = row
      const plan = { ...soundEvmPlan, ...example, version }
      const [our, their] = await outcomesOf(plan)
      expect(our).toBe(ours)
      expect(explaining(evmSettleDifferences, plan, our, their).map((row) => row.official)).toContain(official)
    },
  )

  test('of one that we settled is that its nonce was used: it knows the chain alone', async () => {
    const body = await bodyOf(soundEvmPlan)
    expect(await settled(newClient(harness.app), body)).toBe('valid')
    const both = [await verified(newClient(harness.app), body), await officiallyVerified(official, body)]
    expect(both).toEqual(['duplicate_settlement', 'invalid_exact_evm_nonce_already_used'])
  })
})
