import { x402Facilitator } from '@x402/core/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { fundedKey } from '../../support/chain/funded-key'
import { fixture } from '../../support/fixture'
import { officialSigner } from '../../support/nodes/official-facilitator'
import { startHarness } from '../../support/service/harness'
import { newClient } from '../../support/service/surface'
import type { Difference } from './differences'
import { explained, explaining } from './explaining'
import { tries } from './runs'
import { soundUptoPlan, type UptoPlan, uptoBodies, uptoPlan } from './upto-payments'
import { officiallySettled, officiallyVerified, settled, type Verdict, verified } from './verdicts'

type Needs = (plan: UptoPlan) => boolean

const row = (
  ours: Verdict,
  official: Verdict,
  why: string,
  example: Partial<UptoPlan>,
  needs: Needs = () => true,
): Difference<UptoPlan> => ({ ours, official, why, example, needs })

const SPELLING = 'docs/differences.md has a row for this spelling of a signature.'
const UNREADABLE = 'We refuse unreadable input before judging.'
const isSpelled =
  (wanted: UptoPlan['spelling']): Needs =>
  ({ spelling }) =>
    spelling === wanted

const isUnread: Needs = ({ form }) => form === 'no deadline' || form === 'no facilitator'

const tooMuch = (official: Verdict, { spelling, ...example }: Pick<UptoPlan, 'spelling'> & Partial<UptoPlan>) =>
  row(
    'invalid_upto_evm_payload_settlement_exceeds_amount',
    official,
    SPELLING,
    { surface: 'settle', charge: 'more', spelling, ...example },
    isSpelled(spelling),
  )

/** The differences of docs/differences.md that a plan can reach, by verdict. */
const differences: Difference<UptoPlan>[] = [
  row('400 invalid_payload', 'throws', UNREADABLE, { form: 'an amount in words' }),
  row('400 invalid_payload', 'goes on', UNREADABLE, { form: 'an amount in words', spender: 'other' }),
  row(
    '400 invalid_payment_requirements',
    'goes on',
    'Only what is read as a payment by upto may charge less than the minimum.',
    { surface: 'settle', charge: 'nothing', claimed: 'another scheme' },
    (plan) => plan.surface === 'settle' && plan.charge === 'nothing' && (plan.claimed === 'another scheme' || isUnread(plan)),
  ),
  row(
    'invalid_upto_evm_scheme',
    'unsupported_payload_type',
    'We read a payload as the scheme that it claims.',
    { claimed: 'another scheme', form: 'no deadline' },
    (plan) => plan.claimed === 'another scheme' && isUnread(plan),
  ),
  row('permit2_invalid_nonce', 'permit2_simulation_failed', 'The official one does not read the nonce.', { payer: 'spent' }),
  row('eip6492_factory_not_allowed', 'invalid_permit2_signature', SPELLING, { spelling: 'wrapped for a factory' }),
  row('invalid_permit2_signature', 'goes on', SPELLING, { spelling: 'high s' }, isSpelled('high s')),
  row(
    'invalid_permit2_signature',
    'invalid_upto_evm_payload_settlement_exceeds_amount',
    SPELLING,
    { surface: 'settle', charge: 'more', spelling: 'high s' },
    isSpelled('high s'),
  ),
  row('valid', 'permit2_simulation_failed', SPELLING, { spelling: 'v of 0 or 1' }, isSpelled('v of 0 or 1')),
  row('valid', 'invalid_permit2_signature', SPELLING, { spelling: 'wrapped for a factory', payer: 'coded' }),
  // The charge comes after the signature.
  tooMuch('permit2_simulation_failed', { spelling: 'v of 0 or 1' }),
  tooMuch('invalid_permit2_signature', { spelling: 'wrapped for a factory', payer: 'coded' }),
  row(
    'valid',
    'permit2_insufficient_balance',
    'Settle asks whether the payer can pay the charge, not the maximum.',
    { surface: 'settle', payer: 'short' },
    ({ surface, payer, charge }) => surface === 'settle' && payer === 'short' && charge === 'a part',
  ),
]

/** Both facilitators on one chain, compared over generated payments and charges. */
export function comparedUpto() {
  const stage = fixture(async () => {
    const harness = await startHarness()
    const signer = officialSigner({
      chainId: 84532,
      chainUrl: harness.chain.url,
      key: await fundedKey(harness.chain),
      pollingIntervalMs: 20,
    })
    const official = new x402Facilitator().register('eip155:84532', new UptoEvmScheme(signer))
    const [theirs = '0x'] = signer.getAddresses()
    const ours = privateKeyToAccount(`0x${harness.env.EVM_SANDBOX_SIGNER_KEYS?.replace(/^0x/, '')}`).address
    const bodyOf = { ours: uptoBodies(harness.chain, () => ours), theirs: uptoBodies(harness.chain, () => theirs) }
    return { ...harness, official, bodyOf }
  })

  /** Both verdicts, ours first. */
  async function verdictsOf(plan: UptoPlan): Promise<[Verdict, Verdict]> {
    const [mine, theirs] = [await stage.bodyOf.ours(plan), await stage.bodyOf.theirs(plan)]
    const [judge, officialJudge] = plan.surface === 'verify' ? [verified, officiallyVerified] : [settled, officiallySettled]
    return [await judge(newClient(stage.app), mine), await officialJudge(stage.official, theirs)]
  }

  return {
    /** Throws for a row whose example does not differ, and for a plan of which the verdicts differ without a row. */
    async agree(runs: number): Promise<void> {
      for (const row of differences) {
        const plan = { ...soundUptoPlan, ...row.example }
        const [ours, theirs] = await verdictsOf(plan)
        expect([ours, explaining(differences, plan, ours, theirs).includes(row)]).toEqual([row.ours, true])
      }
      const said = new Set<Verdict>()
      const property = fc.asyncProperty(uptoPlan, async (plan) => {
        said.add(await explained(verdictsOf, differences, plan))
      })
      const sound = [soundUptoPlan, { ...soundUptoPlan, surface: 'settle' as const }]
      await fc.assert(property, { ...tries(runs), examples: sound.map((plan): [UptoPlan] => [plan]) })
      expect([...said]).toContain('valid')
    },
  }
}
