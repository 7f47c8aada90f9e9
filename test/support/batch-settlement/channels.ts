import { randomBytes } from 'node:crypto'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  keccak256,
  type LocalAccount,
  toHex,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { walletAbi } from '../../../devnet/abi'
import { artifact } from '../../../devnet/artifacts'
import { sign } from '../../../devnet/authorization'
import type { Chain } from '../../../devnet/chain'
import {
  batchSettlementAddress,
  erc3009CollectorAddress,
  localNetwork,
  permit2Address,
  permit2CollectorAddress,
} from '../../../devnet/networks'
import { asText } from '../payloads/payments'
import { approval } from '../permit2/permit2'

type Json = Record<string, unknown>

/** A channel as its payer chooses it. */
export type ChannelConfig = {
  payer: Address
  payerAuthorizer: Address
  receiver: Address
  receiverAuthorizer: Address
  token: Address
  withdrawDelay: number
  salt: Hex
}

/** A row of a claim. */
export type ClaimRow = {
  voucher: { channel: ChannelConfig; maxClaimableAmount: bigint }
  signature: Hex
  totalClaimed: bigint
}

const field = (text: string) => {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}

/** The EIP-712 types of the scheme. */
const channelTypes = {
  ChannelConfig: [
    'address payer',
    'address payerAuthorizer',
    'address receiver',
    'address receiverAuthorizer',
    'address token',
    'uint40 withdrawDelay',
    'bytes32 salt',
  ].map(field),
  Voucher: ['bytes32 channelId', 'uint128 maxClaimableAmount'].map(field),
  Refund: ['bytes32 channelId', 'uint256 nonce', 'uint128 amount'].map(field),
  ClaimBatch: [field('ClaimEntry[] claims')],
  ClaimEntry: ['bytes32 channelId', 'uint128 maxClaimableAmount', 'uint128 totalClaimed'].map(field),
}

const permit2Types = {
  PermitWitnessTransferFrom: [
    'TokenPermissions permitted',
    'address spender',
    'uint256 nonce',
    'uint256 deadline',
    'DepositWitness witness',
  ].map(field),
  TokenPermissions: ['address token', 'uint256 amount'].map(field),
  DepositWitness: [field('bytes32 channelId')],
}

/** The EIP-712 domain of the channels on a chain. */
const channelDomain = (chainId: number) => ({
  name: 'x402 Batch Settlement',
  version: '1',
  chainId,
  verifyingContract: batchSettlementAddress,
})

/** The id of a channel on a chain. */
export function channelIdOf(chainId: number, config: ChannelConfig): Hex {
  return hashTypedData({
    domain: channelDomain(chainId),
    types: channelTypes,
    primaryType: 'ChannelConfig',
    message: config,
  })
}

/** Signs a voucher over a cumulative amount. */
export function signVoucher(chainId: number, signer: LocalAccount, channelId: Hex, maxClaimableAmount: bigint): Promise<Hex> {
  const message = { channelId, maxClaimableAmount }
  return signer.signTypedData({ domain: channelDomain(chainId), types: channelTypes, primaryType: 'Voucher', message })
}

/** Signs a refund as the receiver's authorizer. */
export function signRefund(
  chainId: number,
  signer: LocalAccount,
  { channelId, nonce, amount }: { channelId: Hex; nonce: bigint; amount: bigint },
): Promise<Hex> {
  const message = { channelId, nonce, amount }
  return signer.signTypedData({ domain: channelDomain(chainId), types: channelTypes, primaryType: 'Refund', message })
}

/** Signs claims as the receiver's authorizer. */
export function signClaims(chainId: number, signer: LocalAccount, rows: readonly ClaimRow[]): Promise<Hex> {
  const claims = rows.map(({ voucher: { channel, maxClaimableAmount }, totalClaimed }) => ({
    channelId: channelIdOf(chainId, channel),
    maxClaimableAmount,
    totalClaimed,
  }))
  return signer.signTypedData({
    domain: channelDomain(chainId),
    types: channelTypes,
    primaryType: 'ClaimBatch',
    message: { claims },
  })
}

/** What of a payer differs from one with a key, a million units and an approval of Permit2. */
export type PayerChange = { balance?: bigint; approved?: boolean; wallet?: boolean; token?: Address }

/** Who pays: the account, and the key that signs for it. */
export type Payer = { owner: LocalAccount; from: Address }

/** What of a deposit differs from a good one. */
export type DepositChange = {
  config?: Partial<ChannelConfig>
  amount?: bigint
  /** The voucher that comes with it; the price of one request if unset. */
  maxClaimable?: bigint
  method?: 'eip3009' | 'permit2'
  salt?: Hex
  validAfter?: bigint
  validBefore?: bigint
  /** Of a Permit2 deposit. */
  signed?: {
    token?: Address
    spender?: Address
    nonce?: bigint
    deadline?: bigint
    channelId?: Hex
    amount?: bigint
    from?: Address
  }
  signer?: LocalAccount
  voucherSigner?: LocalAccount
  signature?: (good: Hex) => Hex
  voucherSignature?: (good: Hex) => Hex
  /** What is changed in the payload after it was signed. */
  payload?: (good: Json) => Json
  extra?: Json
  requirements?: Json
  accepted?: Json
  extensions?: (payer: LocalAccount, token: Address) => Promise<Json>
}

/** The price of a request, and a deposit, in atomic units. */
export const PRICE = 1_000n
export const DEPOSIT = 10_000n

/** The requirements that the official channel manager sends with a claim, a settlement or a refund of its own. */
const managerRequirements = (chainId: number, asset: Address, payTo: Address): Json => ({
  scheme: 'batch-settlement',
  network: localNetwork(chainId).id,
  asset,
  amount: '0',
  payTo,
  maxTimeoutSeconds: 0,
  extra: {},
})

export type ChannelForge = ReturnType<typeof createChannelForge>

/** Makes payloads of `batch-settlement` for one receiver on a local chain, good ones and ones with each field broken. */
export function createChannelForge(chain: Chain, receiver: Address, receiverAuthorizer: Address, authorizer?: LocalAccount) {
  const { chainId, usdc, client } = chain

  /** A new account with tokens that lets Permit2 take them. */
  async function payer({
    balance = 1_000_000n,
    approved = true,
    wallet = false,
    token = usdc,
  }: PayerChange = {}): Promise<Payer> {
    const owner = privateKeyToAccount(generatePrivateKey())
    const from = wallet ? await chain.deployWallet(owner.address) : owner.address
    if (balance > 0n) await chain.mint(from, balance, token)
    if (approved) await approve(owner, from, token)
    return { owner, from }
  }

  async function approve(owner: LocalAccount, from: Address, token: Address): Promise<void> {
    await chain.fund(owner.address, 10n ** 18n)
    const through = encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [token, approval()] })
    const call = from === owner.address ? { to: token, data: approval() } : { to: from, data: through }
    await client.waitForTransactionReceipt({
      hash: await client.sendTransaction({ ...call, account: owner, chain: client.chain }),
    })
  }

  const configOf = ({ from, owner }: Payer, change: Partial<ChannelConfig> = {}): ChannelConfig => ({
    payer: from,
    payerAuthorizer: owner.address,
    receiver,
    receiverAuthorizer,
    token: usdc,
    withdrawDelay: 900,
    salt: zeroHash,
    ...change,
  })

  const asked = ({ extra, requirements }: Pick<DepositChange, 'extra' | 'requirements'>): Json => ({
    scheme: 'batch-settlement',
    network: localNetwork(chainId).id,
    amount: String(PRICE),
    asset: usdc,
    payTo: receiver,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2', receiverAuthorizer, withdrawDelay: 900, minDeposit: String(DEPOSIT), ...extra },
    ...requirements,
  })

  function bodyOf(
    payload: Json,
    requirements: Json,
    { accepted, extensions }: { accepted?: Json | undefined; extensions?: Json | undefined } = {},
  ): Json {
    const resource = { url: 'http://merchant.test/stream', description: 'A stream', mimeType: 'application/json' }
    const paymentPayload = {
      x402Version: 2,
      payload,
      resource,
      accepted: { ...requirements, ...accepted },
      ...(extensions ? { extensions } : {}),
    }
    return { x402Version: 2, paymentPayload, paymentRequirements: requirements }
  }

  async function voucherOf(config: ChannelConfig, owner: LocalAccount, max: bigint, change: DepositChange = {}): Promise<Json> {
    const channelId = channelIdOf(chainId, config)
    const signature = await signVoucher(chainId, change.voucherSigner ?? owner, channelId, max)
    return { channelId, maxClaimableAmount: String(max), signature: change.voucherSignature?.(signature) ?? signature }
  }

  async function byErc3009(who: Payer, config: ChannelConfig, change: DepositChange): Promise<Json> {
    const { amount = DEPOSIT, salt = toHex(randomBytes(32)), validAfter = 0n, validBefore = inAnHour() } = change
    const channelId = channelIdOf(chainId, config)
    const nonce = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [channelId, BigInt(salt)]))
    const message = { from: config.payer, to: erc3009CollectorAddress, value: amount, validAfter, validBefore, nonce }
    const signature = await sign(chainId, change.signer ?? who.owner, message, 'ReceiveWithAuthorization')
    const signed = change.signature?.(signature) ?? signature
    return { erc3009Authorization: { ...asText({ validAfter, validBefore }), salt, signature: signed } }
  }

  async function byPermit2(who: Payer, config: ChannelConfig, change: DepositChange): Promise<Json> {
    const { amount = DEPOSIT, signed = {} } = change
    const message = {
      permitted: { token: signed.token ?? config.token, amount: signed.amount ?? amount },
      spender: signed.spender ?? permit2CollectorAddress,
      nonce: signed.nonce ?? BigInt(toHex(randomBytes(32))),
      deadline: signed.deadline ?? inAnHour(),
      witness: { channelId: signed.channelId ?? channelIdOf(chainId, config) },
    }
    const domain = { name: 'Permit2', chainId, verifyingContract: permit2Address }
    const signer = change.signer ?? who.owner
    const signature = await signer.signTypedData({
      domain,
      types: permit2Types,
      primaryType: 'PermitWitnessTransferFrom',
      message,
    })
    const from = signed.from ?? config.payer
    return { permit2Authorization: { from, ...asText(message), signature: change.signature?.(signature) ?? signature } }
  }

  /** A deposit with its first voucher. */
  async function deposit(who: Payer, change: DepositChange = {}) {
    const config = configOf(who, change.config)
    const { amount = DEPOSIT, maxClaimable = PRICE, method = 'eip3009' } = change
    const good: Json = {
      type: 'deposit',
      channelConfig: config,
      voucher: await voucherOf(config, who.owner, maxClaimable, change),
      deposit: {
        amount: String(amount),
        authorization: await (method === 'permit2' ? byPermit2 : byErc3009)(who, config, change),
      },
    }
    const extensions = await change.extensions?.(who.owner, config.token)
    const body = bodyOf(change.payload?.(good) ?? good, asked(change), { accepted: change.accepted, extensions })
    return { body, config, channelId: channelIdOf(chainId, config) }
  }

  /** A voucher, or the refund that its payer asks for with it. */
  async function voucher(
    config: ChannelConfig,
    owner: LocalAccount,
    max: bigint,
    { type = 'voucher', ...change }: DepositChange & { type?: 'voucher' | 'refund' } = {},
  ): Promise<Json> {
    const good: Json = { type, channelConfig: config, voucher: await voucherOf(config, owner, max, change) }
    return bodyOf(change.payload?.(good) ?? good, asked(change), { accepted: change.accepted })
  }

  /** A row that claims so much of a channel by a voucher over `max`. */
  async function row(config: ChannelConfig, owner: LocalAccount, totalClaimed: bigint, max = totalClaimed): Promise<ClaimRow> {
    const signature = await signVoucher(chainId, owner, channelIdOf(chainId, config), max)
    return { voucher: { channel: config, maxClaimableAmount: max }, signature, totalClaimed }
  }

  const managed = (payload: Json): Json => bodyOf(payload, managerRequirements(chainId, usdc, receiver))

  const claims = (rows: readonly ClaimRow[], claimAuthorizerSignature?: Hex): Json =>
    managed({ type: 'claim', claims: asText({ rows }).rows, ...(claimAuthorizerSignature ? { claimAuthorizerSignature } : {}) })

  const sweep = (token: Address = usdc): Json => managed({ type: 'settle', receiver, token })

  type RefundChange = {
    amount: bigint
    nonce?: bigint
    claims?: readonly ClaimRow[]
    refundAuthorizerSignature?: Hex
    claimAuthorizerSignature?: Hex
  }

  /** A refund as a merchant's server sends it. */
  async function refund(config: ChannelConfig, owner: LocalAccount, charged: bigint, change: RefundChange): Promise<Json> {
    const { amount, nonce = 0n, claims: rows = [], ...signatures } = change
    return managed({
      type: 'refund',
      channelConfig: config,
      voucher: await voucherOf(config, owner, charged),
      ...asText({ amount, refundNonce: nonce, claims: rows }),
      ...signatures,
    })
  }

  /** Claims rows as their authorizer, without a facilitator. Throws if it reverts. */
  async function claimDirectly(rows: readonly ClaimRow[]): Promise<void> {
    if (!authorizer) throw new Error('this forge has no key of the authorizer')
    await chain.fund(authorizer.address, 10n ** 18n)
    const { abi } = artifact('BatchSettlement')
    const data = encodeFunctionData({ abi, functionName: 'claim', args: [rows] })
    const hash = await client.sendTransaction({ account: authorizer, chain: client.chain, to: batchSettlementAddress, data })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('the claim reverted')
  }

  /** Makes a deposit by EIP-3009 from an account of nobody. Throws if it reverts. */
  async function depositDirectly(who: Payer, amount = DEPOSIT) {
    const config = configOf(who)
    const { erc3009Authorization: signed } = Object(await byErc3009(who, config, { amount, validBefore: 2n ** 40n }))
    const types = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }] as const
    const values = [BigInt(signed.validAfter), BigInt(signed.validBefore), BigInt(signed.salt), signed.signature] as const
    const args = [config, amount, erc3009CollectorAddress, encodeAbiParameters(types, values)]
    const { abi } = artifact('BatchSettlement')
    await chain.send(batchSettlementAddress, encodeFunctionData({ abi, functionName: 'deposit', args }))
    return { config, channelId: channelIdOf(chainId, config) }
  }

  return {
    payer,
    configOf,
    claimDirectly,
    depositDirectly,
    deposit,
    voucher,
    row,
    claims,
    sweep,
    refund,
    receiver,
    receiverAuthorizer,
  }
}

const inAnHour = (): bigint => BigInt(Math.floor(Date.now() / 1_000)) + 3_600n
