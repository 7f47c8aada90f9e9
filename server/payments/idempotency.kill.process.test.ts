import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp } from '../../test/support/service/client'
import { killedItself, postTo, type ServiceProcess, startServiceProcess } from '../../test/support/service/process'

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
    LEASE_MS: '1000',
    SETTLE_DEADLINE_MS: '3000',
    RECHECK_MS: '300',
    FINALITY_DEPTH: '2',
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

/** A payment that a process settled and died before it answered, with the retries that its sender may try. */
async function unheard() {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  const [ip, body, key] = [freshIp(), v2Body(await signed(payer)), randomUUID()]
  const ask = (service: ServiceProcess, headers: Record<string, string> = {}) =>
    postTo(service, '/sandbox/settle', body, ip, headers)
  const named = { 'idempotency-key': key }
  const doomed = await start({ ...env, FAILPOINT: 'delivered' })
  expect(await ask(doomed, named)).toBe('no answer')
  await killedItself(doomed)
  expect(await database.db.idempotency.findFirst({ where: { key } })).toMatchObject({ answer: null })
  return {
    ask: (service: ServiceProcess) => ask(service),
    askAgain: (service: ServiceProcess) => ask(service, named),
    /** As if the time that its request may take were over. */
    unlock: () => database.db.idempotency.updateMany({ where: { key }, data: { lockedUntil: new Date(0) } }),
    balance: () => chain.tokens(payer.address),
    settlement: () => database.db.settlement.findFirstOrThrow({ where: { payer: payer.address.toLowerCase() } }),
  }
}

describe('a process killed between delivering a success and keeping the answer', () => {
  test("its key waits for the dead request's lock to end, then gets the success from the ledger; the money moved once", async () => {
    const payment = await unheard()
    const service = await start(env)
    expect(await payment.askAgain(service)).toMatchObject({ status: 409, body: { errorReason: 'idempotency_conflict' } })
    await payment.unlock()
    const { txHash, id } = await payment.settlement()
    const answer = await payment.askAgain(service)
    expect(answer).toMatchObject({ status: 200, body: { success: true, transaction: txHash } })
    const repeated = await payment.askAgain(service)
    expect(repeated).toMatchObject({ status: 200, body: answer === 'no answer' ? {} : answer.body })
    if (repeated === 'no answer') throw new Error('no answer')
    expect([repeated.headers.get('idempotent-replayed'), repeated.headers.get('x-settlement-id')]).toEqual(['true', id])
    expect([await payment.balance(), await database.db.history.count({ where: { settlementId: id } })]).toEqual([0n, 1])
  })

  test('without the key the repetition is a conflict, which takes nothing from the one with the key', async () => {
    const payment = await unheard()
    await payment.unlock()
    const service = await start(env)
    expect(await payment.ask(service)).toMatchObject({ status: 409, body: { errorReason: 'duplicate_settlement' } })
    expect(await payment.askAgain(service)).toMatchObject({ status: 200, body: { success: true } })
    expect(await payment.balance()).toBe(0n)
  })
})
