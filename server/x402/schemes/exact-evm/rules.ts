import { concat, type Hex, keccak256, pad, stringToHex, toHex } from 'viem'
import { type EvmRow, mainAsset, networkRow } from '../../networks'
import { OTHER_SCHEMES } from '../../parse'
import type { Eip3009Payment, Payment } from '../../payment'
import { type Failure, failure, type Reason } from '../../reasons'

/** The authorization must stay valid for this long, so that it can still be mined (official value). */
export const EXPIRY_MARGIN_SECONDS = 6n

/** The EIP-712 hash that the payer signed, under the domain of the requirements. Null without a domain. */
export function authorizationHash(payment: Eip3009Payment): Hex | null {
  const { network, asset, domain } = payment
  if (!domain) return null
  const { from, to, value, validAfter, validBefore, nonce } = payment.transfer.authorization
  const words = [from, to, toHex(value), toHex(validAfter), toHex(validBefore), nonce].map((word) => pad(word))
  return keccak256(concat(['0x1901', domainSeparator({ network, asset, domain }), keccak256(concat([TRANSFER_TYPE, ...words]))]))
}

const TRANSFER_TYPE = keccak256(
  stringToHex(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)
const DOMAIN_TYPE = keccak256(stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'))

type Domain = { name: string; version: string }

/** The separators of the networks' own domains: nearly every payment uses one. By row, because a network can get another one. */
const ownSeparators = new WeakMap<EvmRow, Hex>()

function ownSeparator(row: EvmRow): Hex {
  const known = ownSeparators.get(row)
  if (known) return known
  const made = separatorOf(row.chainId, row.assets[0].address, row.assets[0].domain)
  ownSeparators.set(row, made)
  return made
}

type Signed = Pick<Eip3009Payment, 'network' | 'asset'> & { domain: Domain }

function domainSeparator({ network, asset, domain }: Signed): Hex {
  const row = networkRow(network)
  const own = asset === row.assets[0].address && namesOwnDomain({ network, domain })
  return own ? ownSeparator(row) : separatorOf(row.chainId, asset, domain)
}

/** Whether the requirements name the domain of the network's own token. */
export function namesOwnDomain({ network, domain }: Pick<Eip3009Payment, 'network' | 'domain'>): boolean {
  const own = mainAsset(network).domain
  return domain?.name === own.name && domain.version === own.version
}

// EIP-712 "Definition of domainSeparator", written out: viem would hash every type again for every payment.
function separatorOf(chainId: number, asset: Hex, { name, version }: Domain): Hex {
  const texts = [name, version].map((text) => keccak256(stringToHex(text)))
  return keccak256(concat([DOMAIN_TYPE, ...texts, pad(toHex(chainId)), pad(asset)]))
}

/** Unix seconds by our clock and by the chain's latest block; the stricter one decides. */
export type Clock = { earliest: bigint; latest: bigint }

/**
 * A rule of a payment. A judge reads the first broken rule of a list; an explanation reads all. `needs`: a broken rule after which this
 * one says nothing new.
 */
export type EvmRule<P> = {
  name: string
  needs?: string
  reason: (payment: P) => Reason
  broken: (payment: P, clock: Clock) => boolean
}

const always = (reason: Reason) => () => reason

/** The rules before the signature. The order is the official facilitator's: the first broken rule is the reason a caller sees. */
export const evmFormRules = [
  {
    name: 'payload_type',
    reason: always('unsupported_payload_type'),
    broken: (payment) => payment.transfer.kind === 'permit2',
  },
  { name: 'scheme_served', reason: always('unsupported_scheme'), broken: (payment) => OTHER_SCHEMES.has(payment.scheme) },
  {
    name: 'scheme',
    needs: 'scheme_served',
    reason: always('invalid_exact_evm_scheme'),
    broken: (payment) => payment.scheme !== 'exact' || payment.claimed.scheme !== 'exact',
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
    broken: ({ transfer }, { latest }) => transfer.authorization.validBefore < latest + EXPIRY_MARGIN_SECONDS,
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
    broken: ({ network, domain }) => domain?.name !== mainAsset(network).domain.name,
  },
  {
    name: 'token_version',
    needs: 'token_domain',
    reason: always('invalid_exact_evm_token_version_mismatch'),
    broken: ({ network, domain }) => domain?.version !== mainAsset(network).domain.version,
  },
] as const satisfies readonly EvmRule<Eip3009Payment>[]

/** The rules after the signature, in the official order. */
export const evmTermRules = [recipient, ...times, ...money] as const
const timelessRules = [recipient, ...money] as const

function firstBroken<P>(rules: readonly EvmRule<P>[], payment: P, clock: Clock): Failure | null {
  const rule = rules.find(({ broken }) => broken(payment, clock))
  return rule ? failure(rule.reason(payment)) : null
}

const ANY_TIME: Clock = { earliest: 0n, latest: 0n }

/** Rules before the signature: scheme, domain, network. Null when all hold. */
export function brokenForm(payment: Payment): Failure | null {
  return firstBroken(evmFormRules, payment, ANY_TIME)
}

/** Rules after the signature: recipient, times, value, token domain. Null when all hold. */
export function brokenTerms(payment: Eip3009Payment, clock: Clock): Failure | null {
  return firstBroken(evmTermRules, payment, clock)
}

/** The terms that time cannot change, for a payment that may have landed. Null when all hold. */
export function brokenTimelessTerms(payment: Eip3009Payment): Failure | null {
  return firstBroken(timelessRules, payment, ANY_TIME)
}
