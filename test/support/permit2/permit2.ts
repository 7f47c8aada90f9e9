import { x402Client } from '@x402/core/client'
import { toClientEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  maxUint256,
  numberToHex,
  parseGwei,
  parseSignature,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hostileModes, hostileTokenAbi, usdcAbi, walletAbi } from '../../../devnet/abi'
import type { Chain } from '../../../devnet/chain'
import { localNetwork, permit2Address } from '../../../devnet/networks'
import {
  exactProxyAbi,
  type Permit2Message,
  type PermitMessage,
  permit2Message,
  signPermit,
  signPermit2,
} from '../../../devnet/permit2'
import { asText, PAY_TO, type SignedPayment } from '../payloads/payments'

type Json = Record<string, unknown>

/** The amount of a payment, and the balance of its payer, in atomic units. */
const AMOUNT = 1_000n
const BALANCE = 1_000_000n
const RESOURCE = { url: 'http://merchant.test/weather', description: 'Weather', mimeType: 'application/json' }

/** What of a payment differs from a good one. */
export type Permit2Change = {
  /** The requested token; if unset, one with EIP-2612 and without EIP-3009. */
  token?: Address
  balance?: bigint
  /** Whether the payer lets Permit2 take its tokens; true if unset. */
  approved?: boolean
  /** What the payer signs. */
  signed?: Partial<Parameters<typeof permit2Message>[2] & object> & { to?: Address; token?: Address; chainId?: number }
  /** Who pays: the key that signs (if unset), the same with an account's code (EIP-7702), or a smart wallet of that key. */
  payer?: 'key' | 'delegated key' | 'wallet'
  /** An account that has tokens and has approved already; if unset, a new one. */
  owner?: LocalAccount
  signer?: LocalAccount
  signature?: (good: Hex) => Hex
  /** What is changed in the authorization after it was signed; undefined removes a field. */
  authorization?: Json
  requirements?: Json
  accepted?: Json
  extensions?: (payer: LocalAccount, token: Address) => Promise<Json>
}

export type Permit2Payment = { body: Json; payer: Address; token: Address; owner: LocalAccount }

export type Permit2Forge = ReturnType<typeof createPermit2Forge>

/** Makes payments by Permit2 on a local chain, good ones and ones with each field broken. */
export function createPermit2Forge(chain: Chain) {
  let permitToken: Promise<Address> | undefined
  const usual = (): Promise<Address> => (permitToken ??= chain.deployToken('permit'))

  /** A new token. */
  const token = (kind: Parameters<Chain['deployToken']>[0]): Promise<Address> => chain.deployToken(kind)

  /** A new token that lies in this way. */
  async function lying(mode: keyof typeof hostileModes): Promise<Address> {
    const address = await token('hostile')
    await chain.send(address, encodeFunctionData({ abi: hostileTokenAbi, functionName: 'setMode', args: [hostileModes[mode]] }))
    return address
  }

  /** A new key, and its account or wallet with tokens. */
  async function payerOf(token: Address, { balance = BALANCE, approved = true, payer = 'key', ...known }: Permit2Change) {
    if (known.owner) return { owner: known.owner, from: known.owner.address }
    const owner = privateKeyToAccount(generatePrivateKey())
    const from = payer === 'wallet' ? await chain.deployWallet(owner.address) : owner.address
    if (balance > 0n) await chain.mint(from, balance, token)
    if (approved) await approve(owner, token, from)
    if (payer === 'delegated key') await chain.delegate(owner)
    return { owner, from }
  }

  /** The payer's own transaction, through its wallet if it has one, that lets Permit2 take its tokens. */
  async function approve(owner: LocalAccount, token: Address, from: Address): Promise<void> {
    await chain.fund(owner.address, 10n ** 18n)
    const { client } = chain
    const through = encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [token, approval()] })
    const call = from === owner.address ? { to: token, data: approval() } : { to: from, data: through }
    const hash = await client.sendTransaction({ ...call, account: owner, chain: client.chain })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('the approval failed')
  }

  /** A verify or settle body with these changes, and its payer. */
  async function paying(change: Permit2Change = {}): Promise<Permit2Payment> {
    const token = change.token ?? (await usual())
    const { owner, from } = await payerOf(token, change)
    return { body: await permit2Body(chain.chainId, { owner, from, token }, change), payer: from, token, owner }
  }

  /** The body that the official client makes of a merchant's offer, which may declare sponsoring. */
  async function officially(change: Permit2Change = {}, declared?: Json): Promise<Permit2Payment> {
    const token = change.token ?? (await usual())
    const { owner } = await payerOf(token, change)
    const requirements = asked(chain.chainId, token, change.requirements)
    // The official types know the fields of requirements; the forge may change any of them.
    const offer = { x402Version: 2, resource: RESOURCE, accepts: [requirements], ...(declared ? { extensions: declared } : {}) }
    const scheme = new ExactEvmScheme(toClientEvmSigner(asSigner(owner), chain.client))
    // Without this the official client pays in the default tokens of its networks only.
    const client = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], spendControls: false })
    const payload = await client.createPaymentPayload(asOffer(offer))
    return {
      body: { x402Version: 2, paymentPayload: payload, paymentRequirements: requirements },
      payer: owner.address,
      token,
      owner,
    }
  }

  return { paying, officially, ...sponsoringOn(chain.chainId), usual, token, lying }
}

/** The requirements of a merchant that is paid by Permit2. */
const asked = (chainId: number, token: Address, change: Json = {}): Json => ({
  scheme: 'exact',
  network: localNetwork(chainId).id,
  amount: String(AMOUNT),
  asset: token,
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'Test Dollar', version: '1', assetTransferMethod: 'permit2' },
  ...change,
})

/** A body with these changes; its payer and token may exist or not. */
export async function permit2Body(
  chainId: number,
  { owner, from, token }: { owner: LocalAccount; from: Address; token: Address },
  change: Permit2Change = {},
): Promise<Json> {
  const { to = PAY_TO, token: signedToken = token, chainId: signedChain = chainId, ...fields } = change.signed ?? {}
  const message = permit2Message(signedToken, to, { amount: AMOUNT, ...fields })
  const signature = await signPermit2(signedChain, change.signer ?? owner, message)
  const requirements = asked(chainId, token, change.requirements)
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: {
        signature: change.signature?.(signature) ?? signature,
        permit2Authorization: { ...asText({ from, ...message }), ...change.authorization },
      },
      resource: RESOURCE,
      accepted: { ...requirements, ...change.accepted },
      ...(change.extensions ? { extensions: await change.extensions(owner, token) } : {}),
    },
    paymentRequirements: requirements,
  }
}

type ApprovalChange = {
  to?: Address
  data?: Hex
  nonce?: number
  signer?: LocalAccount
  gas?: bigint
  gwei?: string
  /** Maximum fee and tip in wei per gas, instead of `gwei`. */
  fees?: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  /** Signs with the higher of the two s that sign alike. */
  highS?: boolean
  accessList?: { address: Address; storageKeys: Hex[] }[]
}

/** What a payer sends along where Permit2 may not take its tokens yet. */
export function sponsoringOn(chainId: number) {
  /** The extension by which a payer approves Permit2 with a signature; `changed` after signing. */
  const permitting =
    (signed: Partial<PermitMessage> = {}, changed: Json = {}, named = { name: 'Test Dollar', version: '1' }) =>
    async (payer: LocalAccount, token: Address): Promise<Json> => {
      const domain = { ...named, chainId, verifyingContract: token }
      const { owner, spender, value, nonce, deadline, signature } = await signPermit(domain, payer, { value: AMOUNT, ...signed })
      const fields = asText({ from: owner, asset: token, spender, amount: value, nonce, deadline, signature, version: '1' })
      return { eip2612GasSponsoring: { info: { ...fields, ...changed } } }
    }

  /** The extension by which a payer approves Permit2 with a signed transaction; `changed` after signing. */
  const approving =
    (transaction: ApprovalChange = {}, changed: Json = {}) =>
    async (payer: LocalAccount, token: Address): Promise<Json> => {
      const { signer = payer, to = token, data = approval(), nonce = 0, gas = 70_000n, accessList = [] } = transaction
      const usual = { maxFeePerGas: parseGwei(transaction.gwei ?? '1'), maxPriorityFeePerGas: parseGwei('0.1') }
      const type = 'eip1559'
      const unsigned = { chainId, type, to, data, nonce, gas, accessList, ...(transaction.fees ?? usual) } as const
      const lowS = await signer.signTransaction(unsigned)
      const signedTransaction = transaction.highS ? withHighS(lowS) : lowS
      const fields = { from: payer.address, asset: token, spender: permit2Address, amount: String(maxUint256), version: '1' }
      return { erc20ApprovalGasSponsoring: { info: { ...fields, signedTransaction, ...changed } } }
    }

  return { permitting, approving }
}

/** A payer of USDC who has let Permit2 take it. */
export async function newPermit2Payer(
  chain: Chain,
  balance: bigint,
  payer: LocalAccount = privateKeyToAccount(generatePrivateKey()),
): Promise<LocalAccount> {
  await Promise.all([chain.mint(payer.address, balance), chain.fund(payer.address, 10n ** 18n)])
  const { client, usdc } = chain
  const hash = await client.sendTransaction({ account: payer, chain: client.chain, to: usdc, data: approval() })
  await client.waitForTransactionReceipt({ hash })
  return payer
}

/** A payment by Permit2 of 0.001 USDC to `PAY_TO`. */
export async function signedByPermit2(
  { usdc, chainId }: Pick<Chain, 'usdc' | 'chainId'>,
  payer: LocalAccount,
): Promise<SignedPayment & { permit2: Permit2Message }> {
  const permit2 = permit2Message(usdc, PAY_TO, { amount: AMOUNT })
  const { nonce, deadline } = permit2
  return {
    permit2,
    signature: await signPermit2(chainId, payer, permit2),
    authorization: {
      from: payer.address,
      to: PAY_TO,
      value: AMOUNT,
      validAfter: 0n,
      validBefore: deadline + 1n,
      nonce: numberToHex(nonce, { size: 32 }),
    },
  }
}

/** A payment by Permit2 of a payer that has not let Permit2 take its USDC: it sends its own signed approval along, and has no ether. */
export async function signedWithApproval(
  chain: Pick<Chain, 'usdc' | 'chainId'>,
  payer: LocalAccount,
): Promise<Required<SignedPayment>> {
  const { permit2, ...payment } = await signedByPermit2(chain, payer)
  return { ...payment, permit2, extensions: await sponsoringOn(chain.chainId).approving()(payer, chain.usdc) }
}

/** Calldata of the proxy that makes a payment by Permit2, from any account. */
export function settleData(
  { from }: { from: Address },
  { witness, permitted, nonce, deadline }: Permit2Message,
  signature: Hex,
): Hex {
  const permit = { permitted, nonce, deadline }
  return encodeFunctionData({ abi: exactProxyAbi, functionName: 'settle', args: [permit, from, witness, signature] })
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same transaction with the other signature of its key, which no node takes. */
function withHighS(raw: Hex): Hex {
  const { r = '0x', s = '0x', v: _v, yParity = 0, ...unsigned } = parseTransaction(raw)
  const other = { r, s: numberToHex(ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity }
  return serializeTransaction(unsigned as TransactionSerializable, other)
}

/** The call of `approve` with all tokens. */
export const approval = (spender: Address = permit2Address): Hex =>
  encodeFunctionData({ abi: usdcAbi, functionName: 'approve', args: [spender, maxUint256] })

/** A signature in the 64 bytes of EIP-2098, which Permit2 itself would take. */
export function compact(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return `${r}${(BigInt(s) | (BigInt(yParity) << 255n)).toString(16).padStart(64, '0')}`
}

function asSigner(account: LocalAccount): Parameters<typeof toClientEvmSigner>[0] {
  return account as unknown as Parameters<typeof toClientEvmSigner>[0]
}

function asOffer(offer: object): Parameters<x402Client['createPaymentPayload']>[0] {
  return offer as Parameters<x402Client['createPaymentPayload']>[0]
}
