import { encodeAbiParameters, encodeFunctionData, type Hex, prepareEncodeFunctionData, toEventSelector, toHex } from 'viem'
import { z } from 'zod'
import { displayAddress } from '../../addresses'
import { atomic } from '../../atomic'
import { networkRow } from '../../networks/networks'
import type { BatchEip3009Payment, BatchPermit2Payment } from '../../payment'
import { normalSignature } from '../../signatures'
import { eip3009Transfers, erc20Abi, isEmpty, readTransferLog, wordOf } from '../evm-logs'
import type { EventLog, EvmMethod, ProvenTransfer } from '../evm-method'
import { digits, hexText } from '../evm-stored'
import {
  byEip3009,
  gasWithDeployment,
  identityOf,
  storedEip3009Authorization,
  storedEip3009Sending,
} from '../exact/eip3009/method'
import { PERMIT2 } from '../permit2/contracts'
import {
  byPermit2,
  gasWithPermit,
  isPermitUsed,
  permit2Identity,
  permitUsed,
  sending,
  storedAuthorization,
  storedSending,
} from '../permit2/method'
import type { ChannelConfig } from './channel'
import { BATCH_SETTLEMENT_CONTRACT, batchSettlementAbi, ERC3009_COLLECTOR, PERMIT2_COLLECTOR } from './contracts'
import { channelIdOf } from './hashes'
import {
  cosignedVoucher,
  depositHash,
  depositPermitHash,
  eip3009FormRules,
  eip3009StateRules,
  eip3009TimelessRules,
  permit2FormRules,
  permit2StateRules,
  permit2TermRules,
  permit2TimelessRules,
} from './rules'
import { channelCalls, readChannelState } from './state'
import { storedChannel } from './stored'
import type { SignedBatchEip3009, SignedBatchPermit2 } from './transfers'

const deposit = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'deposit' })
const balanceOf = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf' })
const allowance = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'allowance' })

const DEPOSITED = toEventSelector('Deposited(bytes32,address,uint128,uint128)')

/** The first deposit of a channel takes about 150,000 gas by EIP-3009 and 140,000 by Permit2 (docs/benchmarks.md). */
const GAS = {
  key: { alone: 240_000n, inBatch: 220_000n },
  code: { alone: 370_000n, inBatch: 350_000n },
} as const

/** A deposit that a receipt shows: the tokens came from the payer to the collector or the contract, and the channel has them. */
type Found = { channelId: Hex; amount: bigint; asset: Hex; from: Hex; nonce: Hex | null; logIndex: number | null }

/** The deposits of a receipt. A token that moves or logs nothing shows none: the contract counts its own balance, too. */
function depositsIn(logs: readonly EventLog[]): Found[] {
  const found: Found[] = []
  const uses = eip3009Transfers(logs)
  let taken: Omit<Found, 'channelId' | 'amount'> | null = null
  let arrived: { asset: Hex; value: bigint } | null = null
  for (const [at, log] of logs.entries()) {
    const moved = readTransferLog(log)
    const use = uses.get(at)
    const nonce = use === undefined ? undefined : logs[use]?.topics[2]
    const place = log.logIndex ?? null
    if (moved && nonce && moved.to === ERC3009_COLLECTOR) taken = { asset: moved.asset, from: moved.from, nonce, logIndex: place }
    if (moved && moved.to === BATCH_SETTLEMENT_CONTRACT) {
      if (moved.from !== ERC3009_COLLECTOR) taken = { asset: moved.asset, from: moved.from, nonce: null, logIndex: place }
      arrived = moved
    }
    if (log.address !== BATCH_SETTLEMENT_CONTRACT) continue
    const [event, channelId] = log.topics
    if (event !== DEPOSITED || !channelId) continue
    const amount = BigInt(log.data.slice(0, 66))
    if (taken && arrived?.asset === taken.asset && arrived.value === amount) found.push({ ...taken, channelId, amount })
    taken = null
    arrived = null
  }
  return found
}

type Name = Omit<Found, 'logIndex'>

const nameOf = ({ channelId, amount, asset, from, nonce }: Name): string =>
  ['deposit', channelId, String(amount), asset, from, nonce ?? 'permit2'].join().toLowerCase()

const provenIn = (logs: readonly EventLog[], byToken: boolean): ProvenTransfer[] =>
  depositsIn(logs)
    .filter(({ nonce }) => (nonce !== null) === byToken)
    .map((one) => [nameOf(one), one.logIndex])

const dataOf = (config: ChannelConfig, amount: bigint, collector: Hex, collectorData: Hex): Hex =>
  encodeFunctionData({ ...deposit, args: [config, amount, collector, collectorData] })

const channelWire = (config: ChannelConfig) => ({
  payer: displayAddress(config.payer),
  payerAuthorizer: displayAddress(config.payerAuthorizer),
  receiver: displayAddress(config.receiver),
  receiverAuthorizer: displayAddress(config.receiverAuthorizer),
  token: displayAddress(config.token),
  withdrawDelay: config.withdrawDelay,
  salt: config.salt,
})

const channelTerms = ({ deposit: { channel, voucher } }: BatchEip3009Payment['transfer'] | BatchPermit2Payment['transfer']) => [
  ...Object.values(channel).map(String),
  String(voucher.maxClaimable),
  normalSignature(voucher.signature),
]

/** What both methods share. */
const failing = {
  short: 'invalid_batch_settlement_evm_insufficient_balance',
  used: 'invalid_batch_settlement_evm_deposit_simulation_failed',
  failed: 'invalid_batch_settlement_evm_deposit_transaction_failed',
  factory: 'invalid_batch_settlement_evm_eip6492_factory_not_allowed',
} as const

/** Deposits by the token's own `receiveWithAuthorization` (EIP-3009). */
export const batchEip3009: EvmMethod<BatchEip3009Payment, SignedBatchEip3009> = {
  ...byEip3009,
  formRules: eip3009FormRules,
  termRules: [],
  timelessRules: eip3009TimelessRules,
  stateRules: eip3009StateRules,
  digest: depositHash,
  reasons: {
    ...failing,
    signature: 'invalid_batch_settlement_evm_receive_authorization_signature',
    expired: 'invalid_batch_settlement_evm_payload_authorization_valid_before',
  },
  simulationProves: () => true,
  simulationSuffices: false,
  transfer: (
    {
      network,
      asset,
      transfer: {
        authorization,
        deposit: { channel },
      },
    },
    proven,
  ) => ({
    method: 'batch-eip3009',
    asset,
    authorization,
    channel,
    channelId: channelIdOf(network, channel),
    ...proven,
  }),
  identity: ({ network, asset, transfer: { authorization } }) => identityOf(networkRow(network).chainId, asset, authorization),
  terms: ({ transfer }) => [
    ...Object.values(transfer.authorization).map(String),
    normalSignature(transfer.signature),
    ...channelTerms(transfer),
  ],
  expiresAt: ({ transfer }) => transfer.authorization.validBefore,
  stateCalls: (transfer) => [...byEip3009.stateCalls(transfer), ...channelCalls(transfer.channelId)],
  readState: ([used, balance, ...channel]) => ({
    ...byEip3009.readState([used, balance]),
    channel: readChannelState(channel),
  }),
  contract: () => BATCH_SETTLEMENT_CONTRACT,
  call({ channel, authorization: { value, validAfter, validBefore, salt }, signature }) {
    const types = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }] as const
    const collectorData = encodeAbiParameters(types, [validAfter, validBefore, salt, signature])
    return { to: BATCH_SETTLEMENT_CONTRACT, data: dataOf(channel, value, ERC3009_COLLECTOR, collectorData) }
  },
  gas: gasWithDeployment(GAS),
  proof: ({ channelId, asset, authorization: { from, nonce, value } }) =>
    nameOf({ channelId, amount: value, asset, from, nonce }),
  proofsIn: (logs) => provenIn(logs, true),
  cosigned: ({ network, transfer: { deposit: terms } }) => [cosignedVoucher(network, terms, channelIdOf(network, terms.channel))],
  payload: ({ channel, authorization: { value, validAfter, validBefore, salt }, signature }) => ({
    type: 'deposit',
    channelConfig: channelWire(channel),
    deposit: {
      amount: String(value),
      authorization: {
        erc3009Authorization: {
          validAfter: String(validAfter),
          validBefore: String(validBefore),
          salt: toHex(salt, { size: 32 }),
          signature,
        },
      },
    },
  }),
  stored: z
    .object({
      authorization: z.object({ ...storedEip3009Authorization, salt: atomic }),
      ...storedEip3009Sending,
      channel: storedChannel,
      channelId: hexText,
    })
    .transform((stored) => ({ method: 'batch-eip3009', ...stored })),
  store: ({ method, authorization, signature, proof, byKey, deployment, channel, channelId }) => ({
    method,
    authorization: digits(authorization),
    signature,
    proof,
    byKey,
    channel,
    channelId,
    ...(deployment ? { deployment } : {}),
  }),
}

/** Deposits by Permit2, for tokens without EIP-3009. */
export const batchPermit2: EvmMethod<BatchPermit2Payment, SignedBatchPermit2> = {
  ...byPermit2,
  formRules: permit2FormRules,
  termRules: permit2TermRules,
  timelessRules: permit2TimelessRules,
  stateRules: permit2StateRules,
  digest: depositPermitHash,
  reasons: {
    ...failing,
    signature: 'invalid_batch_settlement_evm_permit2_invalid_signature',
    expired: 'invalid_batch_settlement_evm_permit2_deadline_expired',
    factory: 'invalid_batch_settlement_evm_permit2_invalid_signature',
  },
  simulationProves: () => true,
  blamesSignature: (_, explained) => !explained,
  deploys: false,
  simulationSuffices: false,
  transfer: (payment, proven, state) => ({
    method: 'batch-permit2',
    authorization: payment.transfer.authorization,
    channel: payment.transfer.deposit.channel,
    ...sending(payment, proven, state),
  }),
  identity: ({ network, transfer }) => permit2Identity(networkRow(network).chainId, transfer.authorization),
  terms: ({ transfer }) => [
    ...Object.values(transfer.authorization).map(String),
    normalSignature(transfer.signature),
    ...channelTerms(transfer),
  ],
  // Permit2 takes it in the second of its deadline, too.
  expiresAt: ({ transfer }) => transfer.authorization.deadline + 1n,
  stateCalls: ({ asset, authorization }) => [
    permitUsed(authorization),
    { to: asset, data: encodeFunctionData({ ...balanceOf, args: [authorization.from] }) },
    { to: asset, data: encodeFunctionData({ ...allowance, args: [authorization.from, PERMIT2] }) },
    ...channelCalls(authorization.channelId),
  ],
  readState([bitmap, balance, allowed, ...channel], { authorization }) {
    const word = wordOf(bitmap)
    return {
      used: word === null ? null : isPermitUsed(authorization, word),
      balance: wordOf(balance),
      assetHasCode: !isEmpty(balance),
      allowance: wordOf(allowed),
      hasProxy: true,
      channel: readChannelState(channel),
    }
  },
  contract: () => BATCH_SETTLEMENT_CONTRACT,
  sender: () => null,
  call({ channel, authorization: { value, nonce, deadline }, signature, permit: permit2612 }) {
    const permitTypes = [
      { type: 'uint256' },
      { type: 'uint256' },
      { type: 'uint8' },
      { type: 'bytes32' },
      { type: 'bytes32' },
    ] as const
    const permitData = permit2612
      ? encodeAbiParameters(permitTypes, [permit2612.value, permit2612.deadline, permit2612.v, permit2612.r, permit2612.s])
      : '0x'
    const types = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'bytes' }] as const
    const collectorData = encodeAbiParameters(types, [nonce, deadline, signature, permitData])
    return { to: BATCH_SETTLEMENT_CONTRACT, data: dataOf(channel, value, PERMIT2_COLLECTOR, collectorData) }
  },
  payerWord: () => 0,
  gas: gasWithPermit(GAS),
  proof: ({ asset, authorization: { from, value, channelId } }) => nameOf({ channelId, amount: value, asset, from, nonce: null }),
  proofsIn: (logs) => provenIn(logs, false),
  strays: () => 0,
  cosigned: (payment) => [
    ...byPermit2.cosigned(payment),
    cosignedVoucher(payment.network, payment.transfer.deposit, channelIdOf(payment.network, payment.transfer.deposit.channel)),
  ],
  payload: ({ channel, authorization: { from, token, spender, value, nonce, deadline, channelId }, signature }) => ({
    type: 'deposit',
    channelConfig: channelWire(channel),
    deposit: {
      amount: String(value),
      authorization: {
        permit2Authorization: {
          from: displayAddress(from),
          permitted: { token: displayAddress(token), amount: String(value) },
          spender: displayAddress(spender),
          nonce: String(nonce),
          deadline: String(deadline),
          witness: { channelId },
          signature,
        },
      },
    },
  }),
  stored: z
    .object({
      authorization: z.object({ ...storedAuthorization, channelId: hexText }),
      ...storedSending,
      channel: storedChannel,
    })
    .transform((stored) => ({ method: 'batch-permit2', ...stored })),
  store: ({ method, authorization, signature, proof, permit, approval, channel }) => ({
    method,
    authorization: digits(authorization),
    signature,
    proof,
    approval,
    permit: permit && digits(permit),
    channel,
  }),
}
