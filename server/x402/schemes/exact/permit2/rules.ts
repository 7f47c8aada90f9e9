import { type Hex, toHex } from 'viem'
import { validUntil } from '../../../networks/expiry-margin'
import { networkRow } from '../../../networks/networks'
import type { Permit2Payment } from '../../../payment'
import type { Reason } from '../../../reasons/reasons'
import { hashStruct, hashText, typedDataHash } from '../../evm-hashes'
import type { EvmRule, State, StateRule } from '../../evm-method'
import { areExact } from '../scheme'
import { EXACT_PROXY, PERMIT2 } from './contracts'
import { sponsoringRules } from './sponsoring'

const PERMIT_TYPE = hashText(
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)',
)
const PERMISSIONS_TYPE = hashText('TokenPermissions(address token,uint256 amount)')
const WITNESS_TYPE = hashText('Witness(address to,uint256 validAfter)')
const DOMAIN_TYPE = hashText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
const NAME = hashText('Permit2')

/** Permit2's separators by chain id. */
const separators = new Map<number, Hex>()

/** The EIP-712 hash that the payer signed: Permit2's own domain, with the x402 proxy's witness. */
export function permitHash({ network, transfer: { authorization } }: Permit2Payment): Hex {
  const { token, value, spender, nonce, deadline, to, validAfter } = authorization
  const { chainId } = networkRow(network)
  const separator = separators.get(chainId) ?? hashStruct(DOMAIN_TYPE, [NAME, toHex(chainId), PERMIT2])
  separators.set(chainId, separator)
  const permitted = hashStruct(PERMISSIONS_TYPE, [token, toHex(value)])
  const witness = hashStruct(WITNESS_TYPE, [to, toHex(validAfter)])
  return typedDataHash(separator, hashStruct(PERMIT_TYPE, [permitted, spender, toHex(nonce), toHex(deadline), witness]))
}

const always = (reason: Reason) => () => reason

const form = [
  {
    name: 'scheme',
    reason: always('unsupported_payload_type'),
    broken: (payment) => !areExact(payment),
  },
  {
    name: 'network',
    reason: always('invalid_exact_evm_network_mismatch'),
    broken: ({ claimed, network }) => claimed.network !== network,
  },
  {
    name: 'spender',
    reason: always('invalid_permit2_spender'),
    broken: ({ transfer }) => transfer.authorization.spender !== EXACT_PROXY,
  },
  {
    name: 'recipient',
    reason: always('invalid_permit2_recipient_mismatch'),
    broken: ({ transfer, payTo }) => transfer.authorization.to !== payTo,
  },
] as const satisfies readonly EvmRule<Permit2Payment>[]

const times = [
  {
    name: 'deadline',
    reason: always('permit2_deadline_expired'),
    broken: ({ transfer, network }, { latest }) => transfer.authorization.deadline < validUntil(network, latest),
  },
  {
    name: 'valid_after',
    reason: always('permit2_not_yet_valid'),
    broken: ({ transfer }, { earliest }) => transfer.authorization.validAfter > earliest,
  },
] as const satisfies readonly EvmRule<Permit2Payment>[]

const money = [
  {
    name: 'amount',
    reason: always('permit2_amount_mismatch'),
    broken: ({ transfer, amount }) => transfer.authorization.value !== amount,
  },
  {
    name: 'token',
    reason: always('permit2_token_mismatch'),
    broken: ({ transfer, asset }) => transfer.authorization.token !== asset,
  },
] as const satisfies readonly EvmRule<Permit2Payment>[]

/** The rules before the signature, in the official order. */
export const formRules = [...form, ...times, ...money] as const

/** The rules after the signature: what a payer without an allowance must have sent along. */
export const termRules = sponsoringRules

/** The rules that time cannot change. */
export const timelessRules: readonly EvmRule<Permit2Payment>[] = [...form, ...money]

/** A payer's own approval is not part of the simulation, so these facts decide beside it. */
const isOpen = ({ transfer }: Permit2Payment, { simulation }: State) => !simulation.ok || transfer.sponsoring?.kind === 'approval'

/** The rules about the chain's state, in the official order, and then the nonce, which the official facilitator does not read. */
export const stateRules = [
  { name: 'asset_contract', reason: 'asset_not_deployed_contract', broken: (_, { assetHasCode }) => !assetHasCode },
  // Also where the simulation passed: a call of an account without code succeeds.
  { name: 'proxy', reason: 'permit2_proxy_not_deployed', broken: (_, { hasProxy }) => !hasProxy },
  {
    name: 'balance',
    needs: 'asset_contract',
    reason: 'permit2_insufficient_balance',
    broken: (payment, state) =>
      isOpen(payment, state) && state.balance !== null && state.balance < payment.transfer.authorization.value,
  },
  {
    name: 'allowance',
    needs: 'asset_contract',
    reason: 'permit2_allowance_required',
    broken: ({ transfer }, { simulation, allowance }) =>
      !simulation.ok &&
      transfer.sponsoring?.kind !== 'approval' &&
      allowance !== null &&
      allowance < transfer.authorization.value,
  },
  {
    name: 'nonce',
    reason: 'permit2_invalid_nonce',
    broken: (payment, state) => isOpen(payment, state) && state.used === true,
  },
  {
    name: 'valid_after_in_block',
    reason: 'permit2_payment_too_early',
    broken: (payment, state) => isOpen(payment, state) && payment.transfer.authorization.validAfter > state.blockTime,
  },
  ...(
    [
      ['owner', 'permit2_invalid_owner', 'InvalidOwner'],
      ['destination', 'permit2_invalid_destination', 'InvalidDestination'],
      ['amount_zero', 'permit2_invalid_amount', 'InvalidAmount'],
      ['permit_amount', 'permit2_2612_amount_mismatch', 'Permit2612AmountMismatch'],
    ] as const
  ).map(([name, reason, error]) => ({
    name,
    reason,
    broken: (_: Permit2Payment, { simulation }: State) => !simulation.ok && simulation.message === error,
  })),
  {
    name: 'simulation',
    reason: 'permit2_simulation_failed',
    broken: ({ transfer }, { simulation, allowance }) => {
      if (simulation.ok) return false
      // Without an allowance it cannot pass yet: the payer's approval is sent first.
      const waits = allowance !== null && allowance < transfer.authorization.value
      if (transfer.sponsoring?.kind === 'approval' && waits) return false
      return simulation.message === '' || `The transfer would fail on chain: ${simulation.message}`
    },
  },
] as const satisfies readonly StateRule<Permit2Payment>[]
