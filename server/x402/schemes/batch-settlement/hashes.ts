import { concat, encodeAbiParameters, type Hex, keccak256, toHex } from 'viem'
import { type EvmNetworkId, networkRow } from '../../networks/networks'
import { domainSeparator, hashStruct, hashText, typedDataHash } from '../evm-hashes'
import type { ChannelConfig, ClaimRow } from './channel'
import { BATCH_SETTLEMENT_CONTRACT } from './contracts'

const CHANNEL_TYPE = hashText(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
)
const VOUCHER_TYPE = hashText('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')
const REFUND_TYPE = hashText('Refund(bytes32 channelId,uint256 nonce,uint128 amount)')
const ENTRY = 'ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)'
const ENTRY_TYPE = hashText(ENTRY)
const BATCH_TYPE = hashText(`ClaimBatch(ClaimEntry[] claims)${ENTRY}`)

/** The contract's separators by chain id. */
const separators = new Map<number, Hex>()

function hashOn(network: EvmNetworkId, struct: Hex): Hex {
  const { chainId } = networkRow(network)
  const domain = { name: 'x402 Batch Settlement', version: '1' }
  const separator = separators.get(chainId) ?? domainSeparator(chainId, BATCH_SETTLEMENT_CONTRACT, domain)
  separators.set(chainId, separator)
  return typedDataHash(separator, struct)
}

/** The id of a channel: the EIP-712 hash of its config, so chain and contract are part of it. */
export function channelIdOf(network: EvmNetworkId, config: ChannelConfig): Hex {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = config
  const words = [payer, payerAuthorizer, receiver, receiverAuthorizer, token, toHex(withdrawDelay), salt]
  return hashOn(network, hashStruct(CHANNEL_TYPE, words))
}

/** The hash that a payer, or its authorizer, signs for a voucher. */
export function voucherHash(network: EvmNetworkId, channelId: Hex, maxClaimable: bigint): Hex {
  return hashOn(network, hashStruct(VOUCHER_TYPE, [channelId, toHex(maxClaimable)]))
}

/** The hash that a receiver's authorizer signs for a refund. */
export function refundHash(
  network: EvmNetworkId,
  { channelId, nonce, amount }: { channelId: Hex; nonce: bigint; amount: bigint },
): Hex {
  return hashOn(network, hashStruct(REFUND_TYPE, [channelId, toHex(nonce), toHex(amount)]))
}

/** The hash that a receiver's authorizer signs for claims. The vouchers' signatures are no part of it. */
export function claimsHash(network: EvmNetworkId, rows: readonly ClaimRow[]): Hex {
  const entries = rows.map(({ channel, voucher, totalClaimed }) =>
    hashStruct(ENTRY_TYPE, [channelIdOf(network, channel), toHex(voucher.maxClaimable), toHex(totalClaimed)]),
  )
  return hashOn(network, hashStruct(BATCH_TYPE, [keccak256(concat(entries))]))
}

/** The EIP-3009 nonce of a deposit: it binds the authorization to the channel. */
export function depositNonce(channelId: Hex, salt: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [channelId, salt]))
}
