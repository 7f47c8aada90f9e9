import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { frontRun } from '../../test/support/chain/front-run'
import { fixture } from '../../test/support/fixture'
import { keepLog } from '../../test/support/log-lines'
import type { Call, Fate, RpcProxy } from '../../test/support/nodes/faulty-node'
import { startProxiedHarness } from '../../test/support/nodes/proxied-harness'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { until } from '../../test/support/until'

const { log, lines } = keepLog()
const env = { SETTLE_DEADLINE_MS: '8000', TWO_ENDPOINT_AMOUNT: '0.005' }
const all = fixture(() => startProxiedHarness({ nodes: 2, env, log }))
afterEach(() => {
  for (const node of all.nodes) node.calm()
  lines.length = 0
})

const endpoints = (): [RpcProxy, RpcProxy] => {
  const [first, second] = all.nodes
  if (!first || !second) throw new Error('two nodes were started')
  return [first, second]
}
const settle = (payment: SignedPayment, amount = '1000') =>
  post(all.harness.app, 'settle', v2Body(payment, { requirements: { amount, payTo: payment.authorization.to } }), {
    ip: freshIp(),
  })
const rowOf = ({ authorization: { from } }: SignedPayment) =>
  all.harness.app.db.settlement.findFirst({ where: { payer: from.toLowerCase() } })
const becomes = (payment: SignedPayment, state: string) =>
  until(async () => (await rowOf(payment))?.state === state, `the payment to be ${state}`)
const paid = ({ authorization: { to } }: SignedPayment) => all.harness.chain.tokens(to)
const logged = (text: string, times: number) =>
  until(() => lines.filter((line) => line.includes(text)).length >= times, `"${text}" in the log, ${times} times`)
const newPayment = async (value = 1_000n) => signed(await all.harness.payer(), { to: newRecipient(), value })

let recipients = 0
const newRecipient = (): Hex => `0x${(++recipients).toString(16).padStart(40, '9')}`

const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The receipt of this payment as if a transaction had made it in a block of the chain. */
async function forged({ authorization }: SignedPayment, node: RpcProxy, { params: [hash] }: Call): Promise<Fate> {
  const { from, to, value, nonce } = authorization
  const { result } = await node.forward('eth_getBlockByNumber', ['0x3', false])
  const { hash: blockHash } = Object(result)
  const shared = { address: all.harness.chain.usdc, transactionHash: hash, blockHash, blockNumber: '0x3' }
  const used = encodeEventTopics({ abi, eventName: 'AuthorizationUsed', args: { authorizer: from, nonce } })
  const moved = encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } })
  const logs = [
    { ...shared, topics: used, data: '0x', logIndex: '0x0' },
    { ...shared, topics: moved, data: encodeAbiParameters([{ type: 'uint256' }], [value]), logIndex: '0x1' },
  ]
  const gas = { gasUsed: '0x5208', effectiveGasPrice: '0x1' }
  return { result: { transactionHash: hash, blockHash, blockNumber: '0x3', status: '0x1', ...gas, logs } }
}

const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction'
const isReceipt = ({ method }: Call) => method === 'eth_getTransactionReceipt'
/** Takes bytes and forgets them. */
const forgets = (call: Call): Fate => (isSend(call) ? { result: `0x${'11'.repeat(32)}` } : undefined)

test('a receipt that one of two endpoints forges never makes a payment final', async () => {
  const [first, second] = endpoints()
  const payment = await newPayment()
  second.disturb(forgets)
  first.disturb((call) => (isReceipt(call) ? forged(payment, first, call) : forgets(call)))
  // One endpoint is enough for the answer of a small payment, as SECURITY.md says.
  expect(await settle(payment)).toMatchObject({ body: { success: true } })
  await logged('no second endpoint has landed transfers', 2)
  expect([(await rowOf(payment))?.state, await paid(payment)]).toEqual(['INCLUDED', 0n])
  for (const node of all.nodes) node.calm()
  // It is in flight again, and lands.
  await until(async () => (await paid(payment)) === 1_000n, 'the money to move', 90_000)
  await becomes(payment, 'FINAL')
})

test('a clock that one of two endpoints sets forward ends no live payment', async () => {
  const [first, second] = endpoints()
  const payment = await newPayment()
  for (const node of [first, second]) node.disturb(forgets)
  const pending = settle(payment)
  await until(async () => ['PREPARED', 'BROADCAST'].includes((await rowOf(payment))?.state ?? ''), 'it to be signed')
  first.disturb(async (call) => {
    if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'latest') return forgets(call)
    const { result } = await first.forward(call.method, call.params)
    return { result: { ...Object(result), timestamp: numberToHex(2n ** 40n) } }
  })
  await logged('no second endpoint shows what one shows', 2)
  expect(await pending).toMatchObject({ body: { success: false, errorReason: 'settlement_pending' } })
  expect(['PREPARED', 'BROADCAST']).toContain((await rowOf(payment))?.state)
  for (const node of all.nodes) node.calm()
  await becomes(payment, 'FINAL')
  expect(await paid(payment)).toBe(1_000n)
})

test('while one of two endpoints is down payments succeed, and none ends before it is back', async () => {
  const [, second] = endpoints()
  second.receive(() => 'cut')
  const payment = await newPayment()
  expect(await settle(payment)).toMatchObject({ body: { success: true } })
  await logged('no second endpoint has landed transfers', 1)
  expect((await rowOf(payment))?.state).toBe('INCLUDED')
  second.calm()
  await becomes(payment, 'FINAL')
})

test('a payment that failed on the chain ends once a second endpoint shows it', async () => {
  const [first, second] = endpoints()
  const payment = await newPayment()
  for (const node of [first, second]) node.disturb(forgets)
  const pending = settle(payment)
  await until(async () => ['PREPARED', 'BROADCAST'].includes((await rowOf(payment))?.state ?? ''), 'it to be signed')
  await frontRun(all.harness.chain, payment)
  await until(async () => (await paid(payment)) === 1_000n, 'the other transaction')
  second.receive(() => 'cut')
  first.calm()
  await logged('no second endpoint shows what one shows', 1)
  expect(['PREPARED', 'BROADCAST']).toContain((await rowOf(payment))?.state)
  second.calm()
  await pending
  await until(async () => ['REVERTED', 'USED_ELSEWHERE'].includes((await rowOf(payment))?.state ?? ''), 'it to fail', 90_000)
})

test('a large payment succeeds only when two endpoints show it', async () => {
  const [, second] = endpoints()
  const payment = await newPayment(5_000n)
  second.receive(() => 'cut')
  const answer = await settle(payment, '5000')
  expect(answer).toMatchObject({ body: { success: false, errorReason: 'settlement_pending' } })
  expect(await paid(payment)).toBe(5_000n)
  expect(['PREPARED', 'BROADCAST']).toContain((await rowOf(payment))?.state)
  second.calm()
  await becomes(payment, 'FINAL')
  expect(await settle(await newPayment(5_000n), '5000')).toMatchObject({ body: { success: true } })
})
