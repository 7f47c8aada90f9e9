import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { fundedKey } from '../../support/chain/funded-key'
import { fixture } from '../../support/fixture'
import { officialSigner } from '../../support/nodes/official-facilitator'
import { serveNoTokens, serveToken } from '../../support/permit2/tokens'
import { startHarness } from '../../support/service/harness'
import { newClient } from '../../support/service/surface'
import type { Difference } from './differences'
import { explained, explaining } from './explaining'
import { createPermit2Stage, type Permit2Plan, permit2Plan, soundPermit2Plan } from './permit2-payments'
import { tries } from './runs'
import { officiallyVerified, type Verdict, verified } from './verdicts'

const SPELLING = 'docs/differences.md has a row for this spelling of a signature.'
const row = (
  ours: Verdict,
  official: Verdict,
  why: string,
  example: Partial<Permit2Plan>,
  needs: (plan: Permit2Plan) => boolean = () => true,
): Difference<Permit2Plan> => ({ ours, official, why, example, needs })

/** The differences of docs/differences.md that a plan can reach, by verdict. */
const differences: Difference<Permit2Plan>[] = [
  row('400 invalid_payload', 'throws', 'We refuse unreadable input before judging.', { form: 'an amount in words' }),
  row('400 invalid_payload', 'goes on', 'We refuse unreadable input before judging.', {
    form: 'an amount in words',
    to: 'other',
  }),
  row('permit2_invalid_nonce', 'permit2_simulation_failed', 'The official one does not read the nonce.', { payer: 'spent' }),
  row('eip6492_factory_not_allowed', 'invalid_permit2_signature', SPELLING, { spelling: 'wrapped for a factory' }),
  row('invalid_permit2_signature', 'goes on', SPELLING, { spelling: 'high s' }, ({ spelling }) => spelling === 'high s'),
  row('valid', 'permit2_simulation_failed', SPELLING, { spelling: 'v of 0 or 1' }, ({ spelling }) => spelling === 'v of 0 or 1'),
  // We accept this signature, so a permit that comes with the payment is judged too.
  ...(
    [
      ['valid', 'none'],
      ['eip2612_from_mismatch', 'permit'],
      ['invalid_eip2612_extension_format', 'permit in a bad form'],
    ] as const
  ).map(([ours, sponsoring]) =>
    row(
      ours,
      'invalid_permit2_signature',
      SPELLING,
      { spelling: 'wrapped for a factory', payer: 'coded', sponsoring },
      ({ spelling, payer }) => spelling === 'wrapped for a factory' && payer === 'coded',
    ),
  ),
]

/** Both facilitators on one chain, compared over generated payments. */
export function comparedPermit2() {
  const stage = fixture(async () => {
    const harness = await startHarness()
    const signer = officialSigner({ chainId: 84532, chainUrl: harness.chain.url, key: await fundedKey(harness.chain) })
    const official = new x402Facilitator().register('eip155:84532', new ExactEvmScheme(signer))
    return { ...harness, official, ...(await createPermit2Stage(harness.chain)) }
  })
  beforeAll(() => serveToken(stage.token))
  afterAll(() => serveNoTokens())

  /** Both verdicts, ours first. */
  async function verdictsOf(plan: Permit2Plan): Promise<[Verdict, Verdict]> {
    const body = await stage.bodyOf(plan)
    return Promise.all([verified(newClient(stage.app), body), officiallyVerified(stage.official, body)])
  }

  return {
    /** Throws for a row whose example does not differ, and for a plan of which the verdicts differ without a row. */
    async agree(runs: number): Promise<void> {
      for (const row of differences) {
        const plan = { ...soundPermit2Plan, ...row.example }
        const [ours, theirs] = await verdictsOf(plan)
        expect([ours, explaining(differences, plan, ours, theirs).includes(row)]).toEqual([row.ours, true])
      }
      const said = new Set<Verdict>()
      const property = fc.asyncProperty(permit2Plan, async (plan) => {
        said.add(await explained(verdictsOf, differences, plan))
      })
      await fc.assert(property, { ...tries(runs), examples: [[soundPermit2Plan]] })
      expect([...said]).toContain('valid')
    },
  }
}
