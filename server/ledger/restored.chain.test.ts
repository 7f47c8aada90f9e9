import { type Hex, type LocalAccount, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Chain, startChain } from '../../devnet/chain'
import { type FreshDatabase, freshDatabase, restoredFrom } from '../../test/support/database/database'
import { keepLog } from '../../test/support/log-lines'
import { PAY_TO, type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { newAdmin } from '../../test/support/service/admin'
import { post } from '../../test/support/service/client'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { until } from '../../test/support/until'
import { createApp, type RunningApp } from '../boot/app'
import { readEnv } from '../env/env'

let chain: Chain
let key: Hex
let signer: LocalAccount
const databases: FreshDatabase[] = []

beforeAll(async () => {
  chain = await startChain({ chainId: 84532, blockTimeSeconds: 0.2 })
  key = generatePrivateKey()
  signer = privateKeyToAccount(key)
  await chain.fund(signer.address, 10n ** 19n)
})
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await chain.stop()
})

type Service = { app: RunningApp; lines: string[] }

/** The service on that database, once its one lane says that; gone when the work is done. */
async function serving<T>(url: string, lane: string, work: (service: Service) => Promise<T>): Promise<T> {
  const { log, lines } = keepLog()
  const env = { DATABASE_URL: url, BASE_SEPOLIA_RPC_URL: chain.url, EVM_SANDBOX_SIGNER_KEYS: key, ADMIN_KEY }
  const app = await createApp(
    readEnv({ NODE_ENV: 'test', FINALITY_DEPTH: '2', RECHECK_MS: '500', LEASE_MS: '1000', ...env }),
    log,
  )
  try {
    await until(() => laneOf(app) === lane, `the lane to be ${lane}`)
    return await work({ app, lines })
  } finally {
    await app.close()
  }
}

const laneOf = (app: RunningApp) => app.engine.laneStatus()[0]?.status
const sent = () => chain.client.getTransactionCount({ address: signer.address })
const settle = ({ app }: Service, payment: SignedPayment) => post(app, 'settle', v2Body(payment))
const alarms = ({ lines }: Service) => lines.filter((line) => line.includes('lane quarantined')).map((line) => JSON.parse(line))

const Lanes = z.object({ lanes: z.array(z.looseObject({ id: z.string() })) })

async function laneIn({ app }: Pick<Service, 'app'>) {
  const { lanes } = Lanes.parse((await newAdmin(app).lanes()).body)
  const [lane] = lanes
  if (!lane) throw new Error('the ledger has no lane')
  return lane
}

async function newPayment(): Promise<SignedPayment> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 2_000n)
  return signed(payer)
}

async function fresh(): Promise<FreshDatabase> {
  const database = await freshDatabase()
  databases.push(database)
  return database
}

const paidBy = async ({ authorization }: SignedPayment) => {
  const events = await chain.client.getContractEvents({
    address: chain.usdc,
    abi: TRANSFER,
    eventName: 'Transfer',
    fromBlock: 0n,
    args: { from: authorization.from, to: PAY_TO },
  })
  return events.length
}

const TRANSFER = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
] as const

describe('a ledger that was restored from a backup, and does not know what was sent since', () => {
  let restored: FreshDatabase
  let lost: SignedPayment[]

  beforeAll(async () => {
    const database = await fresh()
    lost = await Promise.all([1, 2, 3].map(newPayment))
    const settleAll = (payments: SignedPayment[]) =>
      serving(database.url, 'ready', async (service) => {
        for (const payment of payments) expect(await settle(service, payment)).toMatchObject({ body: { success: true } })
      })
    await settleAll([await newPayment()])
    restored = await restoredFrom(database)
    databases.push(restored)
    await settleAll(lost)
  })

  test('signs nothing, and logs the reason at each start', async () => {
    const before = await sent()
    for (let start = 0; start < 2; start++)
      await serving(restored.url, 'quarantined', async (service) => {
        expect(await settle(service, await newPayment())).toMatchObject({
          status: 503,
          body: { success: false, transaction: '' },
        })
        expect(alarms(service)).toMatchObject([{ level: 50, why: 'the chain knows transactions that the ledger does not' }])
      })
    expect(await sent()).toBe(before)
  })

  test('shows the operator which transactions the ledger does not know', () =>
    serving(restored.url, 'quarantined', async (service) => {
      expect(await laneIn(service)).toMatchObject({
        address: signer.address,
        status: 'quarantined',
        why: 'the chain knows transactions that the ledger does not',
        next_nonce: '1',
        chain: { mined: '4', pending: '4' },
        unknown: { from: '1', to: '3' },
        release_at: '4',
      })
    }))

  test('goes on when the operator names the nonce up to which they checked, and at no other', () =>
    serving(restored.url, 'quarantined', async (service) => {
      const admin = newAdmin(service.app)
      const { id } = await laneIn(service)
      for (const next_nonce of ['1', '3', '5']) expect(await admin.release(id, { next_nonce })).toMatchObject({ status: 409 })
      expect(await admin.release(id, { next_nonce: 4 })).toMatchObject({ status: 400 })
      expect(laneOf(service.app)).toBe('quarantined')
      expect(await admin.release(id, { next_nonce: '4' })).toMatchObject({
        status: 200,
        body: { status: 'ready', why: null, quarantined_at: null, next_nonce: '4', unknown: null, release_at: null },
      })
      expect(await admin.release(id, { next_nonce: '4' })).toMatchObject({ status: 409 })
      await until(() => laneOf(service.app) === 'ready', 'the lane to sign again')
      const payment = await newPayment()
      expect(await settle(service, payment)).toMatchObject({ status: 200, body: { success: true } })
      expect(await paidBy(payment)).toBe(1)
    }))

  test('pays nothing twice when merchants repeat what the ledger has lost', () =>
    serving(restored.url, 'ready', async (service) => {
      const before = await sent()
      for (const payment of lost) {
        expect(await settle(service, payment)).toMatchObject({
          status: 200,
          body: { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' },
        })
        expect(await paidBy(payment)).toBe(1)
      }
      expect(await sent()).toBe(before)
    }))
})

test('a pending transaction that the ledger does not know stops a lane too, and cannot be skipped', async () => {
  const { url } = await fresh()
  const begun = await sent()
  await serving(url, 'ready', async (service) => void (await settle(service, await newPayment())))
  await whileNothingIsMined(() =>
    serving(url, 'quarantined', async (service) => {
      const { id, ...lane } = await laneIn(service)
      expect(lane).toMatchObject({ chain: { mined: String(begun + 1), pending: String(begun + 2) }, release_at: null })
      const admin = newAdmin(service.app)
      expect(await admin.release(id, { next_nonce: String(begun + 1) })).toMatchObject({ status: 409 })
      expect(await admin.release(id, { next_nonce: String(begun + 2) })).toMatchObject({ status: 409 })
      await chain.mine(1)
      expect(await admin.release(id, { next_nonce: String(begun + 2) })).toMatchObject({ status: 200 })
    }),
  )
})

test('a lane that the ledger never sent by begins behind all that its signer has sent', async () => {
  const { url } = await fresh()
  const begun = await sent()
  await whileNothingIsMined(() =>
    serving(url, 'starting', async ({ app, lines }) => {
      await until(() => lines.some((line) => line.includes('that the ledger does not know')), 'the lane to say what it waits for')
      expect(laneOf(app)).toBe('starting')
      await chain.mine(1)
      await until(() => laneOf(app) === 'ready', 'the lane to begin')
      expect(await laneIn({ app })).toMatchObject({ next_nonce: String(begun + 1) })
    }),
  )
})

/** Has the signer send something of its own, and no block take it unless one is asked for. */
async function whileNothingIsMined(work: () => Promise<void>): Promise<void> {
  await chain.client.setIntervalMining({ interval: 0 })
  try {
    await chain.client.sendTransaction({ account: signer, to: signer.address, maxFeePerGas: parseGwei('20') })
    await work()
  } finally {
    await chain.client.setIntervalMining({ interval: 1 })
  }
}
