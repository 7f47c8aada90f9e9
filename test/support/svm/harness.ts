import type { KeyPairSigner } from '@solana/kit'
import { addressOf, newSecretKey, signerOf } from '../../../devnet/solana/keys'
import { type Solana, startSolana } from '../../../devnet/solana/solana'
import type { Log } from '../../../server/base/log'
import { createApp, type RunningApp, type Seams } from '../../../server/boot/app'
import { readEnv } from '../../../server/env/env'
import { type FreshDatabase, freshDatabase } from '../database/database'
import { keepSecrets, testLog } from '../logs'
import { type RpcProxy, startRpcProxy } from '../nodes/faulty-node'
import { inParts, type Keep } from '../parts'
import { ADMIN_KEY, ready } from '../service/harness'
import { type SvmPaymentOptions, someAddress, svmPayment, svmV1Body, svmV2Body } from './forge'

type Json = Record<string, unknown>

export type SvmHarnessOptions = {
  /** Milliseconds per slot; 200 if unset. A blockhash lives for 150 slots, and a slow test must not outlive it. */
  slotMs?: number
  confirmMs?: number
  finalizedSlots?: number
  /** The number of sandbox fee payers. */
  feePayers?: number
  /** The number of proxied nodes. */
  nodes?: number
  /** Also starts mainnet, with a fee payer of the keyed prefixes. */
  mainnet?: boolean
  env?: Record<string, string>
  /** Runs on the local devnet before the service starts; resolves with further environment. */
  prepare?: (solana: Solana, nodes: RpcProxy[]) => Promise<Record<string, string>>
  seams?: Seams
  log?: Log
}

/** A Solana key: its secret and its address. */
type SvmKey = { secret: string; address: string }

/** A whole service on its own database and local Solana, without the HTTP server. */
export type SvmHarness = {
  app: RunningApp
  /** The local devnet. */
  solana: Solana
  mainnet: () => Solana
  database: FreshDatabase
  env: Record<string, string>
  feePayers: SvmKey[]
  nodes: RpcProxy[]
  node: RpcProxy
  /** The proxied node of mainnet. */
  mainnetNode: () => RpcProxy
  /** A new wallet that holds this much USDC; on devnet if `on` is unset. */
  payer: (balance?: bigint, on?: Solana) => Promise<KeyPairSigner>
  /** A new wallet with a USDC account. */
  recipient: (on?: Solana) => Promise<string>
  /** A signed payment of 1,000 by a new payer to a new recipient, with the newest blockhash; options change it. */
  purchase: (options?: Partial<SvmPaymentOptions> & { balance?: bigint; on?: Solana }) => Promise<SvmPurchase>
  /** The database, which stays open after the service closes. */
  db: FreshDatabase['db']
  close: () => Promise<void>
  /** Closes everything except the service, for tests that closed it. */
  closeAround: () => Promise<void>
}

export type SvmPurchase = {
  payer: KeyPairSigner
  payTo: string
  feePayer: string
  blockhash: string
  transaction: string
  body: Json
  v1Body: Json
}

export const SOL = 1_000_000_000n

/** A new fee payer's key; its secret is in base58. */
export function newSvmKey(): SvmKey {
  const secret = newSecretKey()
  return { secret, address: addressOf(secret) }
}

/** Starts a service that settles on Solana devnet. Its fee payers have one SOL each. */
export function startSvmHarness(options: SvmHarnessOptions = {}): Promise<SvmHarness> {
  return inParts((keep) => startOf(options, keep))
}

/** Starts what the service needs. */
async function startAround(options: SvmHarnessOptions, keep: Keep) {
  const { slotMs = 200, confirmMs, finalizedSlots = 8 } = options
  const pace = { slotMs, finalizedSlots, ...(confirmMs === undefined ? {} : { confirmMs }) }
  const start = (cluster: 'devnet' | 'mainnet') => keep(startSolana({ cluster, ...pace }), (one) => one.stop())
  const [database, solana, mainnet] = await Promise.all([
    keep(freshDatabase(), (one) => one.close()),
    start('devnet'),
    options.mainnet ? start('mainnet') : null,
  ])
  const feePayers = Array.from({ length: options.feePayers ?? 1 }, newSvmKey)
  for (const { address } of feePayers) await solana.airdrop(address, SOL)
  const newNode = () => keep(startRpcProxy(solana.url), (one) => one.close())
  const mainnetNode = mainnet && (await keep(startRpcProxy(mainnet.url), (one) => one.close()))
  const nodes = await Promise.all(Array.from({ length: options.nodes ?? 1 }, newNode))
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    SOLANA_DEVNET_RPC_URL: nodes.map(({ url }) => url).join(','),
    SOLANA_SANDBOX_SIGNER_KEYS: feePayers.map(({ secret }) => secret).join(','),
    ...(mainnet && mainnetNode ? await production(mainnet, mainnetNode.url) : {}),
    ADMIN_KEY,
    RECHECK_MS: '500',
    ...options.env,
    ...(await options.prepare?.(solana, nodes)),
  }
  keepSecrets(env)
  return { database, solana, mainnet, mainnetNode, feePayers, nodes, env }
}

async function startOf(options: SvmHarnessOptions, keep: Keep): Promise<Omit<SvmHarness, 'close'>> {
  const around = await keep(
    inParts((keepAround) => startAround(options, keepAround)),
    (one) => one.close(),
  )
  const { database, solana, mainnet, mainnetNode, feePayers, nodes, env } = around
  const app = await keep(createApp(readEnv(env), options.log ?? testLog(), options.seams), (one) => one.close())
  await ready(app)
  const [first, [node]] = [feePayers[0], nodes]
  if (!first || !node) throw new Error('a service needs a fee payer and a node')

  const payer: SvmHarness['payer'] = async (balance = 1_000_000n, on = solana) => {
    const signer = await signerOf(newSecretKey())
    if (balance > 0n) await on.mintTo(signer.address, balance)
    return signer
  }
  const recipient: SvmHarness['recipient'] = async (on = solana) => {
    const owner = someAddress()
    await on.openAccount(owner)
    return owner
  }
  return {
    app,
    solana,
    database,
    env,
    feePayers,
    nodes,
    node,
    payer,
    recipient,
    mainnetNode() {
      if (!mainnetNode) throw new Error('the harness was started without mainnet')
      return mainnetNode
    },
    mainnet() {
      if (!mainnet) throw new Error('the harness was started without mainnet')
      return mainnet
    },
    async purchase({ balance, on = solana, ...changed } = {}) {
      const feePayer = changed.feePayer ?? first.address
      const buyer = changed.payer ?? (await payer(balance, on))
      const payTo = changed.payTo ?? (await recipient(on))
      const blockhash = changed.blockhash ?? (await blockhashOf(on))
      const { network } = on
      const mint = changed.mint ?? on.mint
      const transaction = await svmPayment({ blockhash, ...changed, mint, payer: buyer, feePayer, payTo })
      const terms = { feePayer, payTo, ...(changed.amount === undefined ? {} : { amount: changed.amount }) }
      const asked = { requirements: { asset: mint, network } }
      const name = network === solana.network ? 'solana-devnet' : 'solana'
      return {
        payer: buyer,
        payTo,
        feePayer,
        blockhash,
        transaction,
        body: svmV2Body(transaction, terms, asked),
        v1Body: svmV1Body(transaction, terms, { requirements: { asset: mint, network: name }, accepted: { network: name } }),
      }
    },
    db: database.db,
    closeAround: around.close,
  }
}

async function production(mainnet: Solana, url: string): Promise<Record<string, string>> {
  const key = newSvmKey()
  await mainnet.airdrop(key.address, SOL)
  return { SOLANA_RPC_URL: url, SOLANA_SIGNER_KEYS: key.secret, KYT: 'off' }
}

/** The blockhash of a cluster's newest block. */
export async function blockhashOf({ url }: Solana): Promise<string> {
  const { value } = await ask<{ value: { blockhash: string } }>(url, 'getLatestBlockhash', [{ commitment: 'confirmed' }])
  return value.blockhash
}

/** Calls a node of a cluster. */
export async function ask<T>(url: string, method: string, params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result }: { result: T } = await response.json()
  return result
}
