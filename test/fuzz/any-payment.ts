import fc from 'fast-check'
import { beforeAll } from 'vitest'
import { fixture } from '../fixture'
import { type Harness, startHarness } from '../harness'
import { type SvmHarness, startSvmHarness } from '../svm-harness'
import { createEvmStage, type EvmPlan, evmPlan } from './evm-payments'
import { tries } from './runs'
import { createSvmStage, type SvmPlan, svmPlan } from './svm-payments'

type Json = Record<string, unknown>

/** A harness for a group of tests, and what a judge said of the bodies of so many payments of any kind. */
type AnyPayment<Opened> = {
  harness: Opened
  saidOf: (judge: (body: Json) => Promise<string>, runs: number) => Promise<Set<string>>
}

/** Any payments on EVM networks, for a group of tests. */
export const anyEvmPayment = (): AnyPayment<Harness> => anyPayment(() => startHarness(), createEvmStage, evmPlan)

/** Any payments on Solana, for a group of tests. */
export const anySvmPayment = (): AnyPayment<SvmHarness> =>
  anyPayment(() => startSvmHarness({ mainnet: true }), createSvmStage, svmPlan)

function anyPayment<Opened extends { close(): unknown }, Plan extends EvmPlan | SvmPlan>(
  open: () => Promise<Opened>,
  stageOf: (harness: Opened) => Promise<(plan: Plan) => Promise<Json>>,
  plans: fc.Arbitrary<Plan>,
): AnyPayment<Opened> {
  const harness = fixture(open)
  let bodyOf: (plan: Plan) => Promise<Json>
  beforeAll(async () => {
    bodyOf = await stageOf(harness)
  })
  return {
    harness,
    async saidOf(judge, runs) {
      const said = new Set<string>()
      const property = fc.asyncProperty(plans, async (plan) => {
        said.add(await judge(await bodyOf(plan)))
      })
      await fc.assert(property, tries(runs))
      return said
    },
  }
}
