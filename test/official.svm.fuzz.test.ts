import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { explaining, svmDifferences } from './fuzz/differences'
import { patience, tries } from './fuzz/runs'
import { createSvmStage, type SvmPlan, signerOf, soundSvmPlan, svmPlan } from './fuzz/svm-payments'
import { asV1Network, officiallyVerified, type Verdict, verified } from './fuzz/verdicts'
import { newVisitor } from './surface'
import { type SvmHouse, startSvmHouse } from './svm-house'

let house: SvmHouse
let official: x402Facilitator
let bodyOf: (plan: SvmPlan) => Promise<Record<string, unknown>>
beforeAll(async () => {
  // The official facilitator tells there what it cannot decode.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  house = await startSvmHouse({ mainnet: true })
  const feePayer = await signerOf(house.env.SOLANA_SANDBOX_SIGNER_KEYS)
  const signer = toFacilitatorSvmSigner(feePayer, { defaultRpcUrl: house.solana.url })
  // Our limits, where it has them.
  const limits = { maxComputeUnits: 60_000, maxRequiredSignatures: 2 }
  official = new x402Facilitator()
    .register(house.solana.network, new ExactSvmScheme(signer, undefined, limits))
    .registerV1(asV1Network('solana-devnet'), new ExactSvmSchemeV1(signer))
  bodyOf = await createSvmStage(house)
})
afterAll(() => {
  vi.restoreAllMocks()
  return house.close()
})

/** What both say of one and the same body: ours first. */
async function verdictsOf(plan: SvmPlan): Promise<[Verdict, Verdict]> {
  const body = await bodyOf(plan)
  return Promise.all([verified(newVisitor(house.app), body), officiallyVerified(official, body)])
}

describe('what the official facilitator says of a payment on Solana', () => {
  test(
    'is what we say of it, or stands in the table of differences',
    async () => {
      const said = new Set<Verdict>()
      await fc.assert(
        fc.asyncProperty(svmPlan, async (plan) => {
          const [ours, theirs] = await verdictsOf(plan)
          said.add(ours)
          if (ours !== theirs && explaining(svmDifferences, plan, ours, theirs).length === 0) {
            throw new Error(`we say "${ours}", the official facilitator says "${theirs}"`)
          }
        }),
        tries(200),
      )
      expect([...said]).toEqual(expect.arrayContaining(['valid', 'invalid_exact_svm_payload_amount_mismatch']))
    },
    patience(60),
  )

  const rows = svmDifferences.flatMap((row) => ([1, 2] as const).map((version) => ({ ...row, version, only: row.version })))
  test.each(rows.filter(({ only, version }) => (only ?? version) === version))(
    'differs in version $version where we say $ours: it $official',
    async ({ example, version, ours, official }) => {
      const plan = { ...soundSvmPlan, ...example, version }
      const [our, their] = await verdictsOf(plan)
      expect([our, explaining(svmDifferences, plan, our, their).some((row) => row.official === official)]).toEqual([ours, true])
      expect(our).not.toBe(their)
    },
  )
})
