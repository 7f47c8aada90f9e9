import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { officiallySettled, officiallyVerified, settled, type Verdict, verified } from '../money/fuzz/verdicts'
import { fundedKey } from '../support/chain/funded-key'
import {
  FACTORIES,
  FACTORY,
  HOSTILE_FACTORY,
  hostileEnd,
  placeFactories,
  UNLISTED_FACTORY,
  undeployed,
} from '../support/chain/undeployed'
import { fixture } from '../support/fixture'
import { officialSigner } from '../support/nodes/official-facilitator'
import { v2Body } from '../support/payloads/payments'
import { startHarness } from '../support/service/harness'
import { newClient } from '../support/service/surface'

const stage = fixture(async () => {
  const harness = await startHarness({ env: FACTORIES })
  await placeFactories(harness.chain)
  const signer = officialSigner({ chainId: 84532, chainUrl: harness.chain.url, key: await fundedKey(harness.chain) })
  const scheme = new ExactEvmScheme(signer, { eip6492AllowedFactories: [FACTORY, HOSTILE_FACTORY] })
  return { harness, official: new x402Facilitator().register('eip155:84532', scheme), close: harness.close }
})

type Both = { ours: Verdict; official: Verdict }
type Case = { name: string; verify: Both; settle: Both; make: () => Promise<Record<string, unknown>> }

const same = (verdict: Verdict): Both => ({ ours: verdict, official: verdict })
const other = privateKeyToAccount(generatePrivateKey())
const paying = async (
  options: Parameters<typeof undeployed>[1],
  ...change: Parameters<Awaited<ReturnType<typeof undeployed>>['pay']>
) => v2Body(await (await undeployed(stage.harness.chain, options)).pay(...change))

const SIMULATION = 'invalid_exact_evm_transaction_simulation_failed'
const FAILED = 'smart_wallet_deployment_failed'

const cases: Case[] = [
  { name: 'that signed', make: () => paying({}), verify: same('valid'), settle: same('valid') },
  {
    name: 'of another factory',
    make: () => paying({ factory: UNLISTED_FACTORY }),
    verify: same('eip6492_factory_not_allowed'),
    settle: same('eip6492_factory_not_allowed'),
  },
  {
    name: 'that pays another payee',
    make: () => paying({}, { to: other.address }),
    verify: same('invalid_exact_evm_recipient_mismatch'),
    settle: same('invalid_exact_evm_recipient_mismatch'),
  },
  {
    name: 'without money',
    make: () => paying({ balance: 0n }),
    verify: same('invalid_exact_evm_insufficient_balance'),
    settle: same('invalid_exact_evm_insufficient_balance'),
  },
  {
    name: 'whose owner did not sign',
    make: () => paying({}, {}, other),
    verify: { ours: 'invalid_exact_evm_signature', official: SIMULATION },
    settle: same('invalid_exact_evm_signature'),
  },
  {
    name: 'whose factory reverts',
    make: () => paying({ factory: HOSTILE_FACTORY, creation: hostileEnd('fail') }),
    verify: { ours: FAILED, official: SIMULATION },
    settle: { ours: FAILED, official: 'invalid_exact_evm_transaction_failed' },
  },
  {
    name: 'whose factory deploys nothing',
    make: () => paying({ factory: HOSTILE_FACTORY, creation: hostileEnd('createNothing') }),
    verify: { ours: FAILED, official: SIMULATION },
    settle: { ours: FAILED, official: 'invalid_exact_evm_signature' },
  },
]

test.each(cases)('both facilitators on a wallet $name that is not deployed', async ({ make, verify, settle }) => {
  const { harness, official } = stage
  const ours = () => newClient(harness.app)
  const [body, mine, theirs] = [await make(), await make(), await make()]
  expect({ ours: await verified(ours(), body), official: await officiallyVerified(official, body) }).toEqual(verify)
  expect({ ours: await settled(ours(), mine), official: await officiallySettled(official, theirs) }).toEqual(settle)
})
