import { type Address, concatHex, encodeAbiParameters, getAddress, type Hex, toFunctionSelector } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { authorization, sign } from '../devnet/authorization'
import { connect } from '../devnet/client'
import { createDeployer } from '../devnet/contracts'
import { STREAM, startMerchant } from '../devnet/merchant'
import { networks } from '../devnet/networks'
import { createPayer, keyOn } from '../devnet/payer'
import { connectSolana } from '../devnet/solana/client'
import { clusters } from '../devnet/solana/clusters'
import { addressOf, newSecretKey } from '../devnet/solana/keys'
import { service } from './test-service'

/** The facilitator URL of the sandbox. */
export const sandboxUrl = (): string => `${service().baseUrl}/sandbox`

const newAddress = (): Address => privateKeyToAddress(generatePrivateKey())

/** Sells with the official middleware through a facilitator and buys with the official client. Returns the transaction hash. */
export async function buy(facilitatorUrl: string, key = generatePrivateKey(), payTo = newAddress()): Promise<string> {
  await giveUsdc(privateKeyToAddress(key), 1_000_000n)
  const merchant = await startMerchant({ facilitatorUrl, payTo, network: networks[84532].id })
  try {
    return transactionOf(await createPayer(key).pay(`${merchant.url}/weather`))
  } finally {
    await merchant.stop()
  }
}

/** Sells answers through a channel that the merchant's server keeps at the facilitator. The payer deposits 0.01 USDC. */
export async function buyByChannel(facilitatorUrl: string, key: Hex, answers: number): Promise<void> {
  await giveUsdc(privateKeyToAddress(key), 1_000_000n)
  const merchant = await startMerchant({ facilitatorUrl, payTo: newAddress(), network: networks[84532].id, channels: true })
  try {
    const payer = createPayer(keyOn(connect(84532, service().sepoliaUrl), key))
    for (let at = 0; at < answers; at++) {
      const { status, problem } = await payer.pay(`${merchant.url}${STREAM}`)
      if (status !== 200) throw new Error(`the merchant answered ${status}: ${problem}`)
    }
  } finally {
    await merchant.stop()
  }
}

/** Sends from a wallet what a `cast send` command of the page says: two lines of a call, its types and its arguments. */
export async function sendShown(command: string, key: Hex): Promise<void> {
  const [, to, signature = '', words = '', amount] =
    /^cast send (0x\w{40}) \\\n {2}'(\S+)' \\\n {2}'\((\S+)\)'(?: (\d+))? \\\n/.exec(command) ?? []
  const types = [{ type: 'tuple', components: TUPLE.map((type) => ({ type })) }, ...(amount ? [{ type: 'uint128' }] : [])]
  const tuple = words.split(',').map((word, at) => (TUPLE[at] === 'uint40' ? Number(word) : word))
  const data = concatHex([
    toFunctionSelector(signature),
    encodeAbiParameters(types, [tuple, ...(amount ? [BigInt(amount)] : [])]),
  ])
  const client = connect(84532, service().sepoliaUrl)
  const account = privateKeyToAccount(key)
  await client.setBalance({ address: account.address, value: 10n ** 18n })
  const hash = await client.sendTransaction({ account, chain: client.chain, to: getAddress(to ?? ''), data })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`the chain refused ${signature}`)
}

const TUPLE = ['address', 'address', 'address', 'address', 'address', 'uint40', 'bytes32']

/** Mints USDC on Base Sepolia, in atomic units. */
export async function giveUsdc(to: Address, amount: bigint): Promise<void> {
  const client = connect(84532, service().sepoliaUrl)
  await createDeployer(client, 84532, () => client.mine({ blocks: 1 })).mint(networks[84532].usdc, to, amount)
}

/** The settle body of a signed payment of 0.001 USDC, to a new address if unset. */
export async function paymentOf(key: Hex, payTo = newAddress()) {
  const payer = privateKeyToAccount(key)
  const message = authorization({ from: payer.address, to: payTo, value: 1_000n })
  const { value, validAfter, validBefore, ...rest } = message
  const terms = { scheme: 'exact', network: networks[84532].id, amount: '1000', asset: networks[84532].usdc, payTo }
  const accepted = { ...terms, maxTimeoutSeconds: 300, extra: { name: 'USDC', version: '2' } }
  const payload = {
    signature: await sign(84532, payer, message),
    authorization: { ...rest, value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) },
  }
  const resource = { url: 'http://merchant.test/weather', description: 'Weather', mimeType: 'application/json' }
  const paymentPayload = { x402Version: 2, payload, resource, accepted }
  return { x402Version: 2, paymentPayload, paymentRequirements: accepted }
}

/** Settles 0.001 USDC like a merchant's server and returns the response body. */
export async function settleByHand(facilitatorUrl: string, key: Hex): Promise<Record<string, string | boolean>> {
  const response = await fetch(`${facilitatorUrl}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await paymentOf(key)),
  })
  return response.json()
}

/** Buys on Solana with a base58 secret key. Returns the transaction signature. */
export async function buyOnSolana(facilitatorUrl: string, secretKey: string): Promise<string> {
  const chain = connectSolana('devnet', service().solanaUrl)
  const { network } = clusters.devnet
  const solanaPayTo = addressOf(newSecretKey())
  await chain.mintTo(addressOf(secretKey), 1_000_000n)
  await chain.openAccount(solanaPayTo)
  const merchant = await startMerchant({ facilitatorUrl, payTo: newAddress(), solanaPayTo, network })
  try {
    const payer = createPayer(generatePrivateKey(), { secretKey, nodes: { [network]: service().solanaUrl } })
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
