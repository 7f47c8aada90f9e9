import { parseAbi } from 'viem'

/** The contract of all channels: it has this address on every network that has it. */
export const BATCH_SETTLEMENT_CONTRACT = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003'

/** The contracts that take a deposit, by EIP-3009 and by Permit2. */
export const ERC3009_COLLECTOR = '0x4020806089470a89826cb9fb1f4059150b550004'
export const PERMIT2_COLLECTOR = '0x4020425faf3b746c082c2f942b4e5159887b0005'

/** The parts of the contract that we call and read. */
export const batchSettlementAbi = parseAbi([
  'struct Channel { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'struct Voucher { Channel channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
  'function deposit(Channel config, uint128 amount, address collector, bytes collectorData)',
  'function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(Channel config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)',
  'function multicall(bytes[] data) returns (bytes[] results)',
  'function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32 channelId) view returns (uint256)',
  'function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)',
])
