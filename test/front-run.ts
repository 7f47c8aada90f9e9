import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from '../devnet/abi'
import type { Chain } from '../devnet/chain'
import { exactProxyAddress } from '../devnet/networks'
import type { SignedPayment } from './harness'
import { settleData } from './permit2'

/** Sends the payment from a new account, ahead of ours in the next block. Resolves with the hash. */
export async function frontRun(chain: Chain, { authorization, signature, permit2 }: SignedPayment): Promise<Hex> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, 10n ** 18n)
  const fees = { nonce: 0, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
  if (permit2) {
    const call = { to: exactProxyAddress, data: settleData(authorization, permit2, signature), gas: 250_000n }
    return chain.client.sendTransaction({ ...call, ...fees, account, chain: chain.client.chain })
  }
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return chain.client.writeContract({
    ...{ account, chain: chain.client.chain, address: chain.usdc, abi: usdcAbi, functionName: 'transferWithAuthorization' },
    args: [from, to, value, validAfter, validBefore, nonce, signature],
    ...{ ...fees, gas: 150_000n },
  })
}
