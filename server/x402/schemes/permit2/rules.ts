import { validUntil } from '../../networks/expiry-margin'
import type { AnyPermit2Payment } from '../../payment'
import type { Reason } from '../../reasons/reasons'
import type { EvmRule, State, StateRule } from '../evm-method'

const always = (reason: Reason) => () => reason

/** Who makes the transfer and who gets it, in the official order. */
export const partyRules = (proxy: string) =>
  [
    {
      name: 'spender',
      reason: always('invalid_permit2_spender'),
      broken: ({ transfer }) => transfer.authorization.spender !== proxy,
    },
    {
      name: 'recipient',
      reason: always('invalid_permit2_recipient_mismatch'),
      broken: ({ transfer, payTo }) => transfer.authorization.to !== payTo,
    },
  ] as const satisfies readonly EvmRule<AnyPermit2Payment>[]

/** When it can be used. */
export const timeRules = [
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
] as const satisfies readonly EvmRule<AnyPermit2Payment>[]

/** Over which amount of which token it is. */
export const moneyRules = [
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
] as const satisfies readonly EvmRule<AnyPermit2Payment>[]

/** A payer's own approval is not part of the simulation, so these facts decide beside it. */
const isOpen = ({ transfer }: AnyPermit2Payment, { simulation }: State) =>
  !simulation.ok || transfer.sponsoring?.kind === 'approval'

/**
 * The rules about the chain's state, in the official order, and then the nonce, which the official facilitator does not read. `moved`: what
 * the transfer takes of the payer.
 */
export const stateRulesFor = <P extends AnyPermit2Payment>(moved: (payment: P) => bigint) => ({
  money: [
    { name: 'asset_contract', reason: 'asset_not_deployed_contract', broken: (_, { assetHasCode }) => !assetHasCode },
    // Also where the simulation passed: a call of an account without code succeeds.
    { name: 'proxy', reason: 'permit2_proxy_not_deployed', broken: (_, { hasProxy }) => !hasProxy },
    {
      name: 'balance',
      needs: 'asset_contract',
      reason: 'permit2_insufficient_balance',
      broken: (payment, state) => isOpen(payment, state) && state.balance !== null && state.balance < moved(payment),
    },
    {
      name: 'allowance',
      needs: 'asset_contract',
      reason: 'permit2_allowance_required',
      broken: (payment, { simulation, allowance }) =>
        !simulation.ok && payment.transfer.sponsoring?.kind !== 'approval' && allowance !== null && allowance < moved(payment),
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
      broken: (_: P, { simulation }: State) => !simulation.ok && simulation.message === error,
    })),
  ] as const satisfies readonly StateRule<P>[],
  simulation: {
    name: 'simulation',
    reason: 'permit2_simulation_failed',
    broken: (payment, { simulation, allowance }) => {
      if (simulation.ok) return false
      // Without an allowance it cannot pass yet: the payer's approval is sent first.
      const waits = allowance !== null && allowance < moved(payment)
      if (payment.transfer.sponsoring?.kind === 'approval' && waits) return false
      return simulation.message === '' || `The transfer would fail on chain: ${simulation.message}`
    },
  } as const satisfies StateRule<P>,
})
