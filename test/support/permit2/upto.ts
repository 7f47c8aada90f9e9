import { x402Client } from '@x402/core/client'
import { toClientEvmSigner } from '@x402/evm'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { walletAbi } from '../../../devnet/abi'
import type { Chain } from '../../../devnet/chain'
import { localNetwork, permit2Address, uptoProxyAddress } from '../../../devnet/networks'
import { permit2Message } from '../../../devnet/permit2'
import { asText, PAY_TO } from '../payloads/payments'
import { approval } from './permit2'

type Json = Record<string, unknown>

/** What a payer of a good payment signs at most, and the balance of its payer, in atomic units. */
export const MAXIMUM = 100_000n
const BALANCE = 1_000_000n
const RESOURCE = { url: 'http://merchant.test/tokens', description: 'Tokens', mimeType: 'application/json' }

const field = (text: string) => {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}
const types = {
  PermitWitnessTransferFrom: [
    'TokenPermissions permitted',
    'address spender',
    'uint256 nonce',
    'uint256 deadline',
    'Witness witness',
  ].map(field),
  TokenPermissions: ['address token', 'uint256 amount'].map(field),
  Witness: ['address to', 'address facilitator', 'uint256 validAfter'].map(field),
}

/** The proxy's functions, as its source has them. */
export const uptoProxyAbi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function WITNESS_TYPEHASH() view returns (bytes32)',
  'function WITNESS_TYPE_STRING() view returns (string)',
  'function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'error AmountExceedsPermitted()',
  'error InvalidAmount()',
  'error UnauthorizedFacilitator()',
])

/** What of a payment differs from a good one. */
export type UptoChange = {
  facilitator: Address
  balance?: bigint
  /** Whether the payer lets Permit2 take its tokens; true if unset. */
  approved?: boolean
  /** Who pays; a new account if unset. */
  who?: { owner: LocalAccount; from: Address }
  /** A smart wallet of the key pays. */
  wallet?: boolean
  maximum?: bigint
  signed?: { to?: Address; token?: Address; spender?: Address; deadline?: bigint; validAfter?: bigint; nonce?: bigint }
  signer?: LocalAccount
  signature?: (good: Hex) => Hex
  /** What is changed in the authorization after it was signed; undefined removes a field. */
  authorization?: Json
  requirements?: Json
  accepted?: Json
  /** The requested token; USDC if unset. */
  token?: Address
  extensions?: (payer: LocalAccount, token: Address) => Promise<Json>
}

/** A signed payment of at most an amount: the body of verify, and of a settle that charges something of it. */
export type UptoPayment = {
  body: Json
  charging: (amount: bigint | string) => Json
  payer: Address
  owner: LocalAccount
  nonce: bigint
}

export type UptoForge = ReturnType<typeof createUptoForge>

/** Makes payments in USDC that sign a maximum on a local chain, good ones and ones with each field broken. */
export function createUptoForge(chain: Chain) {
  const { usdc, chainId, client } = chain

  /** A new account that has USDC and lets Permit2 take it. */
  async function payerOf({ balance = BALANCE, approved = true, wallet = false, token = usdc }: UptoChange) {
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
    const hash = await client.sendTransaction({ ...call, account: owner, chain: client.chain })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('the approval failed')
  }

  const asked = ({ facilitator, maximum = MAXIMUM, token = usdc, requirements = {} }: UptoChange): Json => ({
    scheme: 'upto',
    network: localNetwork(chainId).id,
    amount: String(maximum),
    asset: token,
    payTo: PAY_TO,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2', facilitatorAddress: facilitator },
    ...requirements,
  })

  const bodies = (paymentPayload: Json, requirements: Json) => {
    const charging = (amount: bigint | string) => ({
      x402Version: 2,
      paymentPayload,
      paymentRequirements: { ...requirements, amount: String(amount) },
    })
    return { body: { x402Version: 2, paymentPayload, paymentRequirements: requirements }, charging }
  }

  /** A payment with these changes. */
  async function paying(change: UptoChange): Promise<UptoPayment> {
    const { owner, from } = change.who ?? (await payerOf(change))
    const { to = PAY_TO, token = change.token ?? usdc, ...fields } = change.signed ?? {}
    const { witness, ...message } = permit2Message(token, to, {
      amount: change.maximum ?? MAXIMUM,
      spender: uptoProxyAddress,
      ...fields,
    })
    const signed = { ...message, witness: { to: witness.to, facilitator: change.facilitator, validAfter: witness.validAfter } }
    const domain = { name: 'Permit2', chainId, verifyingContract: permit2Address }
    const signer = change.signer ?? owner
    const signature = await signer.signTypedData({ domain, types, primaryType: 'PermitWitnessTransferFrom', message: signed })
    const requirements = asked(change)
    const payload = {
      x402Version: 2,
      payload: {
        signature: change.signature?.(signature) ?? signature,
        permit2Authorization: { ...asText({ from, ...signed }), ...change.authorization },
      },
      resource: RESOURCE,
      accepted: { ...requirements, ...change.accepted },
      ...(change.extensions ? { extensions: await change.extensions(owner, token) } : {}),
    }
    return { ...bodies(payload, requirements), payer: from, owner, nonce: message.nonce }
  }

  /** A payment that the official client makes of a merchant's offer. */
  async function officially(change: UptoChange): Promise<UptoPayment> {
    const { owner } = await payerOf(change)
    const requirements = asked(change)
    const scheme = new UptoEvmScheme(toClientEvmSigner(asSigner(owner), client))
    const officialClient = x402Client.fromConfig({ schemes: [{ network: 'eip155:*', client: scheme }], spendControls: false })
    const payload = await officialClient.createPaymentPayload(
      asOffer({ x402Version: 2, resource: RESOURCE, accepts: [requirements] }),
    )
    const { nonce } = Object(payload.payload).permit2Authorization
    return { ...bodies({ ...payload }, requirements), payer: owner.address, owner, nonce: BigInt(nonce) }
  }

  return { paying, officially }
}

function asSigner(account: LocalAccount): Parameters<typeof toClientEvmSigner>[0] {
  return account as unknown as Parameters<typeof toClientEvmSigner>[0]
}

function asOffer(offer: object): Parameters<x402Client['createPaymentPayload']>[0] {
  return offer as Parameters<x402Client['createPaymentPayload']>[0]
}
