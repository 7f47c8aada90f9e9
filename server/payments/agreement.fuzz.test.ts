import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createForge } from '../../test/forge'
import { createEvmStage, type EvmPlan, evmPlan } from '../../test/fuzz/evm-payments'
import { patience, tries } from '../../test/fuzz/runs'
import { settleOnly } from '../../test/fuzz/settle-only'
import { type SvmPlan, startSvmStage, svmPlan } from '../../test/fuzz/svm-payments'
import { settled, type Verdict, verified } from '../../test/fuzz/verdicts'
import { type Harness, startHarness } from '../../test/harness'
import { newClient } from '../../test/surface'
import type { SvmHarness } from '../../test/svm-harness'
import type { App } from '../app'

type Json = Record<string, unknown>

/** Fails where the two say different things of one payment, now or when both are asked again. */
async function agreed(app: App, body: Json): Promise<Verdict> {
  const client = newClient(app)
  const both = async () => [await verified(client, body), await settled(client, body)]
  const [first, then] = await both()
  expect(then).toBe(first)
  expect(settleOnly).not.toHaveProperty([String(first)])
  // What has landed is known to both, to settle as a refusal.
  expect(await both()).toEqual(first === 'valid' ? ['duplicate_settlement', '409 duplicate_settlement'] : [first, first])
  return String(first)
}

describe('on EVM verify and settle say the same', () => {
  let harness: Harness
  let bodyOf: (plan: EvmPlan) => Promise<Json>
  beforeAll(async () => {
    harness = await startHarness()
    bodyOf = await createEvmStage(harness)
  })
  afterAll(() => harness.close())

  test.each([0n, 999n])('of a payer with %i of the 1000 atomic units', async (balance) => {
    const payTo = privateKeyToAccount(generatePrivateKey()).address
    const { body } = await createForge(harness).paying(payTo, { balance })
    expect(await agreed(harness.app, body)).toBe('invalid_exact_evm_insufficient_balance')
  })

  test(
    'of any payment',
    async () => {
      const said = new Set<Verdict>()
      await fc.assert(
        fc.asyncProperty(evmPlan, async (plan) => {
          said.add(await agreed(harness.app, await bodyOf(plan)))
        }),
        tries(120),
      )
      expect(said).toContain('valid')
      expect(said.size).toBeGreaterThan(10)
    },
    patience(60),
  )
})

describe('on Solana verify and settle say the same', () => {
  let harness: SvmHarness
  let bodyOf: (plan: SvmPlan) => Promise<Json>
  beforeAll(async () => {
    ;({ harness, bodyOf } = await startSvmStage())
  })
  afterAll(() => harness.close())

  test(
    'of any payment',
    async () => {
      const said = new Set<Verdict>()
      await fc.assert(
        fc.asyncProperty(svmPlan, async (plan) => {
          said.add(await agreed(harness.app, await bodyOf(plan)))
        }),
        tries(120),
      )
      expect(said.size).toBeGreaterThan(10)
    },
    patience(60),
  )
})
