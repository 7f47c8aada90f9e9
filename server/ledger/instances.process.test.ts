import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp } from '../../test/support/service/client'
import { postTo, type ServiceProcess, startServiceProcess } from '../../test/support/service/process'
import { until } from '../../test/support/until'

let chain: Chain
let node: RpcProxy
let database: FreshDatabase
let env: Record<string, string>
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  node = await startRpcProxy(chain.url)
  env = {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: node.url,
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain),
    LEASE_MS: '2000',
    SETTLE_DEADLINE_MS: '6000',
    RECHECK_MS: '300',
    FINALITY_DEPTH: '2',
  }
})
const running: ServiceProcess[] = []
afterEach(async () => {
  node.disturb(() => undefined)
  await Promise.all(running.splice(0).map((service) => service.kill('SIGKILL')))
})
afterAll(async () => {
  await Promise.all([database.close(), chain.stop(), node.close()])
})

/** Two instances with the same key: the first holds its lane. */
async function startTwo(changes: Record<string, string> = {}): Promise<[ServiceProcess, ServiceProcess]> {
  const holder = await startServiceProcess({ ...env, ...changes })
  running.push(holder)
  const other = await startServiceProcess({ ...env, ...changes }, '"to":"leased elsewhere"')
  running.push(other)
  return [holder, other]
}

async function newPayment(): Promise<SignedPayment> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  return signed(payer)
}

const settle = (service: ServiceProcess, payment: SignedPayment, ip = freshIp()) =>
  postTo(service, '/sandbox/settle', v2Body(payment), ip)
const rowOf = (payment: SignedPayment) =>
  database.db.settlement.findFirstOrThrow({
    where: { payer: payment.authorization.from.toLowerCase(), state: { not: 'REJECTED' } },
  })

describe('two instances on one database', () => {
  test('ask the node for nothing while no payment comes', async () => {
    await startTwo()
    const before = node.seen.length
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(node.seen.slice(before)).toEqual([])
  })

  test('are one service: both settle, one holds the lane, and each payment moves once', async () => {
    const services = await startTwo()
    const payments = await Promise.all(Array.from({ length: 12 }, newPayment))
    const answers = await Promise.all(payments.map((payment, at) => settle(services[at % 2 === 0 ? 0 : 1], payment)))
    expect(answers.map((answer) => answer !== 'no answer' && answer.body.success)).toEqual(Array(12).fill(true))
    for (const { authorization } of payments) expect(await chain.tokens(authorization.from)).toBe(0n)
    const slots = await database.db.slot.findMany({ orderBy: { nonce: 'asc' } })
    expect(slots.map(({ nonce }) => nonce)).toEqual(slots.map((_, at) => BigInt(at)))
  })

  test('settle one payment that comes to both at once only once', async () => {
    const [one, two] = await startTwo()
    const payment = await newPayment()
    const ip = freshIp()
    const answers = await Promise.all([settle(one, payment, ip), settle(two, payment, ip)])
    expect(answers.map((answer) => answer !== 'no answer' && answer.status).sort()).toEqual([200, 409])
  })

  test('wake a retry on one when its payment lands on the other', async () => {
    const [one, two] = await startTwo()
    const payment = await newPayment()
    const ip = freshIp()
    node.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
    expect(await settle(one, payment, ip)).toMatchObject({ body: { errorReason: 'settlement_pending' } })
    const retry = settle(two, payment, ip)
    await until(async () => (await rowOf(payment)).waiter !== null, 'the retry to wait')
    node.disturb(() => undefined)
    expect(await retry).toMatchObject({ status: 200, body: { success: true } })
  })

  test('answer at once for one that is killed: a retry does not wait for the deadline of the request that died', async () => {
    const [one, two] = await startTwo({ SETTLE_DEADLINE_MS: '60000' })
    const payment = await newPayment()
    const ip = freshIp()
    node.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
    const cut = settle(two, payment, ip)
    await until(async () => (await rowOf(payment).catch(() => null))?.state === 'BROADCAST', 'the payment to be sent')
    expect(await settle(one, payment, ip)).toMatchObject({ status: 409 })
    await two.kill('SIGKILL')
    expect(await cut).toBe('no answer')
    node.disturb(() => undefined)
    let answer: Awaited<ReturnType<typeof settle>> = 'no answer'
    const isKnown = async () => {
      answer = await settle(one, payment, ip)
      return answer !== 'no answer' && answer.status === 200
    }
    await until(isKnown, 'the retry to wait', undefined, 100)
    expect(answer).toMatchObject({ body: { success: true } })
  })

  test('keep going when the one that holds the lane is killed: the lane moves, and nothing is sent twice', async () => {
    const [holder, other] = await startTwo()
    const payments = await Promise.all(Array.from({ length: 10 }, newPayment))
    const ips = payments.map(() => freshIp())
    const first = payments.map((payment, at) => settle(holder, payment, ips[at]))
    await until(
      async () => (await database.db.settlement.count({ where: { state: { in: ['PREPARED', 'BROADCAST'] } } })) > 0,
      'some sends',
    )
    await holder.kill('SIGKILL')
    await Promise.all(first)
    await until(() => other.output().includes('"to":"ready"'), 'the lane to move')
    for (const [at, payment] of payments.entries()) {
      await until(
        async () => {
          const answer = await settle(other, payment, ips[at])
          const row = await database.db.settlement.findFirst({
            where: { payer: payment.authorization.from.toLowerCase(), deliveredAt: { not: null } },
          })
          return (answer !== 'no answer' && answer.body.success === true) || row !== null
        },
        'an outcome',
        undefined,
        250,
      )
      expect(await chain.tokens(payment.authorization.from)).toBe(0n)
    }
  })
})
