import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseSignature, serializeSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi, walletAbi } from '../../../devnet/abi'
import { authorization, usdcDomain } from '../../../devnet/authorization'
import type { Harness } from '../service/harness'
import { signed, v2Body } from './payments'

type Json = Record<string, unknown>
type TokenCall = 'blacklist' | 'cancelAuthorization' | 'transferWithAuthorization'

/** A settle or verify body, and its payer. */
export type Forged = { body: Json; payer: Address }

/** Makes unusual and invalid payments on the chain of a harness. */
export function createForge(harness: Harness) {
  /** A payment to `payTo` with these changes; its payer has enough USDC. */
  async function paying(
    payTo: Address,
    change: { signed?: object; requirements?: Json; accepted?: Json; balance?: bigint; signature?: (good: Hex) => Hex } = {},
  ): Promise<Forged> {
    const payer = await harness.payer(change.balance)
    const payment = await signed(payer, { to: payTo, ...change.signed })
    const signature = change.signature?.(payment.signature) ?? payment.signature
    const asked = { payTo, ...change.requirements }
    return {
      body: v2Body({ ...payment, signature }, { requirements: asked, accepted: change.accepted ?? {} }),
      payer: payer.address,
    }
  }

  async function sendAs(send: (account: LocalAccount) => Promise<Hex>): Promise<void> {
    const account = privateKeyToAccount(generatePrivateKey())
    await harness.chain.fund(account.address, 10n ** 18n)
    await harness.chain.client.waitForTransactionReceipt({ hash: await send(account) })
  }

  async function onToken(functionName: TokenCall, args: readonly unknown[]): Promise<void> {
    const data = encodeFunctionData({ abi: usdcAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
    const { client, usdc } = harness.chain
    await sendAs((account) => client.sendTransaction({ account, chain: client.chain, to: usdc, data }))
  }

  /** A payment whose payer cancelled its authorization. */
  async function cancelled(payTo: Address): Promise<Forged> {
    const payer = await harness.payer()
    const payment = await signed(payer, { to: payTo })
    const { nonce } = payment.authorization
    const fields = [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ]
    const primaryType = 'CancelAuthorization'
    const message = { authorizer: payer.address, nonce }
    const domain = usdcDomain(84532)
    const cancel = await payer.signTypedData({ domain, types: { [primaryType]: fields }, primaryType, message })
    await onToken('cancelAuthorization', [payer.address, nonce, cancel])
    return { body: v2Body(payment, { requirements: { payTo } }), payer: payer.address }
  }

  /** A payment of a deployed smart wallet with USDC, signed by its owner or by another key. */
  async function fromWallet(
    payTo: Address,
    signer: 'owner' | 'other key',
    options: { burns?: boolean; tail?: string } = {},
  ): Promise<Forged> {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = await harness.chain.deployWallet(owner.address)
    await harness.chain.mint(wallet, 1_000_000n)
    if (options.burns)
      await sendAs((account) =>
        harness.chain.client.writeContract({
          account,
          chain: harness.chain.client.chain,
          address: wallet,
          abi: walletAbi,
          functionName: 'burnGas',
          args: [true],
        }),
      )
    const who = signer === 'owner' ? owner : privateKeyToAccount(generatePrivateKey())
    const payment = await signed(who, { from: wallet, to: payTo })
    const signature = `${payment.signature}${options.tail ?? ''}`
    return { body: v2Body(payment, { requirements: { payTo }, payload: { signature } }), payer: wallet }
  }

  /** A payment signed and declared under a domain that is not the token's. */
  async function underDomain(payTo: Address, extra: { name: string; version: string }): Promise<Forged> {
    const payer = await harness.payer()
    const message = authorization({ from: payer.address, to: payTo, value: 1_000n })
    const uint = ['value', 'validAfter', 'validBefore'].map((name) => ({ name, type: 'uint256' }))
    const addresses = ['from', 'to'].map((name) => ({ name, type: 'address' }))
    const types = { TransferWithAuthorization: [...addresses, ...uint, { name: 'nonce', type: 'bytes32' }] }
    const domain = { ...usdcDomain(84532), ...extra }
    const signature = await payer.signTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message })
    return { body: v2Body({ authorization: message, signature }, { requirements: { payTo, extra } }), payer: payer.address }
  }

  return { paying, onToken, cancelled, fromWallet, underDomain }
}

/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same key for the same message, with a high s. */
export function highS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: `0x${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}`, yParity: 1 - yParity })
}
