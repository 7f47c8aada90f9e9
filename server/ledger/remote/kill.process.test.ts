import { nonceManager } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import { fundedKey } from '../../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database/database'
import { type OfficialFacilitator, startOfficialFacilitator } from '../../../test/support/nodes/official-facilitator'
import { TOKEN } from '../../../test/support/nodes/remote-harness'
import { disturbances, type RemoteProxy, sendAfterCaller, startRemoteProxy } from '../../../test/support/nodes/remote-proxy'
import { type SignedPayment, signed, v2Body } from '../../../test/support/payloads/payments'
import { freshIp } from '../../../test/support/service/client'
import { killedItself, postTo, type ServiceProcess, startServiceProcess } from '../../../test/support/service/process'
import { until } from '../../../test/support/until'
import type { FailpointName } from '../../base/failpoints'

let chain: Chain
let database: FreshDatabase
let official: OfficialFacilitator
let line: RemoteProxy
let env: Record<string, string>
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  const key = await fundedKey(chain)
  official = await startOfficialFacilitator({ chainId: 84532, chainUrl: chain.url, key, nonceManager })
  line = await startRemoteProxy(official.url)
  env = {
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: chain.url,
    REMOTE_SANDBOX_URL: line.url,
    REMOTE_SANDBOX_TOKEN: TOKEN,
    SETTLE_DEADLINE_MS: '3000',
    RECHECK_MS: '300',
    FINALITY_DEPTH: '2',
  }
})
const running: ServiceProcess[] = []
afterEach(async () => {
  line.disturb(null)
  await Promise.all(running.splice(0).map((service) => service.kill('SIGKILL')))
})
afterAll(async () => {
  await Promise.all([database.close(), chain.stop(), line.close(), official.close()])
})

async function start(variables: Record<string, string>): Promise<ServiceProcess> {
  // No lane is ready here that the log would show.
  const service = await startServiceProcess(variables, '')
  running.push(service)
  return service
}

async function newPayment(validSeconds = 600n): Promise<SignedPayment> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  return signed(payer, { validBefore: (await chain.client.getBlock()).timestamp + validSeconds })
}

const payerOf = ({ authorization }: SignedPayment) => authorization.from.toLowerCase()
const balanceOf = ({ authorization }: SignedPayment) => chain.tokens(authorization.from)
const settlementsOf = (payment: SignedPayment) =>
  database.db.settlement.findMany({ where: { payer: payerOf(payment), state: { not: 'REJECTED' } } })
const historyOf = (payment: SignedPayment) => database.db.history.findMany({ where: { payer: payerOf(payment) } })

/** Retries the identical request until it gets its one success. */
async function retry(service: ServiceProcess, payment: SignedPayment, ip: string): Promise<void> {
  await until(
    async () => {
      const answer = await postTo(service, '/sandbox/settle', v2Body(payment), ip)
      return answer !== 'no answer' && answer.body.success === true
    },
    'the retry to get the success',
    30_000,
    250,
  )
}

describe('a process killed with kill -9', () => {
  test.each<FailpointName>(['claimed', 'answered', 'landed'])(
    'when it had just %s: another one finishes, one call, one transfer, one success',
    async (moment) => {
      const payment = await newPayment()
      const ip = freshIp()
      // We could see the transfer on the chain before the response, and answer the success: so it comes after the kill.
      if (moment === 'answered') line.disturb(sendAfterCaller)
      const doomed = await start({ ...env, FAILPOINT: moment })
      expect(await postTo(doomed, '/sandbox/settle', v2Body(payment), ip)).toBe('no answer')
      await killedItself(doomed)
      const service = await start(env)
      await retry(service, payment, ip)
      expect(await postTo(service, '/sandbox/settle', v2Body(payment), ip)).toMatchObject({ status: 409 })
      expect([line.settles(payment.authorization.nonce), await balanceOf(payment)]).toEqual([1, 0n])
      expect(await settlementsOf(payment)).toHaveLength(1)
      expect(await historyOf(payment)).toMatchObject([{ success: true }])
    },
  )

  test('during the call: another one finds the transfer on the chain', async () => {
    const payment = await newPayment()
    const ip = freshIp()
    line.disturb(disturbances['sends and then says nothing for long'])
    const doomed = await start({ ...env, FAILPOINT: 'mined' })
    expect(await postTo(doomed, '/sandbox/settle', v2Body(payment), ip)).toBe('no answer')
    await killedItself(doomed)
    const service = await start(env)
    await retry(service, payment, ip)
    expect([line.settles(payment.authorization.nonce), await balanceOf(payment)]).toEqual([1, 0n])
    expect(await historyOf(payment)).toMatchObject([{ success: true }])
  })

  test('between the hand-over and the call: no call is made, and the intent is held until it provably expired', async () => {
    const payment = await newPayment(20n)
    const ip = freshIp()
    const doomed = await start({ ...env, FAILPOINT: 'handed over' })
    expect(await postTo(doomed, '/sandbox/settle', v2Body(payment), ip)).toBe('no answer')
    await killedItself(doomed)
    const service = await start(env)
    await until(async () => (await settlementsOf(payment))[0]?.state === 'EXPIRED', 'the end', 60_000)
    expect([line.settles(payment.authorization.nonce), await balanceOf(payment)]).toEqual([0, 1_000n])
    expect(await historyOf(payment)).toMatchObject([{ success: false, txHash: '' }])
    expect(service.output()).not.toContain(TOKEN)
  })
})
