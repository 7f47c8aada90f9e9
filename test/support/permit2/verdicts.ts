import { type Hex, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { hostileModes } from '../../../devnet/abi'
import type { Verdict } from '../../money/fuzz/verdicts'
import { highS } from '../payloads/forge'
import { PAY_TO } from '../payloads/payments'
import { compact, type Permit2Change, type Permit2Forge, type Permit2Payment } from './permit2'

/**
 * A payment by Permit2 and what the official facilitator answers; settle's verdict only where it is another one. `ours`: what we answer
 * instead; without it our verify agrees, and our settle with our verify.
 */
export type Permit2Case = {
  name: string
  make: (forge: Permit2Forge) => Promise<Permit2Payment>
  verify: Verdict
  settle?: Verdict
  ours?: Ours
}

/** Our verdicts where they differ, and why; settle's only where it differs from verify's. */
type Ours = { verify: Verdict; settle?: Verdict; why: string }

export const other = privateKeyToAccount(generatePrivateKey())
export const later = (): bigint => BigInt(Math.floor(Date.now() / 1_000))
export const FAILED = 'invalid_exact_evm_transaction_failed'
const MISMATCH = 'invalid_exact_evm_transfer_event_mismatch'
/** The form that ERC-6492 gives to the signature of a wallet without code. */
const wrapped = (signature: Hex): Hex => serializeErc6492Signature({ address: PAY_TO, data: '0x', signature })
/** A verdict on a payment that settle, which simulates nothing, sends and sees fail while it estimates the gas. */
export const unsent = (verify: Verdict, settle: Verdict = FAILED) => ({ verify, settle })
const paid = (name: string, change: Permit2Change, verify: Verdict, ours?: Ours): Permit2Case => ({
  name,
  verify,
  make: (f) => f.paying(change),
  ...(ours ? { ours } : {}),
})
export const differently = (verify: Verdict, why: string, settle = verify): { ours: Ours } => ({ ours: { verify, why, settle } })

const UNREADABLE = 'We refuse unreadable input before judging. The official one throws (a 500).'
const LOGS = 'Success needs the logs of exactly this transfer. The official one reads no log.'

/** The payment itself, in the order in which its fields are judged. */
export const paymentCases: Permit2Case[] = [
  { name: 'good', make: (f) => f.paying(), verify: 'valid' },
  { name: 'made by the official client', make: (f) => f.officially(), verify: 'valid' },
  {
    name: 'payer, payee and token in lower case',
    make: async (f) => {
      const token = (await f.usual()).toLowerCase()
      return f.paying({ requirements: { asset: token, payTo: PAY_TO.toLowerCase() }, signed: { to: PAY_TO } })
    },
    verify: 'valid',
  },
  paid('accepted on another network', { accepted: { network: 'eip155:8453' } }, 'invalid_exact_evm_network_mismatch'),
  paid('accepted in another scheme', { accepted: { scheme: 'upto' } }, 'unsupported_payload_type'),
  paid('for another spender', { signed: { spender: PAY_TO } }, 'invalid_permit2_spender'),
  paid('to another payee', { signed: { to: other.address } }, 'invalid_permit2_recipient_mismatch'),
  paid('over', { signed: { deadline: later() - 5n } }, 'permit2_deadline_expired'),
  paid('over in three seconds', { signed: { deadline: later() + 3n } }, 'permit2_deadline_expired'),
  paid('not valid yet', { signed: { validAfter: later() + 600n } }, 'permit2_not_yet_valid'),
  paid('of less', { signed: { amount: 999n } }, 'permit2_amount_mismatch'),
  paid('of more', { signed: { amount: 1_001n } }, 'permit2_amount_mismatch'),
  paid('of another token', { signed: { token: other.address } }, 'permit2_token_mismatch'),
  paid(
    'of a token that is no contract',
    { token: other.address, balance: 0n, approved: false, signer: other },
    'asset_not_deployed_contract',
    differently(
      'invalid_permit2_signature',
      'We serve tokens with code only, so the signature is checked first, without a chain call.',
    ).ours,
  ),
  paid('signed by another key', { signer: other }, 'invalid_permit2_signature'),
  paid('signed for another chain', { signed: { chainId: 1 } }, 'invalid_permit2_signature'),
  paid('without a signature', { signature: () => '0x' }, 'invalid_permit2_signature'),
  paid('with a signature of 64 bytes', { signature: compact }, 'invalid_permit2_signature'),
  paid(
    'with the high s of its signature',
    { signature: highS },
    'valid',
    differently(
      'invalid_permit2_signature',
      'A signature with a high s is another spelling of a known one. No wallet makes it, and no other method takes it.',
    ).ours,
  ),
  {
    name: 'with 0 or 1 for v',
    make: (f) => f.paying({ signature: (good) => `${good.slice(0, -2)}${good.endsWith('1b') ? '00' : '01'}` as typeof good }),
    ...unsent('permit2_simulation_failed'),
    ...differently('valid', 'Some key services write a v of 0 or 1. We change it to 27 or 28 before we send.'),
  },
  paid('of a smart wallet', { payer: 'wallet' }, 'valid'),
  paid('of a smart wallet, signed by another key', { payer: 'wallet', signer: other }, 'invalid_permit2_signature'),
  paid(
    'of a smart wallet, with the signature that it would have without code',
    { payer: 'wallet', signature: wrapped },
    'invalid_permit2_signature',
    differently('valid', 'ERC-6492 lets a wallet wrap its signatures after its deployment too. We unwrap them.').ours,
  ),
  paid(
    'of a key, with the signature of a smart wallet without code',
    { signature: wrapped },
    'invalid_permit2_signature',
    differently('eip6492_factory_not_allowed', 'The reason that the same signature has in an EIP-3009 payment.').ours,
  ),
  paid('of a delegated key', { payer: 'delegated key' }, 'valid'),
  paid('of a delegated key, signed by another one', { payer: 'delegated key', signer: other }, 'invalid_permit2_signature'),
  paid(
    'without an amount',
    { authorization: { permitted: { token: other.address } } },
    'throws',
    differently('400 invalid_payload', UNREADABLE).ours,
  ),
  paid(
    'with a nonce in words',
    { authorization: { nonce: 'seven' } },
    'throws',
    differently('400 invalid_payload', UNREADABLE).ours,
  ),
  { name: 'without money', make: (f) => f.paying({ balance: 0n }), ...unsent('permit2_insufficient_balance') },
  { name: 'without an approval', make: (f) => f.paying({ approved: false }), ...unsent('permit2_allowance_required') },
  {
    name: 'without money and approval',
    make: (f) => f.paying({ balance: 0n, approved: false }),
    ...unsent('permit2_insufficient_balance'),
  },
  {
    name: 'of nothing',
    make: (f) => f.paying({ signed: { amount: 0n }, requirements: { amount: '0' } }),
    ...unsent('permit2_simulation_failed', 'permit2_invalid_amount'),
    ...differently('400 invalid_payment_requirements', 'We accept no payment below the minimum. That needs no judgement.'),
  },
]

const lying = (mode: keyof typeof hostileModes) => async (f: Permit2Forge) => f.paying({ token: await f.lying(mode) })

/** Payments in tokens that lie. The official facilitator looks at no log, so it calls some payments a success that moved nothing. */
export const tokenCases: Permit2Case[] = [
  { name: 'that is honest', make: lying('honest'), verify: 'valid' },
  { name: 'whose transferFrom returns false', make: lying('returnsFalse'), ...unsent('permit2_simulation_failed') },
  {
    name: 'that moves nothing and logs nothing',
    make: lying('silent'),
    verify: 'valid',
    ...differently('valid', LOGS, MISMATCH),
  },
  { name: 'that takes a fee', make: lying('takesFee'), verify: 'valid', ...differently('valid', LOGS, MISMATCH) },
  { name: 'that logs more', make: lying('logsMore'), verify: 'valid', ...differently('valid', LOGS, MISMATCH) },
  { name: 'that reverts', make: lying('reverts'), ...unsent('permit2_simulation_failed') },
  {
    name: 'that reverts where gas is paid for',
    make: lying('revertsWherePaid'),
    ...unsent('valid'),
    ...differently('valid', 'Settle sends what verify found valid, and both see the revert.', FAILED),
  },
]
