import { expect, test } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import type { Db } from '../db/database'

const { harness, node } = proxiedHarness()

test('a payment is judged in one round trip to the node', async () => {
  const body = v2Body(await signed(await harness.payer()))
  const before = node.requests()
  expect(await post(harness.app, 'verify', body)).toMatchObject({ body: { isValid: true } })
  expect(node.requests() - before).toBe(1)
})

test('payments judged at the same moment share round trips', async () => {
  const payer = await harness.payer()
  const bodies = await Promise.all(Array.from({ length: 20 }, async () => v2Body(await signed(payer))))
  const before = node.requests()
  await Promise.all(bodies.map((body) => post(harness.app, 'verify', body)))
  expect(node.requests() - before).toBeLessThan(20)
})

/** Counts the statements of requests to this app, and how many went one after the other. */
function counted() {
  const count = { statements: 0, rounds: 0 }
  let open = 0
  const one = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (open++ === 0) count.rounds++
    count.statements++
    return run().finally(() => open--)
  }
  const { db } = harness.app
  const typed: object = db.$extends({ query: { $allModels: { $allOperations: ({ args, query }) => one(() => query(args)) } } })
  const direct = new Map<string | symbol, unknown>(
    (['query', 'queryUnprepared', 'execute'] as const).map((name) => [
      name,
      (...args: [TemplateStringsArray]) => one<unknown>(() => db[name](...args)),
    ]),
  )
  const client = new Proxy(typed, { get: (target, name) => direct.get(name) ?? Reflect.get(target, name) })
  return { app: { ...harness.app, db: client as Db }, count }
}

test('a verification is two round trips to the database, and a failed judgement no more', async () => {
  const body = v2Body(await signed(await harness.payer()))
  const broken = v2Body(await signed(await harness.payer()), { requirements: { amount: '2000' } })
  const seen = []
  for (const [route, asked] of [
    ['verify', body],
    ['settle', broken],
    ['verify', v2Body(await signed(await harness.payer(0n)))],
    ['settle', v2Body(await signed(await harness.payer(0n)))],
  ] as const) {
    const { app, count } = counted()
    expect((await post(app, route, asked)).status).toBe(200)
    seen.push(count)
  }
  expect(seen).toEqual(Array(4).fill({ statements: 3, rounds: 2 }))
})

test('judging never sends anything that is signed', async () => {
  await post(harness.app, 'verify', v2Body(await signed(await harness.payer())))
  expect(node.seen).not.toContain('eth_sendRawTransaction')
})

test('a node gets no calls while nothing is in flight', async () => {
  const body = v2Body(await signed(await harness.payer()))
  expect(await post(harness.app, 'settle', body)).toMatchObject({ body: { success: true } })
  await expect.poll(() => harness.app.db.settlement.count({ where: { state: 'FINAL' } }), { timeout: 10_000 }).toBe(1)
  const before = node.seen.length
  await new Promise((resolve) => setTimeout(resolve, 600))
  const upkeep = ['eth_getBalance', 'eth_getBlockByNumber', 'eth_chainId']
  expect(node.seen.slice(before).filter((method) => !upkeep.includes(method))).toEqual([])
})
