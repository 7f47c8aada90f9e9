import { encodeFunctionData, type Hex, parseSignature, serializeSignature, toHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { artifact } from '../../../devnet/artifacts'
import type { Chain } from '../../../devnet/chain'
import { batchSettlementAddress } from '../../../devnet/networks'
import type { Verdict } from '../../money/fuzz/verdicts'
import { sponsoringOn } from '../permit2/permit2'
import {
  type ChannelConfig,
  type ChannelForge,
  DEPOSIT,
  type DepositChange,
  type Payer,
  type PayerChange,
  PRICE,
} from './channels'

type Json = Record<string, unknown>

/** Where a case happens: a chain with a forge, and how a deposit gets there. */
export type World = { chain: Chain; forge: ChannelForge; deposited: (body: Json) => Promise<void> }

/** A payload of `batch-settlement`, and the verdict of verify on it. */
export type ChannelCase = {
  name: string
  make: (world: World) => Promise<Json>
  verify: Verdict
  /** Our verdict where it differs. */
  ours?: Verdict
}

/** Someone who signed nothing of a payment. */
export const other = privateKeyToAccount(generatePrivateKey())
const later = () => BigInt(Math.floor(Date.now() / 1_000))

const P = 'invalid_batch_settlement_evm_'

/** A permit of USDC for Permit2 over so much. */
export const permitting = (value: bigint) => sponsoringOn(84532).permitting({ value }, {}, { name: 'USDC', version: '2' })

const deposit =
  (change: DepositChange = {}, payer: PayerChange = {}) =>
  async ({ forge }: World): Promise<Json> =>
    (await forge.deposit(await forge.payer(payer), change)).body

/** The other signature of the same key over the same digest, which contracts refuse. */
function highS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  return serializeSignature({ r, s: toHex(order - BigInt(s), { size: 32 }), yParity: yParity === 0 ? 1 : 0 })
}

/** The same signature with its v as some key services write it. */
const lowV = (signature: Hex): Hex => `0x${signature.slice(2, -2)}${signature.endsWith('1b') ? '00' : '01'}`

/** A channel with a deposit on the chain. */
export async function opened({ forge, deposited }: World, change: DepositChange = {}, payer: PayerChange = {}) {
  const who = await forge.payer(payer)
  const { body, config, channelId } = await forge.deposit(who, change)
  await deposited(body)
  return { ...who, config, channelId }
}

type Change = NonNullable<Parameters<ChannelForge['voucher']>[3]>

const voucher =
  (max: bigint, change: Change = {}, before?: (world: World, channel: { config: ChannelConfig } & Payer) => Promise<void>) =>
  async (world: World): Promise<Json> => {
    const channel = await opened(world)
    await before?.(world, channel)
    return world.forge.voucher(channel.config, channel.owner, max, change)
  }

/** Sends a call of the contract as the payer. */
async function asPayer({ chain }: World, { owner }: Payer, functionName: string, args: unknown[]): Promise<void> {
  await chain.fund(owner.address, 10n ** 18n)
  const { abi } = artifact('BatchSettlement')
  const data = encodeFunctionData({ abi, functionName, args })
  const hash = await chain.client.sendTransaction({ account: owner, chain: chain.client.chain, to: batchSettlementAddress, data })
  const { status } = await chain.client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`${functionName} reverted`)
}

const without = (field: string) => (good: Json) => ({ ...good, [field]: undefined })
const withVoucher = (change: Json) => (good: Json) => ({ ...good, voucher: { ...Object(good.voucher), ...change } })
const withConfig = (change: Json) => (good: Json) => ({ ...good, channelConfig: { ...Object(good.channelConfig), ...change } })
const withDeposit = (change: Json) => (good: Json) => ({ ...good, deposit: { ...Object(good.deposit), ...change } })

/** Rules that every payload about one channel keeps. */
const ofChannel = (name: string, make: (change: Change) => ChannelCase['make'], type: string): ChannelCase[] => [
  { name: `${name} accepted in another scheme`, make: make({ accepted: { scheme: 'exact' } }), verify: `${P}scheme` },
  {
    name: `${name} accepted on another network`,
    make: make({ accepted: { network: 'eip155:8453' } }),
    verify: `${P}network_mismatch`,
  },
  { name: `${name} without a voucher`, make: make({ payload: without('voucher') }), verify: `${P}payload_type` },
  {
    name: `${name} of another type`,
    make: make({ payload: (good) => ({ ...good, type: `${type}s` }) }),
    verify: `${P}payload_type`,
  },
  {
    name: `${name} with another channel id`,
    make: make({ payload: withVoucher({ channelId: toHex(1, { size: 32 }) }) }),
    verify: `${P}channel_id_mismatch`,
  },
  {
    name: `${name} whose config was changed`,
    make: make({ payload: withConfig({ salt: toHex(7, { size: 32 }) }) }),
    verify: `${P}channel_id_mismatch`,
  },
  { name: `${name} for another payee`, make: make({ requirements: { payTo: other.address } }), verify: `${P}receiver_mismatch` },
  {
    name: `${name} without an authorizer in the requirements`,
    make: make({ extra: { receiverAuthorizer: undefined } }),
    verify: `${P}receiver_authorizer_mismatch`,
  },
  {
    name: `${name} with none as the authorizer`,
    make: make({ extra: { receiverAuthorizer: zeroAddress } }),
    verify: `${P}receiver_authorizer_mismatch`,
  },
  {
    name: `${name} for another authorizer`,
    make: make({ extra: { receiverAuthorizer: other.address } }),
    verify: `${P}receiver_authorizer_mismatch`,
  },
  {
    name: `${name} with another delay than is asked for`,
    make: make({ extra: { withdrawDelay: 901 } }),
    verify: `${P}withdraw_delay_mismatch`,
  },
  {
    name: `${name} whose voucher another key signed`,
    make: make({ voucherSigner: other }),
    verify: `${P}voucher_signature`,
  },
  {
    name: `${name} whose voucher has no signature`,
    make: make({ voucherSignature: () => '0x' }),
    verify: `${P}voucher_signature`,
  },
  {
    name: `${name} whose voucher has a signature of 66 bytes`,
    make: make({ voucherSignature: (good) => `${good}00` }),
    verify: `${P}voucher_signature`,
  },
  {
    name: `${name} whose voucher is over another amount than was signed`,
    make: make({ payload: withVoucher({ maxClaimableAmount: '999' }) }),
    verify: `${P}voucher_signature`,
  },
  { name: `${name} whose voucher has the other s`, make: make({ voucherSignature: highS }), verify: 'valid' },
  { name: `${name} whose voucher has a v of 0 or 1`, make: make({ voucherSignature: lowV }), verify: 'valid' },
]

/** Deposits: each rule broken, in the official order. */
export const depositCases: ChannelCase[] = [
  { name: 'a good deposit', make: deposit(), verify: 'valid' },
  { name: 'a good deposit by Permit2', make: deposit({ method: 'permit2' }), verify: 'valid' },
  { name: 'a deposit of a smart wallet', make: deposit({}, { wallet: true }), verify: 'valid' },
  { name: 'a deposit of a smart wallet by Permit2', make: deposit({ method: 'permit2' }, { wallet: true }), verify: 'valid' },
  {
    name: 'a deposit of a smart wallet that signs vouchers itself',
    make: deposit({ config: { payerAuthorizer: zeroAddress } }, { wallet: true }),
    verify: 'valid',
  },
  {
    name: 'a deposit of a smart wallet whose vouchers another key signed',
    make: deposit({ config: { payerAuthorizer: zeroAddress }, voucherSigner: other }, { wallet: true }),
    verify: `${P}voucher_signature`,
  },
  {
    name: 'a deposit of a key without a voucher signer',
    make: deposit({ config: { payerAuthorizer: zeroAddress } }),
    verify: 'valid',
  },
  ...ofChannel('a deposit', deposit, 'deposit'),
  {
    name: 'a deposit without its amount',
    make: deposit({ payload: withDeposit({ amount: undefined }) }),
    verify: `${P}payload_type`,
  },
  {
    name: 'a deposit with a delay of 899 seconds',
    make: deposit({ config: { withdrawDelay: 899 }, extra: { withdrawDelay: 899 } }),
    verify: `${P}withdraw_delay_out_of_range`,
  },
  {
    name: 'a deposit with a delay of a month and a second',
    make: deposit({ config: { withdrawDelay: 2_592_001 }, extra: { withdrawDelay: undefined } }),
    verify: `${P}withdraw_delay_out_of_range`,
  },
  {
    name: 'a deposit without an authorization',
    make: deposit({ payload: withDeposit({ authorization: {} }) }),
    verify: `${P}erc3009_authorization_required`,
  },
  {
    name: 'a deposit by EIP-3009 where Permit2 is asked for',
    make: deposit({ extra: { assetTransferMethod: 'permit2' } }),
    verify: `${P}payload_type`,
  },
  {
    name: 'a deposit by Permit2 where EIP-3009 is asked for',
    make: deposit({ method: 'permit2', extra: { assetTransferMethod: 'eip3009' } }),
    verify: `${P}erc3009_authorization_required`,
  },
  {
    name: 'a deposit without an authorization and of another payee',
    make: deposit({ payload: withDeposit({ authorization: {} }), requirements: { payTo: other.address } }),
    verify: `${P}receiver_mismatch`,
  },
  {
    name: "a deposit without the token's name",
    make: deposit({ extra: { name: undefined } }),
    verify: `${P}missing_eip712_domain`,
  },
  {
    name: 'a deposit that is over',
    make: deposit({ validBefore: later() - 5n }),
    verify: `${P}payload_authorization_valid_before`,
  },
  {
    name: 'a deposit that is over in three seconds',
    make: deposit({ validBefore: later() + 3n }),
    verify: `${P}payload_authorization_valid_before`,
  },
  {
    name: 'a deposit that is not valid yet',
    make: deposit({ validAfter: later() + 600n }),
    verify: `${P}payload_authorization_valid_after`,
  },
  { name: 'a deposit signed by another key', make: deposit({ signer: other }), verify: `${P}receive_authorization_signature` },
  {
    name: 'a deposit of more than was signed',
    make: deposit({ payload: withDeposit({ amount: String(DEPOSIT + 1n) }) }),
    verify: `${P}receive_authorization_signature`,
  },
  {
    name: 'a deposit of more than its payer has',
    make: deposit({}, { balance: DEPOSIT - 1n }),
    verify: `${P}insufficient_balance`,
  },
  {
    name: 'a deposit below its voucher',
    make: deposit({ maxClaimable: DEPOSIT + 1n }),
    verify: `${P}cumulative_exceeds_balance`,
  },
  { name: 'a deposit with a voucher over nothing', make: deposit({ maxClaimable: 0n }), verify: `${P}cumulative_below_claimed` },
  {
    name: 'a deposit of nothing',
    make: deposit({ amount: 0n, maxClaimable: 0n }),
    verify: `${P}cumulative_below_claimed`,
    ours: '400 invalid_payment_requirements',
  },
  {
    name: 'a deposit by Permit2 of another payer',
    make: deposit({ method: 'permit2', signed: { from: other.address } }),
    verify: `${P}permit2_invalid_signature`,
  },
  {
    name: 'a deposit by Permit2 for another spender',
    make: deposit({ method: 'permit2', signed: { spender: other.address } }),
    verify: `${P}permit2_invalid_spender`,
  },
  {
    name: 'a deposit by Permit2 in another token',
    make: deposit({ method: 'permit2', signed: { token: other.address } }),
    verify: `${P}token_mismatch`,
  },
  {
    name: 'a deposit by Permit2 over another amount',
    make: deposit({ method: 'permit2', signed: { amount: DEPOSIT - 1n } }),
    verify: `${P}permit2_amount_mismatch`,
  },
  {
    name: 'a deposit by Permit2 for another channel',
    make: deposit({ method: 'permit2', signed: { channelId: toHex(1, { size: 32 }) } }),
    verify: `${P}channel_id_mismatch`,
  },
  {
    name: 'a deposit by Permit2 that is over',
    make: deposit({ method: 'permit2', signed: { deadline: later() - 5n } }),
    verify: `${P}permit2_deadline_expired`,
  },
  {
    name: 'a deposit by Permit2 signed by another key',
    make: deposit({ method: 'permit2', signer: other }),
    verify: `${P}permit2_invalid_signature`,
  },
  {
    name: 'a deposit by Permit2 without an approval',
    make: deposit({ method: 'permit2' }, { approved: false }),
    verify: `${P}permit2_allowance_required`,
  },
  {
    name: 'a deposit by Permit2 without an approval, and with a voucher that another key signed',
    make: deposit({ method: 'permit2', voucherSigner: other }, { approved: false }),
    verify: `${P}permit2_allowance_required`,
    ours: `${P}voucher_signature`,
  },
  {
    name: 'a deposit by Permit2 with a permit of the token',
    make: deposit({ method: 'permit2', extensions: permitting(DEPOSIT) }, { approved: false }),
    verify: 'valid',
  },
  {
    name: 'a deposit by Permit2 with a permit over another amount',
    make: deposit({ method: 'permit2', extensions: permitting(DEPOSIT + 1n) }, { approved: false }),
    verify: `${P}eip2612_amount_mismatch`,
  },
  {
    name: "a deposit by Permit2 with the payer's own approval",
    make: deposit({ method: 'permit2', extensions: sponsoringOn(84532).approving() }, { approved: false }),
    verify: 'valid',
  },
  {
    name: 'a deposit whose authorization was used',
    make: async ({ forge, deposited }) => {
      const { body } = await forge.deposit(await forge.payer())
      await deposited(body)
      return body
    },
    verify: `${P}deposit_simulation_failed`,
  },
  {
    name: 'a deposit more, below what was claimed',
    make: async (world) => {
      const channel = await opened(world)
      await claimed(world, channel, 5_000n)
      return (await world.forge.deposit(channel, { maxClaimable: 5_000n })).body
    },
    verify: `${P}cumulative_below_claimed`,
  },
]

/** The receiver's own claim of so much of a channel; the forge's receiver signs nothing, so its authorizer claims. */
async function claimed(world: World, { config, owner }: { config: ChannelConfig } & Payer, total: bigint): Promise<void> {
  const row = await world.forge.row(config, owner, total)
  await world.forge.claimDirectly([row])
}

/** Vouchers and refunds: each rule broken, in the official order. */
export const voucherCases: ChannelCase[] = [
  { name: 'a good voucher', make: voucher(2n * PRICE), verify: 'valid' },
  { name: 'a voucher over all that the channel has', make: voucher(DEPOSIT), verify: 'valid' },
  { name: 'a refund', make: voucher(PRICE, { type: 'refund' }), verify: 'valid' },
  ...ofChannel('a voucher', (change) => voucher(PRICE, change), 'voucher'),
  ...ofChannel('a refund', (change) => voucher(PRICE, { ...change, type: 'refund' }), 'refund'),
  { name: 'a voucher over more than the channel has', make: voucher(DEPOSIT + 1n), verify: `${P}cumulative_exceeds_balance` },
  {
    name: 'a refund over more than the channel has',
    make: voucher(DEPOSIT + 1n, { type: 'refund' }),
    verify: `${P}cumulative_exceeds_balance`,
  },
  {
    name: 'a voucher over what was claimed',
    make: voucher(3_000n, {}, (world, channel) => claimed(world, channel, 3_000n)),
    verify: `${P}cumulative_below_claimed`,
  },
  {
    name: 'a refund over what was claimed',
    make: voucher(3_000n, { type: 'refund' }, (world, channel) => claimed(world, channel, 3_000n)),
    verify: 'valid',
  },
  {
    name: 'a refund over less than was claimed',
    make: voucher(2_999n, { type: 'refund' }, (world, channel) => claimed(world, channel, 3_000n)),
    verify: `${P}cumulative_below_claimed`,
  },
  {
    name: 'a voucher of a channel without a deposit',
    make: async ({ forge }) => {
      const who = await forge.payer()
      return forge.voucher(forge.configOf(who), who.owner, PRICE)
    },
    verify: `${P}channel_not_found`,
  },
  {
    name: 'a voucher of a smart wallet',
    make: async (world) => {
      const { config, owner } = await opened(world, { config: { payerAuthorizer: zeroAddress } }, { wallet: true })
      return world.forge.voucher(config, owner, PRICE)
    },
    verify: 'valid',
  },
  {
    name: 'a voucher beside a withdrawal that leaves enough',
    make: voucher(4_000n, {}, (world, channel) => asPayer(world, channel, 'initiateWithdraw', [channel.config, 6_000n])),
    verify: 'valid',
  },
  {
    name: 'a voucher that counts on what its payer withdraws',
    make: voucher(4_001n, {}, (world, channel) => asPayer(world, channel, 'initiateWithdraw', [channel.config, 6_000n])),
    verify: 'valid',
    ours: `${P}cumulative_exceeds_balance`,
  },
  {
    name: 'a refund beside a withdrawal of everything',
    make: voucher(4_001n, { type: 'refund' }, (world, channel) =>
      asPayer(world, channel, 'initiateWithdraw', [channel.config, DEPOSIT]),
    ),
    verify: 'valid',
  },
  {
    name: 'a claim',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.claims([await world.forge.row(config, owner, PRICE)])
    },
    verify: `${P}payload_type`,
  },
  { name: 'a settlement', make: async ({ forge }) => forge.sweep(), verify: `${P}payload_type` },
]
