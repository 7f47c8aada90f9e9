import { numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { keepLog } from '../../test/support/log-lines'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { until } from '../../test/support/until'
import { createApp, type RunningApp } from '../boot/app'
import { readEnv } from '../env/env'

let chain: Chain
let database: FreshDatabase
let nodes: [RpcProxy, RpcProxy]
let key: string
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  nodes = [await startRpcProxy(chain.url), await startRpcProxy(chain.url)]
  key = await fundedKey(chain)
  // The ledger has sent by this lane before.
  await serving(nodes, async ({ app }) => {
    await becomes(app, 'ready')
    expect(await settle(app, await newPayment())).toMatchObject({ body: { success: true } })
  })
})
afterEach(async () => {
  for (const node of nodes) node.calm()
  await database.db.lane.updateMany({ data: { status: 'ready', quarantinedAt: null, quarantineWhy: null } })
})
afterAll(async () => {
  await Promise.all([database.close(), chain.stop(), ...nodes.map((node) => node.close())])
})

type Service = { app: RunningApp; lines: string[] }

async function serving(through: RpcProxy[], work: (service: Service) => Promise<void>): Promise<void> {
  const { log, lines } = keepLog()
  const urls = through.map(({ url }) => url).join(',')
  const env = { DATABASE_URL: database.url, BASE_SEPOLIA_RPC_URL: urls, EVM_SANDBOX_SIGNER_KEYS: key }
  const timing = { FINALITY_DEPTH: '2', RECHECK_MS: '500', LEASE_MS: '2000', SETTLE_DEADLINE_MS: '30000' }
  const app = await createApp(readEnv({ NODE_ENV: 'test', ...env, ...timing }), log)
  try {
    await work({ app, lines })
  } finally {
    await app.close()
  }
}

const laneOf = (app: RunningApp) => app.engine.laneStatus()[0]?.status
const becomes = (app: RunningApp, status: string) => until(() => laneOf(app) === status, `the lane to be ${status}`)
const settle = (app: RunningApp, payment: SignedPayment) => post(app, 'settle', v2Body(payment), { ip: freshIp() })
const quarantines = async () => (await database.db.lane.findMany({ where: { status: 'quarantined' } })).length

async function newPayment(): Promise<SignedPayment> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  return signed(payer)
}

/** Has a node count transactions that are not there, in so many answers. */
function miscount(node: RpcProxy, answers = Number.POSITIVE_INFINITY): void {
  let left = answers
  node.disturb(({ method }) =>
    method === 'eth_getTransactionCount' && left-- > 0 ? { result: numberToHex(1_000_000) } : undefined,
  )
}

test('one wrong count of the only node does not stop a lane', async () => {
  const [node] = nodes
  miscount(node, 2)
  await serving([node], async ({ app }) => {
    await becomes(app, 'ready')
    expect(await settle(app, await newPayment())).toMatchObject({ body: { success: true } })
  })
  expect(await quarantines()).toBe(0)
})

test('a node that miscounts all the time stops no lane for good while another contradicts it', async () => {
  const [node] = nodes
  miscount(node)
  await serving(nodes, async ({ app, lines }) => {
    await until(() => lines.some((line) => line.includes('a lane waits until its nodes agree')), 'the lane to wait')
    expect([laneOf(app), await quarantines()]).toEqual(['starting', 0])
    node.calm()
    await becomes(app, 'ready')
  })
})

test('a node that refuses a nonce and miscounts does not stop a lane while another contradicts it', async () => {
  const [node, other] = nodes
  await serving(nodes, async ({ app, lines }) => {
    await becomes(app, 'ready')
    const refusing = { error: { code: -32_000, message: 'nonce too low' } }
    const isSend = (method: string) => method === 'eth_sendRawTransaction'
    node.disturb(({ method }) => {
      if (isSend(method)) return refusing
      return method === 'eth_getTransactionCount' ? { result: numberToHex(1_000_000) } : undefined
    })
    other.disturb(({ method }) => (isSend(method) ? refusing : undefined))
    const paid = settle(app, await newPayment())
    const refusals = () => lines.filter((line) => line.includes('send not accepted')).length
    await until(() => refusals() >= 10 || laneOf(app) === 'quarantined', 'many refusals', 25_000)
    expect(await quarantines()).toBe(0)
    node.calm()
    other.calm()
    expect(await paid).toMatchObject({ body: { success: true } })
  })
})

test('a node that stays behind stops no lane while another has the blocks that the ledger saw', async () => {
  const [node] = nodes
  node.disturb(({ method }) => (method === 'eth_getTransactionCount' ? { result: '0x0' } : undefined))
  await serving(nodes, async ({ app }) => {
    await becomes(app, 'ready')
    expect(await settle(app, await newPayment())).toMatchObject({ body: { success: true } })
  })
  expect(await quarantines()).toBe(0)
})

test('two nodes that agree stop it at once', async () => {
  for (const node of nodes) miscount(node)
  await serving(nodes, async ({ app }) => {
    await becomes(app, 'quarantined')
    expect(await quarantines()).toBe(1)
  })
})
