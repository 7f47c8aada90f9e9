import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { newMerchant } from '../../../test/support/service/surface'
import { callChannel } from '../../../test/support/svm/channels'
import { SOL } from '../../../test/support/svm/harness'
import { startUptoService } from '../../../test/support/svm/upto-service'
import { until } from '../../../test/support/until'
import { distribute } from '../../x402/schemes/upto/svm/instructions'
import { CHANNEL_PROGRAM } from '../../x402/schemes/upto/svm/program'

const EVERY_MS = 200

/** The database's clock does not run ahead: what is due later is due now. */
const lookNow = () => own.app.db.execute`UPDATE "UptoChannel" SET "checkAt" = now() WHERE "closedAt" IS NULL`

// The service's clock runs ahead by this, milliseconds: the chain's does not.
let ahead = 0
const own = fixture(() =>
  startUptoService({
    slotMs: 100,
    env: { RECHECK_MS: '300', SETTLE_DEADLINE_MS: '6000' },
    seams: { channelsEveryMs: EVERY_MS, now: () => new Date(Date.now() + ahead) },
  }),
)
const later = async (seconds: number, run: () => Promise<void>) => {
  ahead = seconds * 1_000
  await lookNow()
  try {
    await run()
  } finally {
    ahead = 0
  }
}
/** The chain's clock runs ahead by so many seconds, the service's does not. */
async function onChainLater(seconds: number, run: () => Promise<void>): Promise<void> {
  await own.chain.runAhead(seconds)
  try {
    await run()
  } finally {
    await own.chain.runAhead(0)
  }
}

/** A channel whose payer began to close it. */
async function closing() {
  const payment = await own.paying()
  const { depositing, payer, channelId } = payment
  expect((await own.merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
  await own.chain.airdrop(payer.address, SOL)
  expect(
    await callChannel(own.chain, payer, 5, [
      [payer.address, 2],
      [channelId, 1],
    ]),
  ).toBeNull()
  return payment
}

const rowOf = (id: string) => own.app.db.uptoChannel.findFirstOrThrow({ where: { id } })
const kindsOf = async (payer: string) =>
  (await own.app.db.settlement.findMany({ where: { payer }, orderBy: { id: 'asc' } })).map(
    ({ kind, state }) => `${kind} ${state}`,
  )

describe('a channel that its merchant forgot', () => {
  test('is closed two minutes after it expired: the payer has all back, and the rent comes back', async () => {
    const { depositing, held, payer, channelId, channel } = await own.paying()
    expect((await own.merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    await later(300 + 60, async () => {
      await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS))
      expect(await held()).toEqual([900_000n, 0n])
    })
    await later(300 + 121, async () => {
      await until(async () => (await held())[0] === 1_000_000n, 'the money to come back')
      await until(async () => (await channel())?.status === 3, 'the payout')
    })
    // No charge was reported: none is in the history.
    expect(await own.app.db.history.count({ where: { payer: payer.address } })).toBe(0)
    await own.chain.advance(1_600)
    await lookNow()
    await until(async () => (await rowOf(channelId)).closedAt !== null, 'the rent to come back', 30_000)
    expect(await channel()).toBeNull()
    expect(await kindsOf(payer.address)).toEqual([
      expect.stringMatching(/^escrow /),
      expect.stringMatching(/^close /),
      expect.stringMatching(/^reclaim /),
    ])
  })

  test('is not looked at before something can be done for it', async () => {
    const { depositing, charging, channelId } = await own.paying()
    const wait = async () => (await rowOf(channelId)).checkAt.getTime() - Date.now()
    expect((await own.merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    // Its voucher ends after 300 seconds, and two minutes later it is closed.
    await until(async () => (await wait()) > 380_000, 'the time to be set')
    expect(await wait()).toBeLessThan(420_000)
    expect((await own.merchant.v1.settle(charging(700n))).body).toMatchObject({ success: true })
    await lookNow()
    // Its rent comes back behind a window of slots.
    await until(async () => (await wait()) > 500_000, 'the time of the rent to be set', 30_000)
    expect(await wait()).toBeLessThan(600_000)
  })

  test('of an ended key is closed too', async () => {
    const merchant = await newMerchant(own.app)
    const { depositing, held } = await own.paying({ by: merchant })
    await merchant.v1.settle(depositing)
    await own.app.db.tenant.update({ where: { id: merchant.tenantId }, data: { revokedAt: new Date() } })
    await later(300 + 121, () => until(async () => (await held())[0] === 1_000_000n, 'the money to come back'))
  })

  test('is paid out when its payer sealed it', async () => {
    const { held, payer, channelId } = await closing()
    await onChainLater(901, async () => expect(await callChannel(own.chain, payer, 6, [[channelId, 1]])).toBeNull())
    await later(300 + 121, () => until(async () => (await held())[0] === 1_000_000n, 'the money to come back'))
  })

  test('is sealed and paid out when the delay of its payer is over', async () => {
    const { held } = await closing()
    await onChainLater(901, () =>
      later(300 + 121, () => until(async () => (await held())[0] === 1_000_000n, 'the money to come back')),
    )
  })

  test('gives its rent back when its payer paid it out', async () => {
    const { held, payer, channelId, channel } = await closing()
    const { accounts, data } = distribute(own.chain.network, await rowOf(channelId))
    await onChainLater(901, async () => {
      expect(await callChannel(own.chain, payer, 6, [[channelId, 1]])).toBeNull()
      const used = accounts.map(({ address, writes }) => [address, writes ? 1 : 0] as const)
      expect(await callChannel(own.chain, payer, 7, used, [...data.slice(1)])).toBeNull()
    })
    expect(await held()).toEqual([1_000_000n, 0n])
    expect(await channel()).toMatchObject({ status: 3 })
    await own.chain.advance(1_600)
    await later(300 + 121, () => until(async () => (await rowOf(channelId)).closedAt !== null, 'the rent to come back', 30_000))
    expect(await channel()).toBeNull()
    expect(await kindsOf(payer.address)).toEqual([expect.stringMatching(/^escrow /), expect.stringMatching(/^reclaim /)])
  })

  test('is kept, with an error, when its account has bytes that cannot be read', async () => {
    const { depositing, held, channelId } = await own.paying()
    expect((await own.merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    await own.chain.advance(1_600)
    const node = own.mainnetNode()
    const value = { lamports: 1, owner: CHANNEL_PROGRAM, data: ['AAAA', 'base64'], executable: false, rentEpoch: 0 }
    const answer = { result: { context: { slot: 1_000_000 }, value } }
    let asked = 0
    node.disturb(({ method, params }) => (method === 'getAccountInfo' && params[0] === channelId && ++asked ? answer : undefined))
    await later(300 + 121, async () => {
      await until(() => asked > 1, 'the channel to be looked at', 30_000)
      expect((await rowOf(channelId)).closedAt).toBeNull()
      node.calm()
      await until(async () => (await held())[0] === 1_000_000n, 'the money to come back', 30_000)
    })
  })

  test('is forgotten when its account is gone', async () => {
    const { payer, channelId } = await closing()
    const { accounts, data } = distribute(own.chain.network, await rowOf(channelId))
    await own.chain.advance(1_600)
    await onChainLater(901, async () => {
      expect(await callChannel(own.chain, payer, 6, [[channelId, 1]])).toBeNull()
      const used = accounts.map(({ address, writes }) => [address, writes ? 1 : 0] as const)
      expect(await callChannel(own.chain, payer, 7, used, [...data.slice(1)])).toBeNull()
    })
    await later(300 + 121, () =>
      until(async () => (await rowOf(channelId)).closedAt !== null, 'the channel to be forgotten', 30_000),
    )
    expect(await kindsOf(payer.address)).toEqual([expect.stringMatching(/^escrow /)])
  })
})

describe('a charge that was signed and cannot land', () => {
  test('is signed again when it is proven to be gone, and moves once', async () => {
    const { depositing, charging, held, payer } = await own.paying()
    expect((await own.merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    const node = own.mainnetNode()
    node.disturb(({ method }) =>
      method === 'sendTransaction' ? { error: { code: -32_005, message: 'Node is behind' } } : undefined,
    )
    const answer = await own.merchant.v1.settle(charging(700n))
    expect(answer.body).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    const { transaction: first } = Object(answer.body)
    expect(first).toMatch(/^\w{64,88}$/)
    // Another charge is refused while the first one may land.
    expect(await own.merchant.v1.settle(charging(0n))).toMatchObject({ status: 409 })
    expect(await held()).toEqual([900_000n, 0n])
    const lookedUp = async () =>
      Object((await own.merchant.v1.settlements(answer.headers.get('x-settlement-id') ?? '')).body).settlements
    const states = new Set<string>()
    await own.chain.advance(200)
    node.calm()
    const landed = async () => {
      for (const { state } of await lookedUp()) states.add(state)
      return (await held())[1] === 700n
    }
    await until(landed, 'the charge to land', 60_000)
    const charges = () =>
      own.app.db.settlement.findMany({ where: { payer: payer.address, kind: 'payment' }, orderBy: { id: 'asc' } })
    await until(async () => ['INCLUDED', 'FINAL'].includes((await charges()).at(-1)?.state ?? ''), 'the charge to be seen')
    const rows = await charges()
    expect(rows).toMatchObject([{ state: 'UNPAID', txHash: first }, { state: expect.stringMatching(/INCLUDED|FINAL/) }])
    expect(rows[1]?.txHash).not.toBe(first)
    expect(await held()).toEqual([999_300n, 700n])
    // No lookup told a failure, and the one of the first charge names what took its place.
    expect(await lookedUp()).toMatchObject([{ state: 'succeeded', amount: '700', transaction: rows[1]?.txHash }])
    expect([...states]).not.toContain('failed')
    // The retry of the merchant that had no answer gets this one.
    const retried = await own.merchant.v1.settle(charging(700n))
    expect(retried.body).toMatchObject({ success: true, amount: '700', transaction: rows[1]?.txHash })
  })

  test('is signed again also when its key ended meanwhile', async () => {
    const merchant = await newMerchant(own.app)
    const { depositing, charging, held } = await own.paying({ by: merchant })
    expect((await merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    const node = own.mainnetNode()
    node.disturb(({ method }) =>
      method === 'sendTransaction' ? { error: { code: -32_005, message: 'Node is behind' } } : undefined,
    )
    expect((await merchant.v1.settle(charging(700n))).body).toMatchObject({ errorReason: 'settlement_pending' })
    await own.app.db.tenant.update({ where: { id: merchant.tenantId }, data: { revokedAt: new Date() } })
    await own.chain.advance(200)
    node.calm()
    await until(async () => (await held())[1] === 700n, 'the charge to land', 60_000)
    expect(await held()).toEqual([999_300n, 700n])
  })

  test('is left when an event told its merchant that it failed, who may cancel it', async () => {
    const merchant = await newMerchant(own.app)
    const { ownerKind, ownerId } = await own.app.db.tenant.findUniqueOrThrow({ where: { id: merchant.tenantId } })
    const data = { ownerKind, ownerId, url: 'https://merchant.example/', events: ['payment.failed'], secret: new Uint8Array(1) }
    await own.app.db.webhookEndpoint.create({ data: { id: randomUUID(), ...data } })
    const { depositing, charging, held, payer } = await own.paying({ by: merchant })
    expect((await merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    const node = own.mainnetNode()
    node.disturb(({ method }) =>
      method === 'sendTransaction' ? { error: { code: -32_005, message: 'Node is behind' } } : undefined,
    )
    const answer = await merchant.v1.settle(charging(700n))
    expect(answer.body).toMatchObject({ errorReason: 'settlement_pending' })
    await own.chain.advance(200)
    const isOver = async () => (await kindsOf(payer.address)).includes('payment UNPAID')
    await until(isOver, 'the charge to be given up', 60_000)
    node.calm()
    const { body } = await merchant.v1.settlements(answer.headers.get('x-settlement-id') ?? '')
    expect(body).toMatchObject({ settlements: [{ state: 'failed' }] })
    await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS))
    expect(await held()).toEqual([900_000n, 0n])
    expect((await merchant.v1.settle(charging(0n))).body).toMatchObject({ success: true, amount: '0' })
    expect(await held()).toEqual([1_000_000n, 0n])
  })

  test('is left when its merchant was told that it failed', async () => {
    const { depositing, charging, held, payer } = await own.paying()
    expect((await own.merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    const node = own.mainnetNode()
    node.disturb(({ method }) =>
      method === 'sendTransaction' ? { error: { code: -32_005, message: 'Node is behind' } } : undefined,
    )
    const asked = own.merchant.v1.settle(charging(700n))
    await until(
      async () =>
        (await own.app.db.settlement.count({ where: { payer: payer.address, kind: 'payment', txHash: { not: null } } })) > 0,
      'the charge to be signed',
    )
    await own.chain.advance(200)
    expect((await asked).body).toMatchObject({ success: false, errorReason: 'settle_exact_svm_block_height_exceeded' })
    node.calm()
    await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS))
    expect(await kindsOf(payer.address)).toEqual([expect.stringMatching(/^escrow /), 'payment UNPAID'])
    expect(await held()).toEqual([900_000n, 0n])
  })
})
