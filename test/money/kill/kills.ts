import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Authorization } from '../../../devnet/authorization'
import { type Chain, startChain } from '../../../devnet/chain'
import { startFlashView } from '../../../devnet/flash'
import { mintKey } from '../../../server/accounts/keyring'
import type { FailpointName } from '../../../server/base/failpoints'
import { sha256 } from '../../../server/base/hash'
import { mainAsset } from '../../../server/x402/networks/networks'
import { fundedKey } from '../../support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../support/database/database'
import { newTenantOf } from '../../support/database/ledger'
import { type RpcProxy, startRpcProxy } from '../../support/nodes/faulty-node'
import { inParts, type Keep } from '../../support/parts'
import { type SignedPayment, signed, v2Body } from '../../support/payloads/payments'
import { newPermit2Payer, signedByPermit2 } from '../../support/permit2/permit2'
import { freshIp } from '../../support/service/client'
import { ADMIN_KEY } from '../../support/service/harness'
import { askUntilDead, type ProcessAnswer, postTo, type ServiceProcess, startServiceProcess } from '../../support/service/process'
import { until } from '../../support/until'
import { type AuditReport, newRecords } from '../audit'
import type { Answered } from '../auditor/description'

/** A customer of a merchant: its payment, which is retried unchanged, and its IP address. */
export type Customer = { payment: SignedPayment; ip: string }

/** The route of a run's payments, and the subject whose quota they use. */
type Target = { route: string; tier: Answered['tier']; subject: (ip: string) => string; env: Record<string, string> }

/** One database, one chain behind a proxied node, and the services that a test starts on them and kills. */
export type KillSetup = {
  chain: Chain
  node: RpcProxy
  /** The proxied node with preconfirmations; null outside the flash tier. */
  flashNode: RpcProxy | null
  database: FreshDatabase
  env: Record<string, string>
  /** The verify route of this setup. */
  verifyRoute: string
  /** Starts a service and waits until it can settle, or until its log contains `awaited`. */
  start: (variables?: Record<string, string>, awaited?: string) => Promise<ServiceProcess>
  /** Kills every running service and stops disturbing the node. */
  clear: () => Promise<void>
  /** A payment of a new payer's whole balance; fields can be overridden. */
  newCustomer: (overrides?: Partial<Authorization>) => Promise<Customer>
  /** Equal payments by Permit2 of a new payer with exactly their amount. */
  newPermit2Customers: (count: number) => Promise<Customer[]>
  /** Settles as the customer's merchant does, and records the answer for the auditor. */
  settle: (service: Pick<ServiceProcess, 'url'>, customer: Customer, headers?: Record<string, string>) => Promise<ProcessAnswer>
  /** Starts a service that kills itself at that moment, and settles until it is dead. */
  killedAt: (moment: FailpointName, customer: Customer, changes?: Record<string, string>) => Promise<void>
  /** Retries as a merchant does, until a success or until the ledger marks the success as delivered. */
  retry: (service: Pick<ServiceProcess, 'url'>, customer: Customer) => Promise<ProcessAnswer>
  balanceOf: (customer: Customer) => Promise<bigint>
  settlementsOf: (customer: Customer) => Promise<Awaited<ReturnType<FreshDatabase['db']['settlement']['findMany']>>>
  historyOf: (customer: Customer) => ReturnType<FreshDatabase['db']['history']['findMany']>
  /** The auditor's counts over everything that happened here. */
  audit: () => Promise<AuditReport['counts']>
  close: () => Promise<void>
}

const NETWORK = 'eip155:84532'

/** Makes a setup. Its payments go to the sandbox, or to the flash prefix of a new key. */
export function startKillSetup(
  variables: Record<string, string> = {},
  prefix: 'sandbox' | 'flash' = 'sandbox',
  ledger: () => Promise<FreshDatabase> = freshDatabase,
): Promise<KillSetup> {
  return inParts((keep) => startOf(keep, variables, prefix, ledger))
}

async function startOf(
  keep: Keep,
  variables: Record<string, string>,
  prefix: 'sandbox' | 'flash',
  ledger: () => Promise<FreshDatabase>,
): Promise<Omit<KillSetup, 'close'>> {
  const [database, chain, records] = await Promise.all([
    keep(ledger(), (one) => one.close()),
    keep(startChain({ chainId: 84532, blockTimeSeconds: 0.2 }), (one) => one.stop()),
    keep(newRecords(), (one) => one.remove()),
  ])
  const proxyOf = (url: string) => keep(startRpcProxy(url), (one) => one.close())
  const node = await proxyOf(chain.url)
  const { db } = database
  const view = prefix === 'flash' ? await keep(startFlashView(chain), (one) => one.stop()) : null
  const flashNode = view && (await proxyOf(view.url))
  const target = flashNode ? await flashOf(db, flashNode.url) : sandbox
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: node.url,
    [flashNode ? 'EVM_SIGNER_KEYS' : 'EVM_SANDBOX_SIGNER_KEYS']: await fundedKey(chain),
    ADMIN_KEY,
    // These two bound how long a killed process's locks last.
    LEASE_MS: '1000',
    SETTLE_DEADLINE_MS: '1500',
    RECHECK_MS: '300',
    FINALITY_DEPTH: '2',
    FLASH_DEADLINE_MS: '1500',
    BATCH_MAX: '3',
    ...target.env,
    ...variables,
  }
  const running: ServiceProcess[] = []
  const payerOf = ({ payment }: Customer) => payment.authorization.from.toLowerCase()
  // A payer may have several payments.
  const settlementsOf = (customer: Customer) =>
    db.settlement.findMany({
      where: {
        payer: payerOf(customer),
        state: { not: 'REJECTED' },
        transfer: { path: ['authorization', 'nonce'], equals: nonceOf(customer) },
      },
    })

  async function start(changes: Record<string, string> = {}, awaited?: string): Promise<ServiceProcess> {
    const service = await keep(startServiceProcess({ ...env, ...changes }, awaited), (one) => one.kill('SIGKILL'))
    running.push(service)
    return service
  }

  async function settle(service: Pick<ServiceProcess, 'url'>, customer: Customer, headers: Record<string, string> = {}) {
    const answer = await postTo(service, target.route, v2Body(customer.payment), customer.ip, headers)
    await records.answered(answeredOf(target, customer, answer))
    return answer
  }

  return {
    chain,
    node,
    flashNode,
    database,
    env,
    verifyRoute: target.route.replace(/settle$/, 'verify'),
    start,
    async clear() {
      node.disturb(() => undefined)
      for (const service of running.splice(0)) {
        await service.kill('SIGKILL')
        await records.printed(service.output())
      }
    },
    async newCustomer(overrides = {}) {
      const payer = privateKeyToAccount(generatePrivateKey())
      await chain.mint(payer.address, 1_000n)
      return { payment: await signed(payer, overrides), ip: freshIp() }
    },
    async newPermit2Customers(count) {
      const payer = await newPermit2Payer(chain, 1_000n * BigInt(count))
      const customer = async () => ({ payment: await signedByPermit2(chain, payer), ip: freshIp() })
      return Promise.all(Array.from({ length: count }, customer))
    },
    settle,
    async killedAt(moment, customer, changes = {}) {
      const doomed = await start({ ...changes, FAILPOINT: moment })
      await askUntilDead(doomed, moment, () => settle(doomed, customer))
    },
    async retry(service, customer) {
      let last: ProcessAnswer = 'no answer'
      const isOver = async () => (await settlementsOf(customer)).some(({ deliveredAt }) => deliveredAt)
      await until(
        async () => {
          last = await settle(service, customer)
          return last !== 'no answer' && (last.body.success === true || (await isOver()))
        },
        'an answer to the retry',
        60_000,
        // Four times a second: the sandbox allows five.
        250,
      )
      return last
    },
    balanceOf: ({ payment: { authorization } }) => chain.tokens(authorization.from),
    settlementsOf,
    historyOf: (customer) => db.history.findMany({ where: { payer: payerOf(customer) } }),
    async audit() {
      // The next service finishes what the last killed one left open.
      await start({}, '"to":')
      for (const service of running) await records.printed(service.output())
      const { counts } = await records.audit({
        databaseUrl: database.url,
        chains: [{ network: NETWORK, rpcUrl: chain.url, usdc: chain.usdc }],
        secrets: SECRETS.map((name) => env[name] ?? ''),
        quotas: { ip: 1_000, [target.subject('')]: 100_000 },
        // Ten times the duration on an idle machine.
        bounds: { settlementMs: 60_000, slotMs: 60_000 },
      })
      return counts
    },
  }
}

const sandbox: Target = { route: '/sandbox/settle', tier: 'sandbox', subject: (ip) => `ip:${ip}`, env: {} }

/** The flash route of a new merchant. */
async function flashOf(db: FreshDatabase['db'], flashUrl: string): Promise<Target> {
  const tenantId = await newTenantOf(db)
  const { id, secret, prefix } = mintKey()
  await db.apiKey.create({ data: { id, prefix, hash: sha256(secret), tenantId } })
  const env = { BASE_SEPOLIA_FLASH_RPC_URL: flashUrl }
  return { route: `/v1/${secret}/flash/settle`, tier: 'flash', subject: () => `tenant:${tenantId}`, env }
}

const SECRETS = ['DATABASE_URL', 'BASE_SEPOLIA_RPC_URL', 'EVM_SANDBOX_SIGNER_KEYS', 'EVM_SIGNER_KEYS', 'ADMIN_KEY']

const nonceOf = ({ payment: { permit2, authorization } }: Pick<Customer, 'payment'>): string =>
  permit2 ? String(permit2.nonce) : authorization.nonce

function answeredOf({ tier, subject }: Target, { payment, ip }: Customer, answer: ProcessAnswer): Answered {
  const { from: payer, to: payTo, value } = payment.authorization
  const nonce = nonceOf({ payment })
  const { address: asset } = mainAsset(NETWORK)
  const asked = { subject: subject(ip), tier, network: NETWORK, payer, nonce, payTo, asset, value: String(value) }
  const at = new Date().toISOString()
  if (answer === 'no answer') return { at, ...asked, settlementId: null, replayed: false, status: null, body: {} }
  const { status, body, headers } = answer
  return {
    at,
    ...asked,
    status,
    body,
    settlementId: headers.get('x-settlement-id'),
    replayed: headers.get('idempotent-replayed') === 'true',
  }
}

/** Expects that the retry gets the one success, the next request a 409, and that the money moved once, with one history row. */
export async function expectOneSuccess(setup: KillSetup, customer: Customer): Promise<void> {
  // A request may have answered the success just before the kill; no later request gets it again.
  const answered = (await setup.settlementsOf(customer)).some(({ deliveredAt }) => deliveredAt)
  const service = await setup.start()
  expect(await setup.retry(service, customer)).toMatchObject(
    answered ? { status: 409 } : { status: 200, body: { success: true } },
  )
  expect(await setup.settle(service, customer)).toMatchObject({ status: 409 })
  await until(async () => (await setup.balanceOf(customer)) === 0n, 'the money to move')
  expect(await setup.settlementsOf(customer)).toHaveLength(1)
  expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
}

/** True for one of our transfers: it has more bytes than a transaction that only uses up a nonce. */
export const isTransfer = (raw: unknown): raw is Hex => typeof raw === 'string' && raw.length > 400
