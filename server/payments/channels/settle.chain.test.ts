import { randomUUID } from 'node:crypto'
import { type Address, encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import {
  type ClaimRow,
  channelIdOf,
  createChannelForge,
  DEPOSIT,
  signClaims,
  signRefund,
} from '../../../test/support/batch-settlement/channels'
import { permitting } from '../../../test/support/batch-settlement/verdicts'
import { fixture } from '../../../test/support/fixture'
import { sponsoringOn } from '../../../test/support/permit2/permit2'
import { startHarness } from '../../../test/support/service/harness'
import { historyOf, keyHolder, newClient, newMerchant } from '../../../test/support/service/surface'
import { appWith } from '../../app'
import { ServiceError } from '../../base/errors'
import type { Screening } from '../../screening/screening'
import { type Authorizers, createAuthorizers } from './authorizers'

const SECRET = 'the-secret-of-the-channels-of-these-tests'
const harness = fixture(() =>
  startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: SECRET, SPONSORED_APPROVAL_MAX: '0.001' } }),
)
const P = 'invalid_batch_settlement_evm_'
const { abi } = artifact('BatchSettlement')

const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** A merchant with a key, whose authorizer is kept by the service, or is this account. */
async function newSeller(own?: LocalAccount, settings: Parameters<typeof newMerchant>[1] = {}) {
  const merchant = await newMerchant(harness.app, settings)
  const kept = harness.app.authorizers.newest({ tenantId: merchant.tenantId, key: { id: merchant.tenantId, version: 0 } })
  const receiver = newAccount().address
  const authorizer: Address = own?.address ?? kept?.address ?? '0x'
  const forge = createChannelForge(harness.chain, receiver, authorizer, own)
  return { ...merchant, forge, receiver, authorizer }
}

type Seller = Awaited<ReturnType<typeof newSeller>>

/** A channel with a deposit that the service settled. */
async function opened({ v1, forge }: Seller, change: Parameters<Seller['forge']['deposit']>[1] = {}) {
  const who = await forge.payer()
  const made = await forge.deposit(who, change)
  const answer = await v1.settle(made.body)
  expect(answer.body).toMatchObject({ success: true })
  return { ...who, ...made, answer }
}

const read = (functionName: string, args: unknown[]): Promise<unknown> =>
  harness.chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

const hashOf = (body: unknown): Hex => Object(body).transaction

/** Sends a call of the contract as an account. */
async function sendAs(account: LocalAccount, functionName: string, args: unknown[]): Promise<void> {
  const { chain } = harness
  await chain.fund(account.address, 10n ** 18n)
  const data = encodeFunctionData({ abi, functionName, args })
  const hash = await chain.client.sendTransaction({ account, chain: chain.client.chain, to: batchSettlementAddress, data })
  expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
}

/** The totals of a channel that acts hold in the ledger. */
const rowsOf = async (channelId: string) =>
  (await harness.app.db.channelClaim.findMany({ where: { channelId } })).map(({ total }) => total.toFixed())

/** What the ledger keeps of a channel. */
const keptOf = (id: Hex) => harness.app.db.channel.findFirst({ where: { id } })

/** An account's service that screens by this rule and notes the allowance of each caller. */
function screeningBy(key: string, isFlagged: (address: string) => boolean) {
  const allowed: number[] = []
  const usual = harness.app.screening
  const screening: Screening = {
    health: () => 'answers',
    requireAvailable: (_, { perMinute }) => void allowed.push(perMinute),
    async screen({ payer, payTo }, { perMinute }) {
      allowed.push(perMinute)
      if ([payer, payTo].some(isFlagged)) throw new ServiceError('forbidden', 'flagged', { reason: 'kyt_flagged' })
    },
  }
  const all = Object.fromEntries(Object.keys(usual).map((name) => [name, screening])) as typeof usual
  return { ...keyHolder(appWith(harness.app, { screening: all }), key), allowed }
}

describe('a deposit', () => {
  test('that was claimed is known with its voucher before anything is sent, and with its charge once it landed', async () => {
    const seller = await newSeller()
    const who = await seller.forge.payer()
    const { body, channelId } = await seller.forge.deposit(who, { maxClaimable: 3_000n })
    const { engine } = harness.app
    let claimed: unknown
    const settle: typeof engine.settle = (order, ...rest) => {
      claimed = order.channel
      return engine.settle(order, ...rest)
    }
    const watched = keyHolder(appWith(harness.app, { engine: { ...engine, settle } }), seller.key)
    expect((await watched.v1.settle(body)).body).toMatchObject({ success: true })
    expect(claimed).toMatchObject({ id: channelId, signed: 3_000n })
    expect(Object(await keptOf(channelId)).charged.toFixed()).toBe('1000')
    // More of it is kept when verify accepts it, and nothing of a channel that does not exist.
    const more = await seller.forge.deposit(who, { amount: 500n, maxClaimable: 5_000n })
    expect((await seller.v1.verify(more.body)).body).toMatchObject({ isValid: true })
    expect(Object(await keptOf(channelId)).signed.toFixed()).toBe('5000')
    const other = await seller.forge.deposit(await seller.forge.payer())
    expect((await seller.v1.verify(other.body)).body).toMatchObject({ isValid: true })
    expect(await keptOf(other.channelId)).toBeNull()
  })

  test.each(['eip3009', 'permit2'] as const)(
    'by %s is sent by a lane, answered with its channel, and is no payment',
    async (method) => {
      const seller = await newSeller()
      const { from, channelId, answer, body } = await opened(seller, { method })
      const channelState = { channelId, balance: String(DEPOSIT), totalClaimed: '0', withdrawRequestedAt: 0, refundNonce: '0' }
      expect(answer.body).toEqual({
        success: true,
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        network: 'eip155:84532',
        payer: from,
        amount: String(DEPOSIT),
        extra: { channelState },
      })
      expect(await read('channels', [channelId])).toEqual([DEPOSIT, 0n])
      expect(await historyOf(harness, seller.receiver)).toEqual([])
      expect(await harness.app.db.settlement.findMany({ where: { tenantId: seller.tenantId } })).toMatchObject([
        { kind: 'deposit', logged: false },
      ])
      // One success pays for one request: the second names the first.
      expect(await seller.v1.settle(body)).toMatchObject({ status: 409, body: { transaction: hashOf(answer.body) } })
      expect(await read('channels', [channelId])).toEqual([DEPOSIT, 0n])
    },
  )

  test.each([
    ['a permit of the token', permitting(DEPOSIT)],
    ["the payer's own approval", sponsoringOn(84532).approving()],
  ])('by Permit2 with %s is made although the payer approved nothing before', async (_, extensions) => {
    const seller = await newSeller()
    const who = await seller.forge.payer({ approved: false })
    const { body, channelId } = await seller.forge.deposit(who, { method: 'permit2', extensions })
    expect((await seller.v1.settle(body)).body).toMatchObject({ success: true, amount: String(DEPOSIT) })
    expect(await read('channels', [channelId])).toEqual([DEPOSIT, 0n])
  })

  test('uses less gas than a lane gives it', async () => {
    const seller = await newSeller()
    const { client } = harness.chain
    for (const [method, most] of [
      ['eip3009', 240_000n],
      ['permit2', 240_000n],
    ] as const) {
      const { answer } = await opened(seller, { method })
      const { gasUsed } = await client.getTransactionReceipt({ hash: hashOf(answer.body) })
      expect(gasUsed).toBeLessThan((most * 9n) / 10n)
    }
  })

  test('more of an open channel is answered with the balance behind it', async () => {
    const seller = await newSeller()
    const { owner, from } = await opened(seller)
    const more = await seller.forge.deposit({ owner, from }, { amount: 500n, maxClaimable: 2_000n })
    expect((await seller.v1.settle(more.body)).body).toMatchObject({
      amount: '500',
      extra: { channelState: { balance: String(DEPOSIT + 500n) } },
    })
  })
})

describe('claims', () => {
  test('of many channels are one transaction, and the sum is that of its logs', async () => {
    const seller = await newSeller()
    const channels = [await opened(seller), await opened(seller), await opened(seller)]
    const rows = await Promise.all(
      channels.map(({ config, owner }, at) => seller.forge.row(config, owner, BigInt(at + 1) * 100n, 900n)),
    )
    const answer = await seller.v1.settle(seller.forge.claims(rows))
    expect(answer.body).toEqual({ success: true, transaction: expect.any(String), network: 'eip155:84532', amount: '600' })
    for (const [at, { channelId }] of channels.entries())
      expect(await read('channels', [channelId])).toEqual([DEPOSIT, BigInt(at + 1) * 100n])
    expect(await historyOf(harness, seller.receiver)).toEqual([])
    expect(await harness.app.db.channelClaim.count({ where: { channelId: { in: channels.map((one) => one.channelId) } } })).toBe(
      3,
    )

    const { gasUsed } = await harness.chain.client.getTransactionReceipt({ hash: hashOf(answer.body) })
    expect(gasUsed).toBeLessThan(180_000n)

    const again = await seller.v1.settle(seller.forge.claims(rows))
    expect(again.body).toMatchObject({ success: true, transaction: hashOf(answer.body) })
    const some = await seller.v1.settle(seller.forge.claims(rows.slice(1)))
    expect(some.body).toMatchObject({ success: true, transaction: hashOf(answer.body) })
  })

  test('of a bad row leave it out, name it and take the others', async () => {
    const seller = await newSeller()
    const { forge } = seller
    const [good, forged, gone, over] = [await opened(seller), await opened(seller), await opened(seller), await opened(seller)]
    await sendAs(gone.owner, 'initiateWithdraw', [gone.config, DEPOSIT - 300n])
    await harness.chain.client.increaseTime({ seconds: 900 })
    await sendAs(gone.owner, 'finalizeWithdraw', [gone.config])
    const rows = [
      await forge.row(good.config, good.owner, 700n),
      await forge.row(forged.config, newAccount(), 700n),
      await forge.row(gone.config, gone.owner, 700n),
      await forge.row(over.config, over.owner, 701n, 700n),
    ]
    const { body } = await seller.v1.settle(forge.claims(rows))
    expect(body).toMatchObject({
      success: true,
      amount: '1000',
      extra: {
        leftOut: [
          { channelId: forged.channelId, error: 'InvalidSignature' },
          { channelId: gone.channelId, error: 'ClaimExceedsBalance', claimed: '300' },
          { channelId: over.channelId, error: 'ClaimExceedsCeiling' },
        ],
      },
    })
    expect(await read('channels', [good.channelId])).toEqual([DEPOSIT, 700n])
    expect(await read('channels', [gone.channelId])).toEqual([300n, 300n])
    expect(await read('channels', [forged.channelId])).toEqual([DEPOSIT, 0n])
  })

  test('of vouchers in another form of their signature are taken in the form of the contract', async () => {
    const seller = await newSeller()
    const { config, owner, channelId } = await opened(seller)
    const row = await seller.forge.row(config, owner, 50n)
    const other = { ...row, signature: `0x${row.signature.slice(2, -2)}${row.signature.endsWith('1b') ? '00' : '01'}` as Hex }
    expect((await seller.v1.settle(seller.forge.claims([other]))).body).toMatchObject({ success: true, amount: '50' })
    expect(await read('channels', [channelId])).toEqual([DEPOSIT, 50n])
  })

  test("are signed for the caller's own channels only, and for no caller without a key", async () => {
    const [seller, stranger] = [await newSeller(), await newSeller()]
    const { config, owner } = await opened(seller)
    const body = seller.forge.claims([await seller.forge.row(config, owner, 10n)])
    expect((await stranger.v1.settle(body)).body).toMatchObject({ errorReason: `${P}authorizer_address_mismatch` })
    expect((await newClient(harness.app).settle(body)).body).toMatchObject({ errorReason: `${P}authorizer_not_configured` })
    expect(seller.authorizer).not.toBe(stranger.authorizer)
  })

  test("with the merchant's own signature are relayed for anyone, and stand or fall together", async () => {
    const own = newAccount()
    const seller = await newSeller(own)
    const { config, owner } = await opened(seller)
    const signed = async (rows: ClaimRow[]) => seller.forge.claims(rows, await signClaims(84532, own, rows))
    const [good, bad] = [await seller.forge.row(config, owner, 10n), await seller.forge.row(config, owner, 11n, 10n)]
    expect((await seller.v1.settle(await signed([good, bad]))).body).toMatchObject({
      errorReason: `${P}claim_simulation_failed`,
      errorMessage: expect.stringContaining('row 1: ClaimExceedsCeiling'),
    })
    expect((await seller.v1.settle(await signed([good]))).body).toMatchObject({ success: true, amount: '10' })
    expect((await seller.v1.settle(seller.forge.claims([good]))).body).toMatchObject({
      errorReason: `${P}authorizer_address_mismatch`,
    })
  })

  test("with the merchant's own signature over a channel twice are kept once", async () => {
    const own = newAccount()
    const seller = await newSeller(own)
    const [one, other] = [await opened(seller), await opened(seller)]
    const signed = async (rows: ClaimRow[]) => seller.v1.settle(seller.forge.claims(rows, await signClaims(84532, own, rows)))
    const twice = [await seller.forge.row(one.config, one.owner, 10n), await seller.forge.row(one.config, one.owner, 20n)]
    expect(await signed(twice)).toMatchObject({ status: 200, body: { success: true } })
    expect(await rowsOf(one.channelId)).toEqual(['20'])
    // What was claimed before is no row, whatever it says.
    const before = { ...(await seller.forge.row(one.config, one.owner, 20n, 5n)), totalClaimed: 20n }
    expect(await signed([before, await seller.forge.row(other.config, other.owner, 30n)])).toMatchObject({ status: 200 })
    expect(await rowsOf(one.channelId)).toEqual(['20'])
  })

  test('of rows that do not hold are not kept as charged', async () => {
    const seller = await newSeller()
    const [good, forged] = [await opened(seller), await opened(seller)]
    const absent = await seller.forge.row({ ...good.config, salt: `0x${'12'.repeat(32)}` }, good.owner, 10n)
    const rows = [
      await seller.forge.row(good.config, good.owner, 2_000n),
      await seller.forge.row(forged.config, newAccount(), 9_000n),
      absent,
    ]
    expect((await seller.v1.settle(seller.forge.claims(rows))).body).toMatchObject({ success: true, amount: '2000' })
    expect(Object(await keptOf(good.channelId)).charged.toFixed()).toBe('2000')
    expect(Object(await keptOf(forged.channelId)).charged.toFixed()).toBe('1000')
    expect(await keptOf(channelIdOf(84532, absent.voucher.channel))).toBeNull()
  })

  test('of another receiver or an unlisted token are left out, or refused as a whole', async () => {
    const seller = await newSeller()
    const { config, owner } = await opened(seller)
    const elsewhere = createChannelForge(harness.chain, newAccount().address, seller.authorizer)
    const other = await opened({ ...seller, forge: elsewhere })
    const strange = { ...config, token: newAccount().address }
    const rows = [await seller.forge.row(config, owner, 10n), await seller.forge.row(other.config, other.owner, 10n)]
    const odd = await seller.forge.row(strange, owner, 10n)
    const { body } = await seller.v1.settle(seller.forge.claims([...rows, odd]))
    expect(body).toMatchObject({ success: true, amount: '10' })
    expect(Object(body).extra.leftOut).toEqual([
      { channelId: other.channelId, error: `${P}receiver_mismatch` },
      { channelId: channelIdOf(84532, strange), error: `${P}token_mismatch` },
    ])
    expect(Object(await read('channels', [other.channelId]))[1]).toBe(0n)
    const alone = seller.forge.claims([odd])
    expect((await seller.v1.settle(alone)).body).toMatchObject({ errorReason: `${P}token_mismatch` })
    const refund = await seller.forge.refund(strange, owner, 0n, { amount: 1n })
    expect((await seller.v1.settle(refund)).body).toMatchObject({ errorReason: `${P}token_mismatch` })
    const sweep = elsewhere.sweep()
    Object(sweep).paymentPayload.payload.receiver = seller.receiver
    expect((await seller.v1.settle(sweep)).body).toMatchObject({ errorReason: `${P}receiver_mismatch` })
    const ofToken = seller.forge.sweep()
    Object(ofToken).paymentPayload.payload.token = strange.token
    expect((await seller.v1.settle(ofToken)).body).toMatchObject({ errorReason: `${P}token_mismatch` })
  })

  test('are no payment of any account, so that nobody fills its queue or fails in its name', async () => {
    const seller = await newSeller()
    const { config, owner } = await opened(seller)
    await seller.v1.settle(seller.forge.claims([await seller.forge.row(config, owner, 10n)]))
    await seller.v1.settle(seller.forge.sweep())
    const acts = await harness.app.db.settlement.findMany({
      where: { tenantId: seller.tenantId, kind: { not: 'deposit' } },
      orderBy: { createdAt: 'asc' },
    })
    expect(acts.map(({ kind, payer }) => [kind, payer])).toEqual([
      ['claim', `acts of ${acts[0]?.party}`],
      ['sweep', `acts of ${acts[0]?.party}`],
    ])
  })

  test('of a flagged payer are left out and named; a flagged receiver gets none', async () => {
    const seller = await newSeller()
    const [good, flagged] = [await opened(seller), await opened(seller)]
    const rows = [
      await seller.forge.row(good.config, good.owner, 10n),
      await seller.forge.row(flagged.config, flagged.owner, 10n),
    ]
    const { v1 } = screeningBy(seller.key, (address) => address === flagged.from.toLowerCase())
    const { body } = await v1.settle(seller.forge.claims(rows))
    expect(body).toMatchObject({ success: true, amount: '10' })
    expect(Object(body).extra.leftOut).toEqual([{ channelId: flagged.channelId, error: 'kyt_flagged' }])
    const receiver = screeningBy(seller.key, (address) => address === seller.receiver.toLowerCase())
    expect(await receiver.v1.settle(seller.forge.claims(rows.slice(1)))).toMatchObject({ status: 403 })
    expect(Object(await read('channels', [flagged.channelId]))[1]).toBe(0n)
  })

  test("and vouchers have the allowance of their key's rate for new addresses", async () => {
    const seller = await newSeller()
    const { config, owner } = await opened(seller)
    const { v1, allowed } = screeningBy(seller.key, () => false)
    expect((await v1.verify(await seller.forge.voucher(config, owner, 2_000n))).body).toMatchObject({ isValid: true })
    expect((await v1.settle(seller.forge.claims([await seller.forge.row(config, owner, 2_000n)]))).body).toMatchObject({
      success: true,
    })
    expect(Math.min(...allowed)).toBeGreaterThan(60)
  })

  test('of a hundred rows fit in one request, and 101 in none', async () => {
    const seller = await newSeller()
    const { config, owner } = await opened(seller)
    const row = await seller.forge.row(config, owner, 10n)
    const others = await Promise.all(
      Array.from({ length: 99 }, (_, at) =>
        seller.forge.row({ ...config, salt: `0x${(at + 1).toString(16).padStart(64, '0')}` }, owner, 10n),
      ),
    )
    const body = seller.forge.claims([row, ...others])
    expect(JSON.stringify(body).length).toBeGreaterThan(60_000)
    const answer = await seller.v1.settle(body)
    expect(answer.body).toMatchObject({ success: true, amount: '10' })
    expect(Object(answer.body).extra.leftOut).toHaveLength(99)
    expect(await seller.v1.settle(seller.forge.claims([row, ...others, row]))).toMatchObject({ status: 400 })
    const large = { ...body, padding: 'x'.repeat(131_072) }
    expect(await seller.v1.settle(large)).toMatchObject({ status: 413 })
    expect(await seller.v1.settle({ padding: 'x'.repeat(16_385) })).toMatchObject({ status: 413 })
    const made = await seller.forge.deposit(await seller.forge.payer())
    expect(await seller.v1.settle({ ...made.body, padding: 'x'.repeat(16_385) })).toMatchObject({ status: 413 })
  })

  test('of channels of an older secret are taken beside those of the newest, each with its own key', async () => {
    const { app } = harness
    const seller = await newSeller()
    const older = createAuthorizers(['an older secret of the channels of these tests'])
    const caller = { tenantId: seller.tenantId, key: { id: seller.tenantId, version: 0 } }
    const rotated = {
      newest: app.authorizers.newest,
      at: (...of: Parameters<Authorizers['at']>) => app.authorizers.at(...of) ?? older.at(...of),
    }
    const both = keyHolder(appWith(app, { authorizers: rotated }), seller.key)
    const old = createChannelForge(harness.chain, seller.receiver, older.newest(caller)?.address ?? '0x')
    const [one, other] = [await opened(seller), await opened({ ...seller, forge: old })]
    const rows = [await seller.forge.row(one.config, one.owner, 70n), await old.row(other.config, other.owner, 30n)]
    expect((await both.v1.settle(seller.forge.claims(rows))).body).toMatchObject({ success: true, amount: '100' })
    for (const { channelId } of [one, other]) expect(Object(await read('channels', [channelId]))[1]).toBeGreaterThan(0n)
    expect((await seller.v1.settle(seller.forge.claims(rows))).body).toMatchObject({
      errorReason: `${P}authorizer_address_mismatch`,
    })
  })

  test('and refunds of own channels are taken beyond a spent quota and gas budget, and nothing else is', async () => {
    const seller = await newSeller(undefined, { settlementQuota: 1 })
    const { config, owner } = await opened(seller)
    const another = await seller.forge.deposit(await seller.forge.payer())
    expect(await seller.v1.settle(another.body)).toMatchObject({ status: 429 })
    const { engine } = harness.app
    const budgets: bigint[] = []
    const settle: typeof engine.settle = (order, ...rest) => {
      budgets.push(BigInt(order.limits.gasBudget))
      return engine.settle(order, ...rest)
    }
    const watched = keyHolder(appWith(harness.app, { engine: { ...engine, settle } }), seller.key)
    const claims = [await seller.forge.row(config, owner, 2_000n)]
    expect((await watched.v1.settle(seller.forge.claims(claims))).body).toMatchObject({ success: true, amount: '2000' })
    const refund = await seller.forge.refund(config, owner, 2_000n, { amount: 1_000n })
    expect((await watched.v1.settle(refund)).body).toMatchObject({ success: true, amount: '1000' })
    const usual = await newSeller()
    const other = keyHolder(appWith(harness.app, { engine: { ...engine, settle } }), usual.key)
    await other.v1.settle((await usual.forge.deposit(await usual.forge.payer())).body)
    const [ofClaim = 0n, ofRefund = 0n, ofDeposit = 0n] = budgets
    expect([ofClaim, ofRefund]).toEqual([(ofDeposit * 11n) / 10n, (ofDeposit * 11n) / 10n])
    expect(await seller.v1.settle(seller.forge.sweep())).toMatchObject({ status: 429 })
  })

  test("of channels of a key that ended are signed for its owner's next key, and for no other owner's", async () => {
    const { db } = harness.app
    const owner = { kind: 'oidc' as const, id: `owner of channels ${randomUUID()}` }
    const [ended, next] = [await newSeller(undefined, { owner }), await newMerchant(harness.app, { owner })]
    const channel = await opened(ended)
    const body = ended.forge.claims([await ended.forge.row(channel.config, channel.owner, 2_000n)])
    // A key that lives is another one's business.
    expect((await next.v1.settle(body)).body).toMatchObject({ errorReason: `${P}authorizer_address_mismatch` })
    await db.tenant.update({ where: { id: ended.tenantId }, data: { revokedAt: new Date() } })
    const stranger = await newMerchant(harness.app)
    expect((await stranger.v1.settle(body)).body).toMatchObject({ errorReason: `${P}authorizer_address_mismatch` })
    expect((await next.v1.settle(body)).body).toMatchObject({ success: true, amount: '2000' })
    expect(await keptOf(channel.channelId)).toMatchObject({ tenantId: ended.tenantId })
  })

  test('of nothing fail', async () => {
    const seller = await newSeller()
    expect((await seller.v1.settle(seller.forge.claims([]))).body).toMatchObject({ errorReason: `${P}claim_simulation_failed` })
  })
})

describe('the payment of what was claimed', () => {
  test('moves all of it once, and a repeated request says that nothing is left', async () => {
    const seller = await newSeller()
    const { config, owner } = await opened(seller)
    expect((await seller.v1.settle(seller.forge.sweep())).body).toMatchObject({ errorReason: `${P}nothing_to_settle` })
    await seller.v1.settle(seller.forge.claims([await seller.forge.row(config, owner, 1_234n)]))
    const { body } = await seller.v1.settle(seller.forge.sweep())
    expect(body).toMatchObject({ success: true, amount: '1234' })
    expect(await harness.chain.tokens(seller.receiver)).toBe(1_234n)
    expect((await seller.v1.settle(seller.forge.sweep())).body).toMatchObject({ errorReason: `${P}nothing_to_settle` })
  })
})

describe('a refund', () => {
  test('claims what was charged in the same transaction, and is answered by its own log', async () => {
    const seller = await newSeller()
    const { config, owner, from, channelId } = await opened(seller)
    const claims = [await seller.forge.row(config, owner, 1_500n)]
    const asked = await seller.forge.refund(config, owner, 1_500n, { amount: 50_000n, claims })
    const { body } = await seller.v1.settle(asked)
    const channelState = { channelId, balance: '1500', totalClaimed: '1500', withdrawRequestedAt: 0, refundNonce: '1' }
    expect(body).toMatchObject({ success: true, payer: from, amount: '8500', extra: { channelState } })
    expect(await harness.chain.tokens(from)).toBe(1_000_000n - 1_500n)
    expect((await seller.v1.settle(asked)).body).toEqual(body)
    const more = await seller.forge.refund(config, owner, 1_500n, { amount: 1n, nonce: 1n, claims })
    expect((await seller.v1.settle(more)).body).toMatchObject({ errorReason: `${P}refund_no_balance` })
  })

  test('is signed only if all that is known to be charged is claimed with it or was before', async () => {
    const seller = await newSeller()
    const { config, owner, from } = await opened(seller)
    // The first request was charged its price.
    const bare = await seller.forge.refund(config, owner, 0n, { amount: 9_000n })
    expect((await seller.v1.settle(bare)).body).toMatchObject({
      errorReason: `${P}refund_simulation_failed`,
      errorMessage: expect.stringContaining('1000 was charged'),
    })
    expect(await seller.v1.verify(await seller.forge.voucher(config, owner, 4_000n))).toMatchObject({ body: { isValid: true } })
    const claims = [await seller.forge.row(config, owner, 1_000n)]
    const stale = await seller.forge.refund(config, owner, 1_000n, { amount: 9_000n, claims })
    expect((await seller.v1.settle(stale)).body).toMatchObject({
      errorReason: `${P}refund_simulation_failed`,
      errorMessage: expect.stringContaining('over 4000'),
    })
    expect(await harness.chain.tokens(from)).toBe(1_000_000n - DEPOSIT)
    // A voucher that nobody signed shows nothing.
    const forged = await seller.forge.refund(config, newAccount(), 4_000n, { amount: 9_000n, claims })
    expect((await seller.v1.settle(forged)).body).toMatchObject({ errorMessage: expect.stringContaining('over 4000') })
    const whole = await seller.forge.refund(config, owner, 4_000n, {
      amount: 9_000n,
      claims: [await seller.forge.row(config, owner, 2_500n, 4_000n)],
    })
    expect((await seller.v1.settle(whole)).body).toMatchObject({ success: true, amount: '7500' })
  })

  test('of another channel, another tenant or another nonce is not signed', async () => {
    const [seller, stranger] = [await newSeller(), await newSeller()]
    const [one, other] = [await opened(seller), await opened(seller)]
    const claims = [await seller.forge.row(other.config, other.owner, 1_000n)]
    const mixed = await seller.forge.refund(one.config, one.owner, 1_000n, { amount: 1n, claims })
    expect((await seller.v1.settle(mixed)).body).toMatchObject({ errorReason: `${P}channel_id_mismatch` })
    const good = [await seller.forge.row(one.config, one.owner, 1_000n)]
    const asked = await seller.forge.refund(one.config, one.owner, 1_000n, { amount: 1n, claims: good })
    expect((await stranger.v1.settle(asked)).body).toMatchObject({ errorReason: `${P}authorizer_address_mismatch` })
    expect((await newClient(harness.app).settle(asked)).body).toMatchObject({ errorReason: `${P}authorizer_not_configured` })
    const late = await seller.forge.refund(one.config, one.owner, 1_000n, { amount: 1n, nonce: 1n, claims: good })
    expect((await seller.v1.settle(late)).body).toMatchObject({
      errorReason: `${P}refund_simulation_failed`,
      errorMessage: expect.stringContaining('InvalidRefundNonce'),
    })
  })

  test("with the merchant's own signature is relayed", async () => {
    const own = newAccount()
    const seller = await newSeller(own)
    const { config, owner, channelId } = await opened(seller)
    const refundAuthorizerSignature = await signRefund(84532, own, { channelId, nonce: 0n, amount: 100n })
    const asked = await seller.forge.refund(config, owner, 0n, { amount: 100n, refundAuthorizerSignature })
    expect((await seller.v1.settle(asked)).body).toMatchObject({ success: true, amount: '100' })
    expect(channelIdOf(84532, config)).toBe(channelId)
  })
})

test('a voucher is never settled', async () => {
  const seller = await newSeller()
  const { config, owner } = await opened(seller)
  expect((await seller.v1.settle(await seller.forge.voucher(config, owner, 1_000n))).body).toMatchObject({
    success: false,
    errorReason: `${P}payload_type`,
  })
})
