import type { Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { until } from '../../test/support/until'

// Blocks come only when a test makes them. The code of a burner is JUMPDEST PUSH1 0 JUMP: it takes all gas that it gets.
const BURNER = '0x5b600056'
let harness: Harness
let mining: NodeJS.Timeout | undefined
beforeAll(async () => {
  harness = await startHarness({ env: { SETTLE_DEADLINE_MS: '20000', RECHECK_MS: '4000', LANE_IN_FLIGHT: '2' } })
  await harness.chain.client.setIntervalMining({ interval: 0 })
  await harness.chain.client.setAutomine(false)
  mineEvery(150)
})
afterAll(async () => {
  mineEvery(0)
  await harness.close()
})

function mineEvery(ms: number): void {
  clearInterval(mining)
  mining = ms > 0 ? setInterval(() => void harness.chain.mine(1).catch(() => {}), ms) : undefined
}

type Item = { payment: SignedPayment; ip: string }

const newItem = async (payer?: LocalAccount, ip = freshIp()): Promise<Item> => ({
  payment: await signed(payer ?? (await harness.payer())),
  ip,
})
const newItems = (count: number) => Promise.all(Array.from({ length: count }, () => newItem()))
const settle = ({ payment, ip }: Item) => post(harness.app, 'settle', v2Body(payment), { ip })
const rowOf = ({ payment: { authorization } }: Item) =>
  harness.app.db.settlement.findFirstOrThrow({
    where: {
      payer: authorization.from.toLowerCase(),
      transfer: { path: ['authorization', 'nonce'], equals: authorization.nonce },
    },
    include: { members: { include: { slot: true } } },
  })
const kindsOf = async (item: Item) => (await rowOf(item)).members.map(({ slot }) => slot.kind)
const count = (where: object) => harness.app.db.settlement.count({ where })
const setCode = (address: Hex, bytecode: Hex) => harness.chain.client.setCode({ address, bytecode })

/** Queues these behind two payments that wait for a block, as many as the lane may send. No block comes after that one. */
async function queued(items: Item[]) {
  mineEvery(0)
  const ahead = []
  for (const item of await newItems(2)) {
    ahead.push(settle(item))
    await until(async () => (await rowOf(item).catch(() => null))?.state === 'BROADCAST', 'the lane to be busy')
  }
  const before = await count({})
  const answers = items.map(settle)
  await until(async () => (await count({})) === before + items.length, 'the claims')
  await harness.chain.mine(1)
  const isSent = async (item: Item) => (await rowOf(item)).state === 'BROADCAST'
  await until(async () => (await Promise.all(items.map(isSent))).every(Boolean), 'all of them to be sent')
  return { ahead: Promise.all(ahead), answers }
}

/** A payer delegates its account to code that burns all gas, in the next block and before our transactions. */
async function delegate(payer: LocalAccount): Promise<void> {
  const { client } = harness.chain
  const sender = privateKeyToAccount(generatePrivateKey())
  const code = privateKeyToAccount(generatePrivateKey()).address
  await setCode(code, BURNER)
  await client.setBalance({ address: sender.address, value: 10n ** 18n })
  if (!payer.signAuthorization) throw new Error('a local account signs delegations')
  const authorization = await payer.signAuthorization({ address: code, chainId: 84532, nonce: 0 })
  const fees = { gas: 200_000n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerGas: 10n ** 10n }
  await client.sendTransaction({
    account: sender,
    chain: client.chain,
    nonce: 0,
    to: sender.address,
    authorizationList: [authorization],
    ...fees,
  })
}

const burnsOf = ({ payment: { authorization } }: Item) =>
  harness.app.db.payerFailure.findMany({ where: { payer: authorization.from.toLowerCase() } })

test('a payer that delegates its account while its payment is in a batch burns its own share; the 19 others are paid by that transaction', async () => {
  const burner = await harness.payer()
  const items = await newItems(20)
  const burning = await newItem(burner)
  items[7] = burning
  const { answers, ahead } = await queued(items)
  await delegate(burner)
  mineEvery(2_000)
  const honest = await Promise.all(answers.filter((_, at) => at !== 7))
  expect(await harness.chain.client.getCode({ address: burner.address })).toMatch(/^0xef0100/)
  expect(honest.map(({ body }) => body.success)).toEqual(Array.from({ length: 19 }, () => true))
  const hashes = new Set(honest.map(({ body }) => body.transaction))
  expect(hashes.size).toBe(1)
  const { gasUsed } = await harness.chain.client.getTransactionReceipt({ hash: [...hashes][0] as Hex })
  expect(gasUsed).toBeLessThan(60_000n + 19n * 90_000n + 106_000n)
  mineEvery(150)
  await until(async () => (await burnsOf(burning)).length === 1, 'the burn to be counted')
  const { id, network, caller, tenantId } = await rowOf(burning)
  const counted = await harness.app.db.payerFailure.findMany()
  expect(counted).toMatchObject([{ kind: 'burned', settlementId: id, network, party: caller, tenantId }])
  await ahead
})

test('the next attempt of a payer that burnt gas is sent alone and touches no other', async () => {
  const burner = await harness.payer()
  const first = await newItem(burner)
  const { answers: before } = await queued([first, ...(await newItems(2))])
  await setCode(burner.address, BURNER)
  mineEvery(150)
  await until(async () => (await burnsOf(first)).length === 1, 'the burn to be counted')
  await setCode(burner.address, '0x')
  await Promise.all(before)

  const again = await newItem(burner)
  const others = await newItems(5)
  const { answers, ahead } = await queued([again, ...others])
  await setCode(burner.address, BURNER)
  mineEvery(150)
  const [failed, ...landed] = await Promise.all(answers)
  expect(failed?.body.success).toBe(false)
  expect(landed.map(({ body }) => body.success)).toEqual([true, true, true, true, true])
  expect(await kindsOf(again)).toEqual(['pay'])
  expect(await Promise.all(others.map(kindsOf))).toEqual(others.map(() => ['batch']))
  const spent = await harness.app.db.attempt.findFirstOrThrow({
    where: { slot: { members: { some: { settlementId: (await rowOf(again)).id } } } },
  })
  expect(spent.gasUsed).toBeLessThanOrEqual(120_000n)
  await ahead
})

test('unknown payers of a caller with a burner are sent alone; its known payers and those of others are not', async () => {
  const [ip, burner, regular] = [freshIp(), await harness.payer(), await harness.payer()]
  const paid = await newItem(regular, ip)
  expect((await settle(paid)).body.success).toBe(true)
  await until(async () => (await rowOf(paid)).state === 'FINAL', 'the payer to be known')
  const burning = await newItem(burner, ip)
  const { answers: before } = await queued([burning, ...(await newItems(2))])
  await setCode(burner.address, BURNER)
  mineEvery(150)
  await until(async () => (await burnsOf(burning)).length === 1, 'the burn to be counted')
  await setCode(burner.address, '0x')
  await Promise.all(before)

  const known = await newItem(regular, ip)
  const unknown = await newItem(undefined, ip)
  const others = await newItems(3)
  const { answers, ahead } = await queued([known, unknown, ...others])
  mineEvery(150)
  expect((await Promise.all(answers)).map(({ body }) => body.success)).toEqual([true, true, true, true, true])
  expect(await kindsOf(unknown)).toEqual(['pay'])
  expect(await Promise.all([known, ...others].map(kindsOf))).toEqual([known, ...others].map(() => ['batch']))
  await ahead
})
