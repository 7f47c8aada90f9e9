import { createHash } from 'node:crypto'
import type { FreshDatabase } from '../../support/database/database'
import type { RpcProxy } from '../../support/nodes/faulty-node'
import { freshIp } from '../../support/service/client'
import { type ProcessAnswer, postTo, type ServiceProcess, startServiceProcess } from '../../support/service/process'
import { type SvmHarness, type SvmHarnessOptions, type SvmPurchase, startSvmHarness } from '../../support/svm/harness'
import { type AuditReport, newRecords } from '../audit'
import type { Answered } from '../auditor/description'

/** A customer of a merchant: its Solana payment, which is retried unchanged, and its IP address. */
export type SvmCustomer = SvmPurchase & { ip: string }

/** One database, one cluster behind a proxied node, and the services that a test starts on them and kills. */
export type SvmKillSetup = {
  harness: SvmHarness
  node: RpcProxy
  /** Starts a service and waits until it can settle, or until its log contains `awaited`. */
  start: (variables?: Record<string, string>, awaited?: string) => Promise<ServiceProcess>
  /** Kills every running service and stops disturbing the node. */
  clear: () => Promise<void>
  /** A payment of a new payer's whole balance. */
  newCustomer: (options?: Parameters<SvmHarness['purchase']>[0]) => Promise<SvmCustomer>
  /** Settles as the customer's merchant does, and records the answer for the auditor. */
  settle: (service: Pick<ServiceProcess, 'url'>, customer: SvmCustomer) => Promise<ProcessAnswer>
  settlementsOf: (customer: SvmCustomer) => ReturnType<FreshDatabase['db']['settlement']['findMany']>
  /** The auditor's counts over everything that happened here. */
  audit: () => Promise<AuditReport['counts']>
  close: () => Promise<void>
}

/** Makes a setup whose payments go to the sandbox. */
export async function startSvmKillSetup(options: SvmHarnessOptions): Promise<SvmKillSetup> {
  // Only the harness's chain, node and database are used; the killed services are separate processes.
  const [harness, records] = await Promise.all([startSvmHarness(options), newRecords()])
  const { db, env, node, solana, feePayers } = harness
  await harness.app.close()
  const running: ServiceProcess[] = []

  async function start(changes: Record<string, string> = {}, awaited?: string): Promise<ServiceProcess> {
    const service = await startServiceProcess({ ...env, ...changes }, awaited)
    running.push(service)
    return service
  }

  return {
    harness,
    node,
    start,
    async clear() {
      node.calm()
      for (const service of running.splice(0)) {
        await service.kill('SIGKILL')
        await records.printed(service.output())
      }
    },
    newCustomer: async (wishes = {}) => ({ ...(await harness.purchase({ balance: 1_000n, ...wishes })), ip: freshIp() }),
    async settle(service, customer) {
      const answer = await postTo(service, '/sandbox/settle', customer.body, customer.ip)
      await records.answered(answeredOf(solana, customer, answer))
      return answer
    },
    settlementsOf: ({ transaction }) =>
      db.settlement.findMany({ where: { intentKey: keyOf(transaction), state: { not: 'REJECTED' } } }),
    async audit() {
      // The next service finishes what the last killed one left open.
      await start()
      for (const service of running) await records.printed(service.output())
      const { counts } = await records.audit({
        databaseUrl: env.DATABASE_URL ?? '',
        chains: [
          {
            network: solana.network,
            rpcUrl: solana.url,
            usdc: solana.mint,
            sponsors: feePayers.map(({ address }) => address),
          },
        ],
        secrets: SECRETS.map((name) => env[name] ?? ''),
        quotas: { ip: 1_000 },
        // Ten times the duration on an idle machine, or a blockhash's life plus finality.
        bounds: { settlementMs: 180_000, slotMs: 60_000 },
      })
      return counts
    },
    async close() {
      await Promise.all(running.map((service) => service.kill('SIGKILL')))
      await Promise.all([harness.closeAround(), records.remove()])
    },
  }
}

const SECRETS = ['DATABASE_URL', 'SOLANA_DEVNET_RPC_URL', 'SOLANA_SANDBOX_SIGNER_KEYS', 'ADMIN_KEY']

/** The SHA-256 of the message, which follows the signatures. */
function keyOf(transaction: string): Uint8Array<ArrayBuffer> {
  const wire = Buffer.from(transaction, 'base64')
  return new Uint8Array(
    createHash('sha256')
      .update(wire.subarray(1 + 64 * (wire[0] ?? 0)))
      .digest(),
  )
}

type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

/** The auditor's record of a settle answer. */
export function answeredOf(
  { network, mint: asset }: Pick<SvmHarness['solana'], 'network' | 'mint'>,
  { payer, payTo, transaction, ip }: Pick<SvmCustomer, 'payer' | 'payTo' | 'transaction' | 'ip'>,
  answer: Answer | 'no answer',
): Answered {
  const nonce = `0x${Buffer.from(keyOf(transaction)).toString('hex')}`
  const terms = { payer: payer.address, nonce, payTo, asset, value: '1000' }
  const asked = { subject: `ip:${ip}`, tier: 'sandbox' as const, network, ...terms }
  const at = new Date().toISOString()
  if (answer === 'no answer') return { at, ...asked, settlementId: null, replayed: false, status: null, body: {} }
  const { status, body, headers } = answer
  return { at, ...asked, status, body, settlementId: headers.get('x-settlement-id'), replayed: false }
}
