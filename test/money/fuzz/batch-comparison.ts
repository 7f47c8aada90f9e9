import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import fc from 'fast-check'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import { createChannelForge } from '../../support/batch-settlement/channels'
import { fundedKey } from '../../support/chain/funded-key'
import { fixture } from '../../support/fixture'
import { officialSigner } from '../../support/nodes/official-facilitator'
import { startHarness } from '../../support/service/harness'
import { newClient } from '../../support/service/surface'
import { type BatchPlan, batchBodies, batchPlan, soundBatchPlan } from './batch-payments'
import type { Difference } from './differences'
import { explained, explaining } from './explaining'
import { tries } from './runs'
import { officiallyVerified, type Verdict, verified } from './verdicts'

const P = 'invalid_batch_settlement_evm_'
const UNREADABLE = 'We refuse unreadable input before judging.'
const SPELLING = 'docs/differences.md has a row for this spelling of a signature.'
const TOKENS = 'We accept only the tokens in /supported.'

const row = (
  ours: Verdict,
  official: Verdict,
  why: string,
  example: Partial<BatchPlan>,
  needs: Difference<BatchPlan>['needs'] = () => true,
): Difference<BatchPlan> => ({ ours, official, why, example, needs })

const isSpelled =
  (wanted: BatchPlan['spelling']): Difference<BatchPlan>['needs'] =>
  ({ kind, spelling }) =>
    kind === 'deposit' && spelling === wanted

/** The differences of docs/differences.md that a plan can reach, by verdict. */
const differences: Difference<BatchPlan>[] = [
  row('400 invalid_payload', 'throws', UNREADABLE, { form: 'an amount in words' }),
  row('400 invalid_payload', 'goes on', UNREADABLE, { form: 'an amount in hex' }),
  row('400 invalid_payment_requirements', 'goes on', TOKENS, { asset: 'other' }),
  row(
    `${P}cumulative_exceeds_balance`,
    'valid',
    'What its payer withdraws covers no voucher.',
    { kind: 'voucher', channel: 'withdrawing', most: 'what is claimed' },
    ({ kind, channel }) => kind === 'voucher' && channel === 'withdrawing',
  ),
  row(
    'valid',
    `${P}channel_id_mismatch`,
    'The official one compares the id of a Permit2 deposit as it is written.',
    { method: 'permit2', id: 'in capitals' },
    ({ id, method }) => id === 'in capitals' && method === 'permit2',
  ),
  row(`${P}eip6492_factory_not_allowed`, 'throws', SPELLING, { spelling: 'an empty wrapper' }),
  row(`${P}receive_authorization_signature`, 'throws', SPELLING, { spelling: 'an empty wrapper', payer: 'coded' }),
  row(`${P}receive_authorization_signature`, 'goes on', SPELLING, { spelling: 'high s' }, isSpelled('high s')),
  row(`${P}permit2_invalid_signature`, 'goes on', SPELLING, { spelling: 'high s', method: 'permit2' }, isSpelled('high s')),
  row('valid', `${P}deposit_simulation_failed`, SPELLING, { spelling: 'v of 0 or 1' }, isSpelled('v of 0 or 1')),
  row(
    'valid',
    `${P}permit2_invalid_signature`,
    SPELLING,
    { spelling: 'wrapped for a factory', method: 'permit2', payer: 'coded' },
    isSpelled('wrapped for a factory'),
  ),
  row(
    `${P}voucher_signature`,
    `${P}permit2_allowance_required`,
    'Without an allowance, a bad voucher comes first.',
    { method: 'permit2', payer: 'unapproved', voucherSigner: 'other key' },
    ({ kind, method }) => kind === 'deposit' && method === 'permit2',
  ),
]

/** Both facilitators on one chain, compared over generated payloads about channels. */
export function comparedBatch() {
  const stage = fixture(async () => {
    const harness = await startHarness()
    const { chain } = harness
    const [receiver, authorizer] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
    const signer = officialSigner({ chainId: 84532, chainUrl: chain.url, key: await fundedKey(chain), pollingIntervalMs: 20 })
    const official = new x402Facilitator().register('eip155:84532', new BatchSettlementEvmScheme(signer))
    const { abi } = artifact('BatchSettlement')
    const bodyOf = batchBodies({
      forge: createChannelForge(chain, receiver.address, authorizer.address, authorizer),
      async withdraw(owner, config, amount) {
        await chain.fund(owner.address, 10n ** 18n)
        const data = encodeFunctionData({ abi, functionName: 'initiateWithdraw', args: [config, amount] })
        const calling = { account: owner, chain: chain.client.chain, to: batchSettlementAddress, data }
        await chain.client.waitForTransactionReceipt({ hash: await chain.client.sendTransaction(calling) })
      },
    })
    return { ...harness, official, bodyOf }
  })

  /** Both verdicts, ours first. */
  async function verdictsOf(plan: BatchPlan): Promise<[Verdict, Verdict]> {
    const body = await stage.bodyOf(plan)
    return [await verified(newClient(stage.app), body), await officiallyVerified(stage.official, body)]
  }

  return {
    /** Throws for a row whose example does not differ, and for a plan of which the verdicts differ without a row. */
    async agree(runs: number): Promise<void> {
      for (const row of differences) {
        const plan = { ...soundBatchPlan, ...row.example }
        const [ours, theirs] = await verdictsOf(plan)
        expect([ours, explaining(differences, plan, ours, theirs).includes(row)]).toEqual([row.ours, true])
      }
      const said = new Set<Verdict>()
      const property = fc.asyncProperty(batchPlan, async (plan) => {
        // Where the official one stops at the spelling of an id or of a wallet's signature, ours finds whatever comes later.
        const isWrapped = plan.spelling === 'wrapped for a factory' && plan.payer === 'coded'
        fc.pre(plan.kind !== 'deposit' || plan.method !== 'permit2' || !(plan.id === 'in capitals' || isWrapped))
        said.add(await explained(verdictsOf, differences, plan))
      })
      const sound = (['deposit', 'voucher', 'refund'] as const).map((kind): [BatchPlan] => [{ ...soundBatchPlan, kind }])
      await fc.assert(property, { ...tries(runs), examples: sound })
      expect([...said]).toContain('valid')
    },
  }
}
