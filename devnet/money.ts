import { type Address, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Chain } from './chain'
import { WALLET_FACTORY } from './smart-wallet'
import type { WorldRecord } from './world-folder'

/** Gives the signers of a world ether for gas, where they have less than one. */
export async function fundSigners(chain: Chain, { keys }: WorldRecord): Promise<void> {
  for (const signer of [keys.signer, keys.production].map(privateKeyToAddress)) {
    if ((await chain.client.getBalance({ address: signer })) < parseEther('1')) await chain.fund(signer, parseEther('10'))
  }
}

/** Gives a payer USDC, and the chain the factory of smart wallets, where they are missing. */
export async function giveMoney(chain: Chain, payer: Address): Promise<void> {
  if ((await chain.tokens(payer)) < 10_000_000n) await chain.mint(payer, 100_000_000n)
  await chain.deployFactory('wallets', WALLET_FACTORY)
}
