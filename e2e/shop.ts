import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connect } from '../devnet/client'
import { createHouse } from '../devnet/furnish'
import { startMerchant } from '../devnet/merchant'
import { networks } from '../devnet/networks'
import { createPayer } from '../devnet/payer'
import { connectSolana } from '../devnet/solana/client'
import { clusters } from '../devnet/solana/clusters'
import { addressOf, newSecretKey } from '../devnet/solana/keys'
import { place } from './place'

/** Where anybody may settle on test networks, without a key. */
export const sandboxUrl = (): string => `${place().baseUrl}/sandbox`

/** Sells once with the official middleware and that facilitator, and buys with the official client. Returns the transaction's hash. */
export async function buy(facilitatorUrl: string, key = generatePrivateKey()): Promise<string> {
  await giveUsdc(privateKeyToAddress(key), 1_000_000n)
  const payTo = privateKeyToAddress(generatePrivateKey())
  const merchant = await startMerchant({ facilitatorUrl, payTo, network: networks[84532].id })
  try {
    return transactionOf(await createPayer(key).pay(`${merchant.url}/weather`))
  } finally {
    await merchant.stop()
  }
}

/** Gives an account USDC on Base Sepolia, in atomic units. */
export async function giveUsdc(to: Address, amount: bigint): Promise<void> {
  const client = connect(84532, place().sepoliaUrl)
  await createHouse(client, 84532, () => client.mine({ blocks: 1 })).mint(networks[84532].usdc, to, amount)
}

/** As `buy`, on Solana, with a secret key in base58. */
export async function buyOnSolana(facilitatorUrl: string, secretKey: string): Promise<string> {
  const chain = connectSolana('devnet', place().solanaUrl)
  const { network } = clusters.devnet
  const solanaPayTo = addressOf(newSecretKey())
  await chain.mintTo(addressOf(secretKey), 1_000_000n)
  await chain.openAccount(solanaPayTo)
  const payTo = privateKeyToAddress(generatePrivateKey())
  const merchant = await startMerchant({ facilitatorUrl, payTo, solanaPayTo, network })
  try {
    const payer = createPayer(generatePrivateKey(), { secretKey, nodes: { [network]: place().solanaUrl } })
    return transactionOf(await payer.pay(`${merchant.url}/weather`))
  } finally {
    await merchant.stop()
  }
}

type Answer = Awaited<ReturnType<ReturnType<typeof createPayer>['pay']>>

function transactionOf({ status, receipt, problem, body }: Answer): string {
  if (status === 200 && receipt?.success) return receipt.transaction
  throw new Error(`the merchant answered ${status}: ${problem ?? JSON.stringify(body)}`)
}
