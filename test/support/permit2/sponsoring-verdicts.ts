import { declareEip2612GasSponsoringExtension, declareErc20ApprovalGasSponsoringExtension } from '@x402/extensions'
import { exactProxyAddress } from '../../../devnet/networks'
import type { Verdict } from '../../money/fuzz/verdicts'
import { PAY_TO } from '../payloads/payments'
import { approval, type Permit2Forge } from './permit2'
import { differently, later, other, type Permit2Case, paymentCases, tokenCases, unsent } from './verdicts'

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
  {
    name: 'with a signature of 2 bytes',
    make: permit({}, { signature: '0x1234' }),
    ...unsent('permit2_allowance_required'),
    ...differently('invalid_eip2612_extension_format', "The proxy takes a permit only with the 65 bytes of a key's signature."),
  },
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
  {
    name: 'of less gas than its token needs',
    make: approving({ gas: 30_000n }),
    ...unsent('valid'),
    ...differently('erc20_approval_tx_failed', 'We simulate the approval itself, and pay for none that would fail.'),
  },
  {
    name: 'with a fee far above that of the network',
    make: approving({ gwei: '9' }),
    verify: 'valid',
    ...differently('erc20_approval_tx_failed', 'Its payer keeps the ether that it does not use.'),
  },
  {
    name: 'with an access list',
    make: approving({ accessList: [{ address: other.address, storageKeys: [] }] }),
    verify: 'valid',
    ...differently('erc20_approval_tx_failed', 'It may need more gas than it offers, and then no node takes it.'),
  },
  {
    name: 'with a high s',
    make: approving({ highS: true }),
    verify: 'valid',
    ...differently('erc20_approval_tx_invalid_signature', 'No node takes it, and its payer would keep the ether.'),
  },
  {
    name: 'with bytes behind its call',
    make: approving({ data: `${approval()}${'00'.repeat(1_000)}` }),
    verify: 'valid',
    ...differently('erc20_approval_tx_invalid_calldata', 'We pay for the bytes of the call, and for no more.'),
  },
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

/** All payments by Permit2 of which our verdict differs, as rows of docs/differences.md. */
export function permit2Differences(): string[] {
  const groups = { '': paymentCases, 'a permit ': permitCases, 'an approval ': approvalCases, 'a token ': tokenCases }
  return Object.entries(groups).flatMap(([of, cases]) =>
    cases.flatMap(({ name, ours, verify, settle = verify }) => {
      const same = ours?.verify === verify && (ours.settle ?? ours.verify) === settle
      if (!ours || same) return []
      const said = (first: Verdict, second: Verdict) =>
        first === second ? shown(first) : `${shown(first)}, settle ${shown(second)}`
      return [`| ${of}${name} | ${said(ours.verify, ours.settle ?? ours.verify)} | ${said(verify, settle)} | ${ours.why} |`]
    }),
  )
}

const shown = (verdict: Verdict) => (verdict === 'throws' ? verdict : `\`${verdict}\``)
