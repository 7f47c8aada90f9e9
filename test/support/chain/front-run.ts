import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcAbi } from '../../../devnet/abi'
import type { Chain } from '../../../devnet/chain'
import { exactProxyAddress } from '../../../devnet/networks'
import { exactProxyAbi } from '../../../devnet/permit2'
import type { SignedPayment } from '../payloads/payments'
import { settleData } from '../permit2/permit2'

/** Ahead of ours in the next block. */
const AHEAD = { nonce: 0, maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n }

/** Sends the payment from a new account, ahead of ours in the next block. Resolves with the hash. */
export async function frontRun(chain: Chain, { authorization, signature, permit2 }: SignedPayment): Promise<Hex> {
  const sender = await stranger(chain)
  if (permit2) {
    const call = { to: exactProxyAddress, data: settleData(authorization, permit2, signature), gas: 250_000n }
    return chain.client.sendTransaction({ ...call, ...sender })
  }
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return chain.client.writeContract({
    address: chain.usdc,
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
    ...sender,
    gas: 150_000n,
  })
}

/** Sends the Permit2 payment of a body from a new account through the x402 proxy, ahead of ours in the next block. */
export async function frontRunPermit2(chain: Chain, body: Record<string, unknown>): Promise<Hex> {
  const data = proxyCall(body)
  return chain.client.sendTransaction({ to: exactProxyAddress, data, ...(await stranger(chain)), gas: 300_000n })
}

/** The call of the x402 proxy that settles the Permit2 payment of a body. */
export function proxyCall({ paymentPayload }: Record<string, unknown>): Hex {
  const { signature, permit2Authorization } = Object(paymentPayload).payload
  const { from, permitted, nonce, deadline, witness } = permit2Authorization
  const permit = {
    permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  }
  const args = [permit, from, { to: witness.to, validAfter: BigInt(witness.validAfter) }, signature] as const
  return encodeFunctionData({ abi: exactProxyAbi, functionName: 'settle', args })
}

async function stranger(chain: Chain) {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, 10n ** 18n)
  return { ...AHEAD, account, chain: chain.client.chain }
}
