import { type Hex, toHex } from 'viem'
import { validUntil } from '../../../networks/expiry-margin'
import { assetOn, networkRow } from '../../../networks/networks'
import type { Eip3009Payment, Payment } from '../../../payment'
import type { Reason } from '../../../reasons/reasons'
import { domainSeparator, hashStruct, hashText, typedDataHash } from '../../evm-hashes'
import type { EvmRule, State, StateRule } from '../../evm-method'
import { OTHER_SCHEMES } from '../../scheme-names'
import { areExact } from '../scheme'

/** The EIP-712 hash that the payer signed, under the domain of the requirements. Null without a domain. */
export function authorizationHash(payment: Eip3009Payment): Hex | null {
  const { network, asset, domain } = payment
  if (!domain) return null
  const { from, to, value, validAfter, validBefore, nonce } = payment.transfer.authorization
  const words = [from, to, toHex(value), toHex(validAfter), toHex(validBefore), nonce]
  return typedDataHash(separatorOf({ network, asset, domain }), hashStruct(TRANSFER_TYPE, words))
}

const TRANSFER_TYPE = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

type Domain = { name: string; version: string }

/** The separators of the tokens' own domains, by network and token: nearly every payment uses one. */
const ownSeparators = new Map<string, Hex>()

type Signed = Pick<Eip3009Payment, 'network' | 'asset'> & { domain: Domain }

function separatorOf({ network, asset, domain }: Signed): Hex {
  const { chainId } = networkRow(network)
  if (!namesOwnDomain({ network, asset, domain })) return domainSeparator(chainId, asset, domain)
  const key = `${network} ${asset} ${domain.name} ${domain.version}`
  const known = ownSeparators.get(key) ?? domainSeparator(chainId, asset, domain)
  ownSeparators.set(key, known)
  return known
}

/** Whether the requirements name the domain of the token itself. */
export function namesOwnDomain({ network, asset, domain }: Pick<Eip3009Payment, 'network' | 'asset' | 'domain'>): boolean {
  const own = assetOn(network, asset)?.domain
  return own !== undefined && domain?.name === own.name && domain.version === own.version
}

const always = (reason: Reason) => () => reason

/** The rules before the signature. The order is the official facilitator's: the first broken rule is the reason a caller sees. */
export const formRules = [
  {
    name: 'payload_type',
    reason: always('unsupported_payload_type'),
    broken: ({ transfer }) => transfer.kind === 'other' && transfer.payload === 'permit2',
  },
  { name: 'scheme_served', reason: always('unsupported_scheme'), broken: (payment) => OTHER_SCHEMES.has(payment.scheme) },
  {
    name: 'scheme',
    needs: 'scheme_served',
    reason: always('invalid_exact_evm_scheme'),
    broken: (payment) => !areExact(payment),
  },
  {
    name: 'token_domain',
    reason: always('invalid_exact_evm_missing_eip712_domain'),
    broken: (payment) => payment.domain === null,
  },
  {
    name: 'network',
    reason: always('invalid_exact_evm_network_mismatch'),
    broken: (payment) => payment.claimed.network !== payment.network,
  },
] as const satisfies readonly EvmRule<Payment>[]

const recipient = {
  name: 'recipient',
  reason: always('invalid_exact_evm_recipient_mismatch'),
  broken: ({ transfer, payTo }) => transfer.authorization.to !== payTo,
} as const satisfies EvmRule<Eip3009Payment>

const times = [
  {
    name: 'valid_before',
    reason: always('invalid_exact_evm_payload_authorization_valid_before'),
    broken: ({ transfer, network }, { latest }) => transfer.authorization.validBefore < validUntil(network, latest),
  },
  {
    name: 'valid_after',
    reason: always('invalid_exact_evm_payload_authorization_valid_after'),
    broken: ({ transfer }, { earliest }) => transfer.authorization.validAfter > earliest,
  },
] as const satisfies readonly EvmRule<Eip3009Payment>[]

const money = [
  {
    name: 'amount',
    reason: ({ x402Version }) =>
      x402Version === 1 ? 'invalid_exact_evm_authorization_value' : 'invalid_exact_evm_payload_authorization_value_mismatch',
    broken: ({ transfer, amount }) => transfer.authorization.value !== amount,
  },
  {
    name: 'token_name',
    needs: 'token_domain',
    reason: always('invalid_exact_evm_token_name_mismatch'),
    broken: ({ network, asset, domain }) => domain?.name !== assetOn(network, asset)?.domain.name,
  },
  {
    name: 'token_version',
    needs: 'token_domain',
    reason: always('invalid_exact_evm_token_version_mismatch'),
    broken: ({ network, asset, domain }) => domain?.version !== assetOn(network, asset)?.domain.version,
  },
] as const satisfies readonly EvmRule<Eip3009Payment>[]

/** The rules after the signature, in the official order. */
export const termRules = [recipient, ...times, ...money] as const
/** The rules that time cannot change. */
export const timelessRules: readonly EvmRule<Eip3009Payment>[] = [...formRules, recipient, ...money]

const failing = ({ simulation }: State) => !simulation.ok

/** The rules about the chain's state, in the official order. A transfer that succeeds in the simulation breaks none but the first. */
export const stateRules = [
  { name: 'asset_contract', reason: 'asset_not_deployed_contract', broken: (_, { assetHasCode }) => !assetHasCode },
  {
    name: 'eip3009',
    needs: 'asset_contract',
    reason: 'invalid_exact_evm_eip3009_not_supported',
    broken: (_, state) => failing(state) && state.used === null,
  },
  {
    name: 'nonce',
    needs: 'eip3009',
    reason: 'invalid_exact_evm_nonce_already_used',
    broken: (_, state) => failing(state) && state.used === true,
  },
  {
    name: 'balance',
    needs: 'asset_contract',
    reason: 'invalid_exact_evm_insufficient_balance',
    broken: ({ transfer }, state) => failing(state) && state.balance !== null && state.balance < transfer.authorization.value,
  },
  {
    name: 'valid_after_in_block',
    reason: 'invalid_exact_evm_payload_authorization_valid_after',
    broken: ({ transfer }, state) => failing(state) && transfer.authorization.validAfter >= state.blockTime,
  },
  {
    name: 'simulation',
    reason: 'invalid_exact_evm_transaction_simulation_failed',
    broken: (_, { simulation }) => {
      if (simulation.ok) return false
      return simulation.message === '' || `The transfer would fail on chain: ${simulation.message}`
    },
  },
] as const satisfies readonly StateRule<Eip3009Payment>[]
