import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Chain, startChain } from '../../../devnet/chain'
import { settledPort } from '../../../devnet/free-ports'
import { addressOf, newSecretKey } from '../../../devnet/solana/keys'
import { type Solana, startSolana } from '../../../devnet/solana/solana'
import { fundedKey } from '../../support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../support/database/database'
import { inParts, type Keep } from '../../support/parts'
import { ADMIN_KEY } from '../../support/service/harness'
import { type ServiceProcess, startServiceProcess } from '../../support/service/process'
import { someAddress } from '../../support/svm/forge'
import { ask } from '../../support/svm/harness'
import { until } from '../../support/until'

/** A network on which an agent buys credits. Balances are in atomic units. */
export type Market = {
  /** The name in `PURCHASE_NETWORKS` and x402 version 1. */
  name: 'base-sepolia' | 'solana'
  id: string
  nodeUrl: string
  /** The address that receives credit purchases. */
  payTo: string
  /** A new private key in this network's wallet format; its address holds this much USDC. */
  wallet: (balance?: bigint) => Promise<{ key: string; address: string }>
  held: (address: string) => Promise<bigint>
  /** Whether the chain has this transaction as a success. */
  landed: (transaction: string) => Promise<boolean>
}

/** A service process that sells credits on a local Base Sepolia and a local Solana. */
type CreditHarness = {
  service: ServiceProcess
  baseUrl: string
  db: FreshDatabase['db']
  markets: Record<Market['name'], Market>
  close: () => Promise<void>
}

/** Starts the chains and the service. Its BASE_URL is its real URL, because wallets sign for it. */
export function startCreditHarness(): Promise<CreditHarness> {
  return inParts(startOf)
}

async function startOf(keep: Keep): Promise<Omit<CreditHarness, 'close'>> {
  const [database, chain, solana] = await Promise.all([
    keep(freshDatabase(), (one) => one.close()),
    keep(startChain({ chainId: 84532, blockTimeSeconds: 0.2 }), (one) => one.stop()),
    keep(startSolana({ cluster: 'mainnet', slotMs: 200 }), (one) => one.stop()),
  ])
  const [feePayer, port] = [newSecretKey(), await settledPort(0)]
  await solana.airdrop(addressOf(feePayer), 1_000_000_000n)
  const markets = { 'base-sepolia': evmMarket(chain), solana: await solanaMarket(solana) }
  const baseUrl = `http://localhost:${port}`
  const starting = startServiceProcess({
    DATABASE_URL: database.url,
    PORT: String(port),
    BASE_URL: baseUrl,
    KYT: 'off',
    ADMIN_KEY,
    BASE_SEPOLIA_RPC_URL: chain.url,
    EVM_SIGNER_KEYS: await fundedKey(chain),
    SOLANA_RPC_URL: solana.url,
    SOLANA_SIGNER_KEYS: feePayer,
    PURCHASE_NETWORKS: 'base-sepolia,solana',
    PURCHASE_PAY_TO_EVM: markets['base-sepolia'].payTo,
    PURCHASE_PAY_TO_SOLANA: markets.solana.payTo,
  })
  const service = await keep(starting, (one) => one.kill('SIGTERM'))
  await until(() => service.output().split('"to":"ready"').length > 2, 'the lanes of both networks to be ready')
  return { service, baseUrl, db: database.db, markets }
}

function evmMarket(chain: Chain): Market {
  return {
    name: 'base-sepolia',
    id: 'eip155:84532',
    nodeUrl: chain.url,
    payTo: privateKeyToAddress(generatePrivateKey()),
    async wallet(balance = 1_000_000n) {
      const key = generatePrivateKey()
      const address = privateKeyToAddress(key)
      await chain.mint(address, balance)
      return { key, address }
    },
    held: (address) => chain.tokens(asHex(address)),
    async landed(transaction) {
      const { status } = await chain.client.getTransactionReceipt({ hash: asHex(transaction) })
      return status === 'success'
    },
  }
}

async function solanaMarket(chain: Solana): Promise<Market> {
  const payTo = someAddress()
  await chain.openAccount(payTo)
  return {
    name: 'solana',
    id: chain.network,
    nodeUrl: chain.url,
    payTo,
    async wallet(balance = 1_000_000n) {
      const key = newSecretKey()
      const address = addressOf(key)
      await chain.mintTo(address, balance)
      return { key, address }
    },
    held: (address) => chain.tokens(address),
    async landed(transaction) {
      const { value } = await ask<Statuses>(chain.url, 'getSignatureStatuses', [[transaction]])
      return value[0]?.err === null
    },
  }
}

type Statuses = { value: ({ err: unknown } | null)[] }

// The EVM chain's addresses and hashes are hex.
const asHex = (text: string): Address => `0x${text.slice(2)}`
