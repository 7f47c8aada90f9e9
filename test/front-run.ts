import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from '../devnet/abi'
import type { Chain } from '../devnet/chain'
import type { SignedPayment } from './harness'

/** Uses an authorization from an account that is nobody's, ahead of ours in the next block. Resolves with the hash. */
export async function frontRun(chain: Chain, { authorization, signature }: SignedPayment): Promise<Hex> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, 10n ** 18n)
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return chain.client.writeContract({
    ...{ account, chain: chain.client.chain, address: chain.usdc, abi: usdcAbi, functionName: 'transferWithAuthorization' },
    args: [from, to, value, validAfter, validBefore, nonce, signature],
    ...{ nonce: 0, gas: 150_000n, maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n },
  })
}
