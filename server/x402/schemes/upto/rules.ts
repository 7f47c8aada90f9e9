import { toHex } from 'viem'
import type { Payment, UptoPayment } from '../../payment'
import type { Reason } from '../../reasons/reasons'
import type { EvmRule, StateRule } from '../evm-method'
import { UPTO_PROXY } from '../permit2/contracts'
import { permitHasher } from '../permit2/hash'
import { moneyRules, partyRules, stateRulesFor, timeRules } from '../permit2/rules'
import { sponsoringRules } from '../permit2/sponsoring'
import { UPTO } from './scheme'
import type { UptoAuthorization } from './transfers'

/** The EIP-712 hash that the payer signed. */
export const permitHash = permitHasher<UptoAuthorization>(
  'Witness(address to,address facilitator,uint256 validAfter)',
  ({ to, facilitator, validAfter }) => [to, facilitator, toHex(validAfter)],
)

/** What a settlement moves: the charge, or the maximum while there is none. A charge of 0 is judged at the maximum. */
export function movedBy({ charge, transfer }: Pick<UptoPayment, 'charge' | 'transfer'>): bigint {
  const { value } = transfer.authorization
  return charge === undefined || charge === 0n || charge > value ? value : charge
}

const always = (reason: Reason) => () => reason

const areUpto = ({ scheme, claimed }: Pick<Payment, 'scheme' | 'claimed'>) => scheme === UPTO && claimed.scheme === UPTO

/** The rules of a payment that no method can read. */
export const unreadRules = [
  {
    name: 'payload_type',
    reason: always('unsupported_payload_type'),
    broken: (payment) => payment.transfer.kind === 'other' && (payment.transfer.payload !== 'permit2' || areUpto(payment)),
  },
  { name: 'scheme', reason: always('invalid_upto_evm_scheme'), broken: (payment) => !areUpto(payment) },
] as const satisfies readonly EvmRule<Payment>[]

const form = [
  { name: 'scheme', reason: always('invalid_upto_evm_scheme'), broken: (payment) => !areUpto(payment) },
  {
    name: 'network',
    reason: always('invalid_upto_evm_network_mismatch'),
    broken: ({ claimed, network }) => claimed.network !== network,
  },
  ...partyRules(UPTO_PROXY),
  {
    name: 'sender',
    reason: always('upto_facilitator_mismatch'),
    broken: ({ transfer }) => transfer.ours === false,
  },
] as const satisfies readonly EvmRule<UptoPayment>[]

/** The rules before the signature, in the official order. */
export const formRules = [...form, ...timeRules, ...moneyRules] as const

/** The rules after the signature: what a payer without an allowance must have sent along. */
export const termRules = sponsoringRules

/** The rules that time cannot change. */
export const timelessRules: readonly EvmRule<UptoPayment>[] = [...form, ...moneyRules]

const state = stateRulesFor<UptoPayment>(movedBy)

/** The rules about the chain's state, in the official order. */
export const stateRules = [
  ...state.money,
  {
    name: 'charge',
    reason: 'invalid_upto_evm_payload_settlement_exceeds_amount',
    broken: ({ charge, transfer }) => charge !== undefined && charge > transfer.authorization.value,
  },
  state.simulation,
] as const satisfies readonly StateRule<UptoPayment>[]
