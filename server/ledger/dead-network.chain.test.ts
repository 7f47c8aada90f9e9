import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { includeOne, newBroadcast, newClaimed, newLanding } from '../../test/support/database/ledger'
import { keepLog } from '../../test/support/log-lines'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { until } from '../../test/support/until'
import type { SignedTransfer } from '../x402/schemes/evm-method'
import { writeTransfer } from '../x402/schemes/evm-methods'

const account = `0x${'11'.repeat(20)}` as const
const times = { validAfter: 0n, validBefore: 4_000_000_000n, nonce: `0x${'22'.repeat(32)}` as const }
const TRANSFER: SignedTransfer = {
  method: 'eip3009',
  asset: account,
  proof: 'key',
  signature: `0x${'11'.repeat(65)}`,
  authorization: { from: account, to: account, value: 1n, ...times },
}

// Base is configured first, so a round reaches it before Base Sepolia.
const DEAD = 'eip155:8453'
const { log, lines } = keepLog()
let base: Chain
let node: RpcProxy
let harness: Harness
beforeAll(async () => {
  base = await startChain({ chainId: 8453, blockTimeSeconds: 0.2 })
  node = await startRpcProxy(base.url)
  const key = await fundedKey(base)
  const env = { BASE_RPC_URL: node.url, EVM_SIGNER_KEYS: key, KYT: 'off', RECHECK_MS: '300' }
  const rpcUrl = async (chain: Chain) => {
    await chain.fund(privateKeyToAccount(key).address, 10n ** 19n)
    return chain.url
  }
  harness = await startHarness({ env, rpcUrl, log })
})
afterEach(async () => {
  node.calm()
  lines.length = 0
  await harness.app.db.settlement.updateMany({ where: { network: DEAD }, data: { nextCheckAt: new Date('9999-01-01') } })
})
afterAll(async () => {
  await harness.close()
  await Promise.all([base.stop(), node.close()])
})

const due = (id: string, returns: number) =>
  harness.app.db.settlement.update({ where: { id }, data: { returns, nextCheckAt: new Date(0), waiterUntil: null } })

const stateOf = async ({ authorization: { from } }: SignedPayment) =>
  (await harness.app.db.settlement.findFirst({ where: { payer: from.toLowerCase() } }))?.state

const dueOnDead: [string, () => Promise<void>][] = [
  [
    'has landed payments',
    async () => {
      const sent = await newBroadcast(harness.app.db, { network: DEAD, transfer: writeTransfer(TRANSFER) })
      expect(await includeOne(harness.app.db, sent, newLanding(sent.hash))).toBe(true)
      await due(sent.settlementId, 0)
    },
  ],
  ['has returned payments', async () => void (await due((await newClaimed(harness.app.db, { network: DEAD })).id, 1))],
]

test.each(dueOnDead)('a network that is dead and %s leaves the others their finality', async (_, prepare) => {
  await prepare()
  node.receive(() => 'cut')
  const payment = await signed(await harness.payer())
  expect(await post(harness.app, 'settle', v2Body(payment), { ip: freshIp() })).toMatchObject({ body: { success: true } })
  await until(async () => (await stateOf(payment)) === 'FINAL', 'the payment on the living network to be final')
  const failures = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'recovery round failed')
  await until(() => failures().length > 0, 'the failure to be logged')
  expect(failures().every(({ network }) => network === DEAD)).toBe(true)
})
