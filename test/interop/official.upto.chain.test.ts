import { x402Facilitator } from '@x402/core/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { startChain } from '../../devnet/chain'
import { officiallySettled, officiallyVerified, settled, type Verdict, verified } from '../money/fuzz/verdicts'
import { fundedKey } from '../support/chain/funded-key'
import { fixture } from '../support/fixture'
import { officialSigner } from '../support/nodes/official-facilitator'
import { PAY_TO } from '../support/payloads/payments'
import { createUptoForge, MAXIMUM, type UptoChange, type UptoForge } from '../support/permit2/upto'
import { later, other } from '../support/permit2/verdicts'
import { startHarness } from '../support/service/harness'
import { newClient } from '../support/service/surface'

type Json = Record<string, unknown>

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  const signer = officialSigner({
    chainId: 84532,
    chainUrl: chain.url,
    key: await fundedKey(chain),
    pollingIntervalMs: 20,
  })
  const official = new x402Facilitator().register('eip155:84532', new UptoEvmScheme(signer))
  const [facilitator = '0x'] = signer.getAddresses()
  return { chain, official, facilitator, forge: createUptoForge(chain), close: () => chain.stop() }
})
const own = fixture(async () => {
  const harness = await startHarness()
  const facilitator = privateKeyToAccount(`0x${harness.env.EVM_SANDBOX_SIGNER_KEYS?.replace(/^0x/, '')}`).address
  return { ...harness, facilitator, forge: createUptoForge(harness.chain) }
})

type Judge = {
  forge: () => UptoForge
  facilitator: () => Hex
  verify: (body: Json) => Promise<Verdict>
  settle: (body: Json) => Promise<Verdict>
}

const official: Judge = {
  forge: () => stage.forge,
  facilitator: () => stage.facilitator,
  verify: (body) => officiallyVerified(stage.official, body),
  settle: (body) => officiallySettled(stage.official, body),
}
const ours: Judge = {
  forge: () => own.forge,
  facilitator: () => own.facilitator,
  verify: (body) => verified(newClient(own.app), body),
  settle: (body) => settled(newClient(own.app), body),
}

type Change = Omit<UptoChange, 'facilitator'> & { facilitator?: Hex }
type Case = {
  name: string
  change?: Change
  /** What is charged; a part of the maximum if unset. */
  charge?: bigint
  verify: Verdict
  /** Settle's verdict, where it is another one. */
  settle?: Verdict
  /** Our verdicts where they differ. */
  ours?: { verify: Verdict; settle?: Verdict }
}

const cases: Case[] = [
  { name: 'good', verify: 'valid' },
  { name: 'charged whole', charge: MAXIMUM, verify: 'valid' },
  { name: 'charged nothing', charge: 0n, verify: 'valid' },
  {
    name: 'charged more than was signed',
    charge: MAXIMUM + 1n,
    verify: 'valid',
    settle: 'invalid_upto_evm_payload_settlement_exceeds_amount',
  },
  { name: 'of a smart wallet', change: { wallet: true }, verify: 'valid' },
  { name: 'accepted in another scheme', change: { accepted: { scheme: 'exact' } }, verify: 'invalid_upto_evm_scheme' },
  {
    name: 'accepted on another network',
    change: { accepted: { network: 'eip155:8453' } },
    verify: 'invalid_upto_evm_network_mismatch',
  },
  { name: 'for another spender', change: { signed: { spender: PAY_TO } }, verify: 'invalid_permit2_spender' },
  { name: 'to another payee', change: { signed: { to: other.address } }, verify: 'invalid_permit2_recipient_mismatch' },
  { name: 'for another facilitator', change: { facilitator: PAY_TO }, verify: 'upto_facilitator_mismatch' },
  { name: 'over', change: { signed: { deadline: later() - 5n } }, verify: 'permit2_deadline_expired' },
  { name: 'over in three seconds', change: { signed: { deadline: later() + 3n } }, verify: 'permit2_deadline_expired' },
  { name: 'not valid yet', change: { signed: { validAfter: later() + 600n } }, verify: 'permit2_not_yet_valid' },
  {
    name: 'of less than is asked for',
    change: { requirements: { amount: String(MAXIMUM + 1n) } },
    verify: 'permit2_amount_mismatch',
    // Settle reads the charge there.
    settle: 'valid',
  },
  { name: 'of another token', change: { signed: { token: other.address } }, verify: 'permit2_token_mismatch' },
  { name: 'signed by another key', change: { signer: other }, verify: 'invalid_permit2_signature' },
  { name: 'without a signature', change: { signature: () => '0x' }, verify: 'invalid_permit2_signature' },
  { name: 'of a payer without money', change: { balance: 0n }, verify: 'permit2_insufficient_balance' },
  {
    name: 'of a payer who has the charge and less than the maximum',
    change: { balance: 700n },
    verify: 'permit2_insufficient_balance',
    ours: { verify: 'permit2_insufficient_balance', settle: 'valid' },
  },
  { name: 'without an approval', change: { approved: false }, verify: 'permit2_allowance_required' },
]

const theirs = ({ verify, settle = verify }: Case) => ({ verify, settle })
const mine = ({ ours: differing, verify, settle = verify }: Case) => ({ verify, settle, ...differing })

describe.each([
  { who: 'official', judge: official, said: theirs },
  { who: 'our', judge: ours, said: mine },
])('$who verdict on a payment by upto', ({ judge, said }) => {
  test.each(cases.map((one) => ({ ...one, ...said(one) })))(
    '$name: $verify, $settle',
    async ({ change, charge = 700n, ...row }) => {
      const paying = () => judge.forge().paying({ facilitator: judge.facilitator(), ...change })
      expect(await judge.verify((await paying()).body)).toBe(row.verify)
      expect(await judge.settle((await paying()).charging(charge))).toBe(row.settle)
    },
  )

  test('of the official client is valid', async () => {
    const { body, charging } = await judge.forge().officially({ facilitator: judge.facilitator() })
    expect([await judge.verify(body), await judge.settle(charging(1n))]).toEqual(['valid', 'valid'])
  })
})

test('a second settle and one behind a charge of nothing end as a conflict here; officially one fails and the other pays', async () => {
  const answers = async (judge: Judge, first: bigint) => {
    const { charging } = await judge.forge().paying({ facilitator: judge.facilitator() })
    return [await judge.settle(charging(first)), await judge.settle(charging(700n))]
  }
  expect(await answers(official, 700n)).toEqual(['valid', 'permit2_simulation_failed'])
  expect(await answers(official, 0n)).toEqual(['valid', 'valid'])
  expect(await answers(ours, 700n)).toEqual(['valid', '409 duplicate_settlement'])
  expect(await answers(ours, 0n)).toEqual(['valid', '409 duplicate_settlement'])
})
