import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { type Chain, startChain } from '../../devnet/chain'
import { freshIp } from '../../test/client'
import { type FreshDatabase, freshDatabase } from '../../test/database'
import { type SignedPayment, signed, until, v2Body } from '../../test/harness'
import { postTo, type ServiceProcess, startServiceProcess } from '../../test/process'
import type { FailpointName } from './failpoints'

let chain: Chain
let database: FreshDatabase
let env: Record<string, string>
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  const signer = generatePrivateKey()
  await chain.fund(privateKeyToAccount(signer).address, 10n ** 19n)
  env = {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: chain.url,
    EVM_SANDBOX_SIGNER_KEYS: signer,
    // Everything a killed process held comes free within these two.
    LEASE_MS: '1000',
    SETTLE_DEADLINE_MS: '3000',
    RECHECK_MS: '300',
    FINALITY_DEPTH: '2',
    BATCH_MAX: '3',
  }
})
const running: ServiceProcess[] = []
afterEach(() => Promise.all(running.splice(0).map((service) => service.kill('SIGKILL'))))
afterAll(async () => {
  await Promise.all([database.close(), chain.stop()])
})

async function start(variables: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess(variables)
  running.push(service)
  return service
}

async function newPayment(): Promise<SignedPayment> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  return signed(payer)
}

const balanceOf = (address: `0x${string}`) =>
  chain.client.readContract({ address: chain.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [address] })
const settlementsOf = (payment: SignedPayment) =>
  database.db.settlement.findMany({ where: { payer: payment.authorization.from.toLowerCase(), state: { not: 'REJECTED' } } })
const wasDelivered = async (payment: SignedPayment) => (await settlementsOf(payment)).some(({ deliveredAt }) => deliveredAt)
const historyOf = (payment: SignedPayment) =>
  database.db.history.findMany({ where: { payer: payment.authorization.from.toLowerCase() } })

async function killedAt(moment: FailpointName, payment: SignedPayment, ip: string): Promise<void> {
  const doomed = await start({ ...env, FAILPOINT: moment })
  expect(await postTo(doomed, '/sandbox/settle', v2Body(payment), ip)).toBe('no answer')
  await doomed.gone
}

/** Repeats the identical request, as a merchant would, until it has its answer: while a dead process still holds the wait it is a conflict. */
async function retry(service: ServiceProcess, payment: SignedPayment, ip: string) {
  let last: Awaited<ReturnType<typeof postTo>> = 'no answer'
  await until(
    async () => {
      last = await postTo(service, '/sandbox/settle', v2Body(payment), ip)
      return last !== 'no answer' && (last.body.success === true || (await wasDelivered(payment)))
    },
    'an answer to the retry',
    15_000,
    // Four times a second: the sandbox allows five.
    250,
  )
  return last
}

describe('a process killed with kill -9', () => {
  test.each<FailpointName>(['claimed', 'signed', 'committed', 'sent', 'mined', 'landed'])(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const payment = await newPayment()
      const ip = freshIp()
      await killedAt(moment, payment, ip)
      const service = await start(env)
      expect(await retry(service, payment, ip)).toMatchObject({ status: 200, body: { success: true } })
      expect(await postTo(service, '/sandbox/settle', v2Body(payment), ip)).toMatchObject({ status: 409 })
      await service.kill('SIGTERM')
      expect(await balanceOf(payment.authorization.from)).toBe(0n)
      expect(await settlementsOf(payment)).toHaveLength(1)
      expect(await historyOf(payment)).toMatchObject([{ success: true }])
    },
    60_000,
  )

  test('when it had delivered: the retry is a conflict that names the transaction, history says success', async () => {
    const payment = await newPayment()
    const ip = freshIp()
    await killedAt('delivered', payment, ip)
    const service = await start(env)
    const [row] = await historyOf(payment)
    expect(row).toMatchObject({ success: true })
    expect(await retry(service, payment, ip)).toMatchObject({ status: 409, body: { transaction: row?.txHash } })
    await service.kill('SIGTERM')
    expect(await balanceOf(payment.authorization.from)).toBe(0n)
  }, 60_000)

  test('under load leaves every payment with one true outcome', async () => {
    const doomed = await start(env)
    const payments = await Promise.all(Array.from({ length: 40 }, newPayment))
    const ips = payments.map(() => freshIp())
    const first = payments.map((payment, at) => postTo(doomed, '/sandbox/settle', v2Body(payment), ips[at] ?? ''))
    await until(async () => (await database.db.attempt.count({ where: { sentAt: { not: null } } })) > 4, 'some sends')
    await doomed.kill('SIGKILL')
    const told = await Promise.all(first)

    const service = await start(env)
    await Promise.all(
      payments.map(async (payment, at) => {
        const answer = told[at]
        if (answer === 'no answer' || answer?.body.success !== true) await retry(service, payment, ips[at] ?? '')
      }),
    )
    for (const payment of payments) {
      expect(await balanceOf(payment.authorization.from)).toBe(0n)
      expect(await settlementsOf(payment)).toHaveLength(1)
      expect(await historyOf(payment)).toMatchObject([{ success: true }])
    }
    const slots = await database.db.slot.findMany({ orderBy: { nonce: 'asc' } })
    expect(slots.map(({ nonce }) => nonce)).toEqual(slots.map((_, at) => BigInt(at)))
    await service.kill('SIGTERM')
  }, 90_000)

  test('on the embedded database keeps what it had promised', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'quittance-kill-'))
    const signer = generatePrivateKey()
    await chain.fund(privateKeyToAccount(signer).address, 10n ** 19n)
    const embedded = { ...env, DATABASE_URL: '', DATA_DIR: folder, EVM_SANDBOX_SIGNER_KEYS: signer }
    const payment = await newPayment()
    const ip = freshIp()
    const doomed = await start({ ...embedded, FAILPOINT: 'sent' })
    expect(await postTo(doomed, '/sandbox/settle', v2Body(payment), ip)).toBe('no answer')
    await doomed.gone
    const service = await start(embedded)
    expect(await postTo(service, '/sandbox/settle', v2Body(payment), ip)).toMatchObject({ status: 200, body: { success: true } })
    expect(await balanceOf(payment.authorization.from)).toBe(0n)
    await service.kill('SIGTERM')
    await rm(folder, { recursive: true })
  }, 60_000)
})
