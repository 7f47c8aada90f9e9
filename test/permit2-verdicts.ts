import { declareEip2612GasSponsoringExtension, declareErc20ApprovalGasSponsoringExtension } from '@x402/extensions'
import { type Hex, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { hostileModes } from '../devnet/abi'
import { exactProxyAddress } from '../devnet/networks'
import { highS } from './forge'
import type { Verdict } from './fuzz/verdicts'
import { PAY_TO } from './harness'
import { approval, compact, type Permit2Change, type Permit2Forge, type Permit2Payment } from './permit2'

/** A payment by Permit2 and what the official facilitator answers; settle's verdict only where it is another one. */
export type Permit2Case = {
  name: string
  make: (forge: Permit2Forge) => Promise<Permit2Payment>
  verify: Verdict
  settle?: Verdict
}

const other = privateKeyToAccount(generatePrivateKey())
const later = (): bigint => BigInt(Math.floor(Date.now() / 1_000))
const FAILED = 'invalid_exact_evm_transaction_failed'
/** The form that ERC-6492 gives to the signature of a wallet without code. */
const wrapped = (signature: Hex): Hex => serializeErc6492Signature({ address: PAY_TO, data: '0x', signature })
/** A verdict on a payment that settle, which simulates nothing, sends and sees fail while it estimates the gas. */
const unsent = (verify: Verdict, settle: Verdict = FAILED) => ({ verify, settle })
const paid = (name: string, change: Permit2Change, verify: Verdict): Permit2Case => ({
  name,
  make: (f) => f.paying(change),
  verify,
})

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
  ),
  paid('signed by another key', { signer: other }, 'invalid_permit2_signature'),
  paid('signed for another chain', { signed: { chainId: 1 } }, 'invalid_permit2_signature'),
  paid('without a signature', { signature: () => '0x' }, 'invalid_permit2_signature'),
  paid('with a signature of 64 bytes', { signature: compact }, 'invalid_permit2_signature'),
  paid('with the high s of its signature', { signature: highS }, 'valid'),
  {
    name: 'with 0 or 1 for v',
    make: (f) => f.paying({ signature: (good) => `${good.slice(0, -2)}${good.endsWith('1b') ? '00' : '01'}` as typeof good }),
    ...unsent('permit2_simulation_failed'),
  },
  paid('of a smart wallet', { payer: 'wallet' }, 'valid'),
  paid('of a smart wallet, signed by another key', { payer: 'wallet', signer: other }, 'invalid_permit2_signature'),
  paid(
    'of a smart wallet, with the signature that it would have without code',
    { payer: 'wallet', signature: wrapped },
    'invalid_permit2_signature',
  ),
  paid('of a key, with the signature of a smart wallet without code', { signature: wrapped }, 'invalid_permit2_signature'),
  paid('of a delegated key', { payer: 'delegated key' }, 'valid'),
  paid('of a delegated key, signed by another one', { payer: 'delegated key', signer: other }, 'invalid_permit2_signature'),
  paid('without an amount', { authorization: { permitted: { token: other.address } } }, 'throws'),
  paid('with a nonce in words', { authorization: { nonce: 'seven' } }, 'throws'),
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
  },
]

const sponsored = (f: Permit2Forge, extensions: ReturnType<Permit2Forge['permitting']>) =>
  f.paying({ approved: false, extensions })
const permit =
  (...change: Parameters<Permit2Forge['permitting']>) =>
  (f: Permit2Forge) =>
    sponsored(f, f.permitting(...change))

/** Payments with a signed permit (`eip2612GasSponsoring`), in the order of its checks. Settle looks at no field of it. */
export const permitCases: Permit2Case[] = [
  { name: 'good', make: permit(), verify: 'valid' },
  {
    name: 'made by the official client',
    make: (f) => f.officially({ approved: false }, declareEip2612GasSponsoringExtension()),
    verify: 'valid',
  },
  {
    name: 'only offered: the official client of a payer who has approved repeats the offer',
    make: (f) => f.officially({}, declareEip2612GasSponsoringExtension()),
    verify: 'valid',
  },
  { name: 'of a payer who has approved', make: (f) => f.paying({ extensions: f.permitting() }), verify: 'valid' },
  {
    name: 'for a token without permits',
    make: async (f) => f.paying({ token: await f.token('plain'), approved: false, extensions: f.permitting() }),
    ...unsent('permit2_allowance_required'),
  },
  { name: 'without an amount', make: permit({}, { amount: undefined }), ...unsent('permit2_allowance_required') },
  {
    name: 'with an amount in hex',
    make: permit({}, { amount: '0x3e8' }),
    verify: 'invalid_eip2612_extension_format',
    settle: 'valid',
  },
  {
    name: 'with a version in words',
    make: permit({}, { version: 'one' }),
    verify: 'invalid_eip2612_extension_format',
    settle: 'valid',
  },
  { name: 'of another account', make: permit({}, { from: other.address }), verify: 'eip2612_from_mismatch', settle: 'valid' },
  { name: 'for another token', make: permit({}, { asset: other.address }), verify: 'eip2612_asset_mismatch', settle: 'valid' },
  {
    name: 'for another spender',
    make: permit({ spender: exactProxyAddress }),
    ...unsent('eip2612_spender_not_permit2'),
  },
  { name: 'that is over', make: permit({ deadline: later() - 5n }), ...unsent('eip2612_deadline_expired') },
  {
    name: 'of another amount',
    make: permit({ value: 5_000n }),
    ...unsent('permit2_allowance_required', 'permit2_2612_amount_mismatch'),
  },
  { name: 'with another nonce', make: permit({ nonce: 3n }), ...unsent('permit2_allowance_required') },
  { name: 'with a signature of 2 bytes', make: permit({}, { signature: '0x1234' }), ...unsent('permit2_allowance_required') },
  {
    name: 'with a bad signature, of a payer who has approved',
    make: (f) => f.paying({ extensions: f.permitting({ nonce: 3n }) }),
    verify: 'valid',
  },
  {
    name: 'of a payer without money',
    make: (f) => f.paying({ balance: 0n, approved: false, extensions: f.permitting() }),
    ...unsent('permit2_insufficient_balance'),
  },
]

const approving =
  (...change: Parameters<Permit2Forge['approving']>) =>
  (f: Permit2Forge) =>
    sponsored(f, f.approving(...change))

/** Payments with a signed approval (`erc20ApprovalGasSponsoring`), in the order of its checks. Settle looks at no field of it. */
export const approvalCases: Permit2Case[] = [
  { name: 'good', make: approving(), verify: 'valid' },
  {
    name: 'made by the official client',
    make: async (f) =>
      f.officially({ token: await f.token('plain'), approved: false }, declareErc20ApprovalGasSponsoringExtension()),
    verify: 'valid',
  },
  { name: 'of less gas than its token needs', make: approving({ gas: 30_000n }), verify: 'valid', settle: FAILED },
  {
    name: 'without a transaction',
    make: approving({}, { signedTransaction: undefined }),
    ...unsent('permit2_allowance_required'),
  },
  {
    name: 'with an amount in hex',
    make: approving({}, { amount: '0x3e8' }),
    verify: 'invalid_erc20_approval_extension_format',
    settle: 'valid',
  },
  {
    name: 'of another account',
    make: approving({}, { from: other.address }),
    verify: 'erc20_approval_from_mismatch',
    settle: 'valid',
  },
  {
    name: 'for another token',
    make: approving({}, { asset: other.address }),
    verify: 'erc20_approval_asset_mismatch',
    settle: 'valid',
  },
  {
    name: 'for another spender in its fields',
    make: approving({}, { spender: other.address }),
    verify: 'erc20_approval_spender_not_permit2',
    settle: 'valid',
  },
  { name: 'that calls another contract', make: approving({ to: other.address }), ...unsent('erc20_approval_tx_wrong_target') },
  { name: 'that calls another function', make: approving({ data: '0xa9059cbb' }), ...unsent('erc20_approval_tx_wrong_selector') },
  {
    name: 'for another spender in its call',
    make: approving({ data: approval(PAY_TO) }),
    ...unsent('erc20_approval_tx_wrong_spender'),
  },
  { name: 'with half a call', make: approving({ data: '0x095ea7b3' }), ...unsent('erc20_approval_tx_invalid_calldata') },
  { name: 'signed by another key', make: approving({ signer: other }), ...unsent('erc20_approval_tx_signer_mismatch') },
  {
    name: 'that is no transaction',
    make: approving({}, { signedTransaction: '0x1234' }),
    ...unsent('erc20_approval_tx_parse_failed'),
  },
]

const lying = (mode: keyof typeof hostileModes) => async (f: Permit2Forge) => f.paying({ token: await f.lying(mode) })

/** Payments in tokens that lie. The official facilitator looks at no log, so it calls some payments a success that moved nothing. */
export const tokenCases: Permit2Case[] = [
  { name: 'that is honest', make: lying('honest'), verify: 'valid' },
  { name: 'whose transferFrom returns false', make: lying('returnsFalse'), ...unsent('permit2_simulation_failed') },
  { name: 'that moves nothing and logs nothing', make: lying('silent'), verify: 'valid' },
  { name: 'that takes a fee', make: lying('takesFee'), verify: 'valid' },
  { name: 'that logs more', make: lying('logsMore'), verify: 'valid' },
  { name: 'that reverts', make: lying('reverts'), ...unsent('permit2_simulation_failed') },
  { name: 'that reverts where gas is paid for', make: lying('revertsWherePaid'), verify: 'valid', settle: FAILED },
]
