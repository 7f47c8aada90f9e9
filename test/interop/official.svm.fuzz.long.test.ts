import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signerOf } from '../../devnet/solana/keys'
import { svmDifferences } from '../money/fuzz/differences'
import { type BothVerdicts, explained, explaining, inVersions } from '../money/fuzz/explaining'
import { patience, tries } from '../money/fuzz/runs'
import { type SvmPlan, soundSvmPlan, startSvmStage, svmPlan } from '../money/fuzz/svm-payments'
import { asV1Network, officiallySettled, officiallyVerified, settled, type Verdict, verified } from '../money/fuzz/verdicts'
import { newClient } from '../support/service/surface'
import type { SvmHarness } from '../support/svm/harness'

let harness: SvmHarness
let official: x402Facilitator
let bodyOf: (plan: SvmPlan) => Promise<Record<string, unknown>>
beforeAll(async () => {
  // The official facilitator prints undecodable transactions there.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  ;({ harness, bodyOf } = await startSvmStage())
  const feePayer = await signerOf(harness.env.SOLANA_SANDBOX_SIGNER_KEYS ?? '')
  const signer = toFacilitatorSvmSigner(feePayer, { defaultRpcUrl: harness.solana.url })
  // Our limits, as far as it has such options.
  const limits = { maxComputeUnits: 60_000, maxRequiredSignatures: 2 }
  official = new x402Facilitator()
    .register(harness.solana.network, new ExactSvmScheme(signer, undefined, limits))
    .registerV1(asV1Network('solana-devnet'), new ExactSvmSchemeV1(signer))
})
afterAll(() => {
  vi.restoreAllMocks()
  return harness.close()
})

/** Both verify verdicts on the same body, ours first. */
const verdictsOf: BothVerdicts<SvmPlan> = async (plan) => {
  const body = await bodyOf(plan)
  return Promise.all([verified(newClient(harness.app), body), officiallyVerified(official, body)])
}

/** Both settle verdicts, ours first; each settles its own payment of the same plan. The verify table lists verify differences. */
const outcomesOf: BothVerdicts<SvmPlan> = async (plan) => {
  const [mine, theirs] = [await bodyOf(plan), await bodyOf(plan)]
  return Promise.all([settled(newClient(harness.app), mine), officiallySettled(official, theirs)])
}

describe("the official facilitator's verdict on a Solana payment", () => {
  test(
    'equals our verify verdict, or is in the table of differences',
    async () => {
      const said = new Set<Verdict>()
      await fc.assert(
        fc.asyncProperty(svmPlan, async (plan) => {
          said.add(await explained(verdictsOf, svmDifferences, plan))
        }),
        { ...tries(200), examples: [[soundSvmPlan]] },
      )
      // The verdicts are random, but a run always produces many different ones.
      expect(said).toContain('valid')
      expect(said.size).toBeGreaterThan(12)
    },
    patience(60),
  )

  test(
    'equals our settle verdict, or is in the table of differences',
    async () => {
      await fc.assert(
        fc.asyncProperty(svmPlan, async (plan) => {
          const same = { ...plan, flip: null }
          const [ours, theirs] = await verdictsOf(same)
          if (ours === theirs) await explained(outcomesOf, [], same)
        }),
        tries(40),
      )
    },
    patience(60),
  )

  test.each(inVersions(svmDifferences))(
    'of verify differs in version $version where ours is $ours: official $official',
    async (row) => {
      const { example, version, ours, official } = row
      const plan = { ...soundSvmPlan, ...example, version }
      const [our, their] = await verdictsOf(plan)
      expect(our).toBe(ours)
      expect(explaining(svmDifferences, plan, our, their).map((row) => row.official)).toContain(official)
    },
  )
})
