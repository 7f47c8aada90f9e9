import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp } from '../../test/support/service/client'
import { postTo, type ServiceProcess, startServiceProcess } from '../../test/support/service/process'
import { until } from '../../test/support/until'

// Each instance has a lane and a node of its own.
let chain: Chain
let database: FreshDatabase
const nodes: RpcProxy[] = []
const services: ServiceProcess[] = []
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  for (const _ of [1, 2]) {
    const node = await startRpcProxy(chain.url)
    nodes.push(node)
    const env = { DATABASE_URL: database.url, BASE_SEPOLIA_RPC_URL: node.url, EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain) }
    const timing = { LEASE_MS: '2000', SETTLE_DEADLINE_MS: '20000', RECHECK_MS: '300', FINALITY_DEPTH: '2' }
    services.push(await startServiceProcess({ ...env, ...timing }))
  }
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill('SIGKILL')))
  await Promise.all([database.close(), chain.stop(), ...nodes.map((node) => node.close())])
})

const blind = (node: RpcProxy | undefined, isBlind: boolean) =>
  node?.disturb(({ method }) => (isBlind && method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
const stateOf = async ({ authorization: { from } }: SignedPayment) =>
  (await database.db.settlement.findFirst({ where: { payer: from.toLowerCase() } }))?.state

/** Sends a payment to one instance, which sees no receipts for now, and waits until it is sent. */
async function inFlight(at: 0 | 1): Promise<{ answer: ReturnType<typeof postTo> }> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  const payment = await signed(payer)
  const service = services[at]
  if (!service) throw new Error('that instance was not started')
  const answer = postTo(service, '/sandbox/settle', v2Body(payment), freshIp())
  await until(async () => (await stateOf(payment)) === 'BROADCAST', 'the send')
  return { answer }
}

async function newestBlock(): Promise<unknown> {
  const response = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }),
  })
  const { result } = await response.json()
  return result
}

const watcher = async () =>
  (await database.db.watchCursor.findFirst({ where: { network: 'eip155:84532', leaseUntil: { gt: new Date() } } }))?.holder

describe('of two instances, each with a lane', () => {
  test('one watches for both: what the other sent lands though the other never sees a receipt', async () => {
    for (const node of nodes) blind(node, true)
    const mine = await inFlight(0)
    await until(async () => (await watcher()) !== undefined, 'an instance to watch')
    const holder = await watcher()
    const theirs = await inFlight(1)
    expect(await watcher()).toBe(holder)
    blind(nodes[0], false)
    for (const { answer } of [mine, theirs]) expect(await answer).toMatchObject({ status: 200, body: { success: true } })
  })

  test("the other one watches when the watcher's node stands still", async () => {
    const frozen = await newestBlock()
    for (const node of nodes) blind(node, true)
    const mine = await inFlight(0)
    await until(async () => (await watcher()) !== undefined, 'an instance to watch')
    nodes[0]?.disturb(({ method, params }) => {
      if (method === 'eth_getTransactionReceipt') return { result: null }
      return method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { result: frozen } : undefined
    })
    const theirs = await inFlight(1)
    blind(nodes[1], false)
    for (const { answer } of [mine, theirs]) expect(await answer).toMatchObject({ status: 200, body: { success: true } })
  })

  test('the other one watches when the watcher is killed', async () => {
    for (const node of nodes) blind(node, false)
    const settled = async () => (await database.db.settlement.count({ where: { state: { not: 'FINAL' } } })) === 0
    await until(async () => (await settled()) && (await watcher()) === undefined, 'nothing to watch', 20_000)
    for (const node of nodes) blind(node, true)
    await inFlight(0)
    await until(async () => (await watcher()) !== undefined, 'an instance to watch')
    const holder = await watcher()
    const left = await inFlight(1)
    await services[0]?.kill('SIGKILL')
    blind(nodes[1], false)
    expect(await left.answer).toMatchObject({ status: 200, body: { success: true } })
    expect(await watcher()).not.toBe(holder)
  })
})
