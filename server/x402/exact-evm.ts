import { type Hex, hashTypedData } from 'viem'
import { networks } from './networks'
import type { Eip3009Payment, Payment } from './payment'
import { type Failure, failure, type Reason } from './reasons'

/** The authorization must stay usable this long, so that it can still be mined (official value). */
export const EXPIRY_MARGIN_SECONDS = 6n

const transferTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The EIP-712 hash that the payer signed, under the domain the requirements declare. Null without a domain. */
export function authorizationHash(payment: Eip3009Payment): Hex | null {
  if (!payment.domain) return null
  return hashTypedData({
    domain: { ...payment.domain, chainId: networks[payment.network].chainId, verifyingContract: payment.asset },
    types: transferTypes,
    primaryType: 'TransferWithAuthorization',
    message: payment.transfer.authorization,
  })
}

/** A clock reading in Unix seconds: our own and the chain's latest block, where they differ the stricter one decides. */
export type Clock = { earliest: bigint; latest: bigint }

type Rule<P> = { reason: (payment: P) => Reason; broken: (payment: P, clock: Clock) => boolean }

const always = (reason: Reason) => () => reason

// The order is the official facilitator's: the first broken rule is the reason a caller sees.
const formRules: Rule<Payment>[] = [
  { reason: always('unsupported_payload_type'), broken: (payment) => payment.transfer.kind === 'permit2' },
  { reason: always('unsupported_scheme'), broken: (payment) => OTHER_SCHEMES.has(payment.scheme) },
  {
    reason: always('invalid_exact_evm_scheme'),
    broken: (payment) => payment.scheme !== 'exact' || payment.claimed.scheme !== 'exact',
  },
  { reason: always('invalid_exact_evm_missing_eip712_domain'), broken: (payment) => payment.domain === null },
  { reason: always('invalid_exact_evm_network_mismatch'), broken: (payment) => payment.claimed.network !== payment.network },
]

const OTHER_SCHEMES: ReadonlySet<string> = new Set(['upto', 'batch-settlement', 'auth-capture', 'deferred'])

const recipient: Rule<Eip3009Payment> = {
  reason: always('invalid_exact_evm_recipient_mismatch'),
  broken: ({ transfer, payTo }) => transfer.authorization.to !== payTo,
}

const times: Rule<Eip3009Payment>[] = [
  {
    reason: always('invalid_exact_evm_payload_authorization_valid_before'),
    broken: ({ transfer }, { latest }) => transfer.authorization.validBefore < latest + EXPIRY_MARGIN_SECONDS,
  },
  {
    reason: always('invalid_exact_evm_payload_authorization_valid_after'),
    broken: ({ transfer }, { earliest }) => transfer.authorization.validAfter > earliest,
  },
]

const money: Rule<Eip3009Payment>[] = [
  {
    reason: ({ x402Version }) =>
      x402Version === 1 ? 'invalid_exact_evm_authorization_value' : 'invalid_exact_evm_payload_authorization_value_mismatch',
    broken: ({ transfer, amount }) => transfer.authorization.value !== amount,
  },
  {
    reason: always('invalid_exact_evm_token_name_mismatch'),
    broken: ({ network, domain }) => domain?.name !== networks[network].domain.name,
  },
  {
    reason: always('invalid_exact_evm_token_version_mismatch'),
    broken: ({ network, domain }) => domain?.version !== networks[network].domain.version,
  },
]

function firstBroken<P>(rules: Rule<P>[], payment: P, clock: Clock): Failure | null {
  const rule = rules.find(({ broken }) => broken(payment, clock))
  return rule ? failure(rule.reason(payment)) : null
}

const ANY_TIME: Clock = { earliest: 0n, latest: 0n }

/** Rules before the signature: scheme, domain, network. Null when all hold. */
export function brokenForm(payment: Payment): Failure | null {
  return firstBroken(formRules, payment, ANY_TIME)
}

/** Rules after the signature: recipient, times, value, token domain. Null when all hold. */
export function brokenTerms(payment: Eip3009Payment, clock: Clock): Failure | null {
  return firstBroken([recipient, ...times, ...money], payment, clock)
}

/** The terms that time cannot change, for a payment that may have landed already. Null when all hold. */
export function brokenTimelessTerms(payment: Eip3009Payment): Failure | null {
  return firstBroken([recipient, ...money], payment, ANY_TIME)
}
