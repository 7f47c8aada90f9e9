import { type Address, encodeFunctionData, type Hex, type LocalAccount, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { factoryAbi } from '../../../devnet/abi'
import type { Authorization } from '../../../devnet/authorization'
import type { Chain } from '../../../devnet/chain'
import { networks } from '../../../devnet/networks'
import type { EvmSigner } from '../../../devnet/payer'
import { type SignedPayment, signed } from '../payloads/payments'

/** Where tests put factories, so that a service can name them before its chain starts. */
export const FACTORY: Address = '0x000000000000000000000000000000000000fac1'
export const HOSTILE_FACTORY: Address = '0x000000000000000000000000000000000000fac2'
export const UNLISTED_FACTORY: Address = '0x000000000000000000000000000000000000fac3'

/** The factories of which a service of the tests takes wallets; its operator named the token, too, by mistake. */
export const FACTORIES = { EVM_WALLET_FACTORIES: [FACTORY, HOSTILE_FACTORY, networks[84532].usdc].join(', ') }

/** Puts all three on a chain. */
export async function placeFactories({ deployFactory }: Chain): Promise<void> {
  await Promise.all([
    deployFactory('wallets', FACTORY),
    deployFactory('hostile', HOSTILE_FACTORY),
    deployFactory('hostile', UNLISTED_FACTORY),
  ])
}

/** A smart wallet that is not deployed yet, with tokens. */
export type Undeployed = {
  wallet: Address
  owner: LocalAccount
  /** The factory's call that deploys it. */
  creation: Hex
  /** A signed payment of the wallet, its signature wrapped (ERC-6492). */
  pay: (change?: Partial<Authorization>, signer?: LocalAccount) => Promise<SignedPayment>
  /** What the wallet gives the official client: it wraps signatures until the wallet is deployed, as such wallets do. */
  signer: EvmSigner
}

type Options = { factory?: Address; balance?: bigint; creation?: (owner: Address, salt: bigint) => Hex }

/** A new one. `creation` replaces the call that its signatures name. */
export async function undeployed(
  chain: Chain,
  { factory = FACTORY, balance = 1_000_000n, creation = createCall }: Options = {},
): Promise<Undeployed> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const salt = 7n
  const args = [owner.address, salt] as const
  const wallet = await chain.client.readContract({ address: factory, abi: factoryAbi, functionName: 'addressOf', args })
  if (balance > 0n) await chain.mint(wallet, balance)
  const data = creation(...args)
  return {
    wallet,
    owner,
    creation: data,
    signer: {
      address: wallet,
      async signTypedData(message) {
        // The official client's type of typed data is looser than that of viem.
        const signature = await owner.signTypedData(message as Parameters<LocalAccount['signTypedData']>[0])
        const code = await chain.client.getCode({ address: wallet })
        return code ? signature : serializeErc6492Signature({ address: factory, data, signature })
      },
    },
    async pay(change = {}, signer = owner) {
      const { authorization, signature } = await signed(signer, { from: wallet, ...change })
      return { authorization, signature: serializeErc6492Signature({ address: factory, data, signature }) }
    },
  }
}

const createCall = (owner: Address, salt: bigint): Hex =>
  encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [owner, salt] })

/** A call of the hostile factory with the owner, the salt and what else it takes. */
export const hostileCall =
  (functionName: 'createWhereFree' | 'burnWherePaid' | 'callBack' | 'answerAtLength', ...more: unknown[]) =>
  (owner: Address, salt: bigint): Hex =>
    // Each of these functions begins with the same two arguments.
    encodeFunctionData({ abi: factoryAbi, functionName, args: [owner, salt, ...more] } as Parameters<
      typeof encodeFunctionData
    >[0])

/** A call of the hostile factory that takes nothing. */
export const hostileEnd = (functionName: 'createNothing' | 'fail' | 'burn') => (): Hex =>
  encodeFunctionData({ abi: factoryAbi, functionName })
