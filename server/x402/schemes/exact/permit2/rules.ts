import { toHex } from 'viem'
import type { Permit2Payment } from '../../../payment'
import type { Reason } from '../../../reasons/reasons'
import type { EvmRule, StateRule } from '../../evm-method'
import { EXACT_PROXY } from '../../permit2/contracts'
import { permitHasher } from '../../permit2/hash'
import { moneyRules, partyRules, stateRulesFor, timeRules } from '../../permit2/rules'
import { sponsoringRules } from '../../permit2/sponsoring'
import type { Permit2Authorization } from '../../permit2/transfers'
import { areExact } from '../scheme'

/** The EIP-712 hash that the payer signed. */
export const permitHash = permitHasher<Permit2Authorization>('Witness(address to,uint256 validAfter)', ({ to, validAfter }) => [
  to,
  toHex(validAfter),
])

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
  ...partyRules(EXACT_PROXY),
] as const satisfies readonly EvmRule<Permit2Payment>[]

/** The rules before the signature, in the official order. */
export const formRules = [...form, ...timeRules, ...moneyRules] as const

/** The rules after the signature: what a payer without an allowance must have sent along. */
export const termRules = sponsoringRules

/** The rules that time cannot change. */
export const timelessRules: readonly EvmRule<Permit2Payment>[] = [...form, ...moneyRules]

const state = stateRulesFor<Permit2Payment>(({ transfer }) => transfer.authorization.value)

/** The rules about the chain's state, in the official order. */
export const stateRules = [...state.money, state.simulation] as const satisfies readonly StateRule<Permit2Payment>[]
