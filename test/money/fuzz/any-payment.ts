import fc from 'fast-check'
import { fixture } from '../../support/fixture'
import { type Harness, startHarness } from '../../support/service/harness'
import type { SvmHarness } from '../../support/svm/harness'
import { createEvmStage, type EvmPlan, evmPlan, soundEvmPlan } from './evm-payments'
import { tries } from './runs'
import { type SvmPlan, soundSvmPlan, startSvmStage, svmPlan } from './svm-payments'

type Json = Record<string, unknown>
type Stage<Opened, Plan> = { harness: Opened; bodyOf: (plan: Plan) => Promise<Json> }

/** A harness for a group of tests, and what a judge said of the bodies of so many payments of any kind, a valid one first. */
type AnyPayment<Opened> = {
  harness: Opened
  saidOf: (judge: (body: Json) => Promise<string>, runs: number) => Promise<Set<string>>
}

/** Any payments on EVM networks, for a group of tests. */
export function anyEvmPayment(): AnyPayment<Harness> {
  return anyPayment(
    async (): Promise<Stage<Harness, EvmPlan>> => {
      const harness = await startHarness()
      return { harness, bodyOf: await createEvmStage(harness) }
    },
    evmPlan,
    soundEvmPlan,
  )
}

/** Any payments on Solana, for a group of tests. */
export const anySvmPayment = (): AnyPayment<SvmHarness> =>
  anyPayment((): Promise<Stage<SvmHarness, SvmPlan>> => startSvmStage(), svmPlan, soundSvmPlan)

function anyPayment<Opened extends { close(): Promise<void> }, Plan>(
  open: () => Promise<Stage<Opened, Plan>>,
  plans: fc.Arbitrary<Plan>,
  sound: Plan,
): AnyPayment<Opened> {
  const stage = fixture(async () => {
    const opened = await open()
    return { ...opened, close: () => opened.harness.close() }
  })
  return {
    get harness() {
      return stage.harness
    },
    async saidOf(judge, runs) {
      const said = new Set<string>()
      const property = fc.asyncProperty(plans, async (plan) => {
        said.add(await judge(await stage.bodyOf(plan)))
      })
      await fc.assert(property, { ...tries(runs), examples: [[sound]] })
      return said
    },
  }
}
