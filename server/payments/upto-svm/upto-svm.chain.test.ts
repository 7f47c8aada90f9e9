import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { keyHolder, newClient, newMerchant } from '../../../test/support/service/surface'
import { callChannel, closeTokens, topUpChannel } from '../../../test/support/svm/channels'
import { someAddress } from '../../../test/support/svm/forge'
import { SOL } from '../../../test/support/svm/harness'
import { withUnitLimit } from '../../../test/support/svm/upto'
import { startUptoService, uptoOffer } from '../../../test/support/svm/upto-service'
import { appWith } from '../../app'
import { TOKEN_PROGRAM } from '../../x402/schemes/exact/svm/programs'
import { tokensOf } from '../../x402/schemes/upto/svm/program'
import { gasBudgetsOf } from '../gas-budgets'

const own = fixture(() => startUptoService())
const refused = (errorReason: string) => ({ status: 200, body: { success: false, errorReason, transaction: '' } })
const v1 = () => own.merchant.v1

describe('the offer', () => {
  test('names a fee payer and an authorizer of the key and nothing else, the same in every answer', async () => {
    const offer = await uptoOffer(own.merchant)
    expect(offer).toEqual({ feePayer: own.feePayer, receiverAuthorizer: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) })
    expect(await uptoOffer(own.merchant)).toEqual(offer)
    expect((await uptoOffer(await newMerchant(own.app)))?.receiverAuthorizer).not.toBe(offer?.receiverAuthorizer)
  })

  test('is made to no caller without a key', async () => {
    const { kinds } = Object((await newClient(own.app).supported()).body)
    const onSolana = kinds.filter(({ network }: { network: string }) => network.startsWith('solana'))
    expect(onSolana.map(({ scheme }: { scheme: string }) => scheme)).not.toContain('upto')
  })

  test('is off by default: the scheme is not supported', async () => {
    const off = appWith(own.app, { config: { ...own.app.config, svm: { ...own.app.config.svm, upto: false } } })
    const merchant = await newMerchant(off)
    expect(await uptoOffer(merchant)).toBeUndefined()
    const { depositing, held, maximum } = await own.paying()
    expect(await merchant.v1.settle(depositing)).toMatchObject(refused('unsupported_scheme'))
    expect(await held()).toEqual([1_000_000n, 0n])
    expect(maximum).toBe(100_000n)
  })

  test('is off by default: nothing of a payload is read, so its answers are those to an unknown scheme', async () => {
    const off = appWith(own.app, { config: { ...own.app.config, svm: { ...own.app.config.svm, upto: false } } })
    const merchant = await newMerchant(off)
    const { body, depositing, payTo } = await own.paying()
    expect(await merchant.v1.settle(depositing)).toMatchObject({ body: { payer: '' } })
    expect(await merchant.v1.verify(body())).toMatchObject({ body: { invalidReason: 'unsupported_scheme', payer: '' } })
    expect(await merchant.v1.settle(body({ type: 'deposit', from: payTo }))).toMatchObject(refused('unsupported_scheme'))
    expect(await merchant.v1.lookUp(body())).toMatchObject({ status: 400 })
  })

  test('that is switched off leaves the claims of what was deposited', async () => {
    const off = appWith(own.app, { config: { ...own.app.config, svm: { ...own.app.config.svm, upto: false } } })
    const { depositing, charging, held } = await own.paying()
    await v1().settle(depositing)
    const claim = await keyHolder(off, own.merchant.key).v1.settle(charging(700n))
    expect(claim.body).toMatchObject({ success: true, amount: '700' })
    expect(await held()).toEqual([999_300n, 700n])
  })
})

describe('a payment that signs a maximum on Solana', () => {
  test('is taken into a channel, charged a part, and the rest goes back; every answer names charge and maximum', async () => {
    const { body, depositing, charging, payer, held, channel, maximum } = await own.paying()
    expect((await v1().verify(body())).body).toEqual({ isValid: true, payer: payer.address })
    const deposit = await v1().settle(depositing)
    expect([deposit.status, deposit.body]).toMatchObject([200, { success: true, amount: '100000', payer: payer.address }])
    // What went into a channel is no payment to the merchant.
    expect(deposit.body).not.toHaveProperty('extensions')
    expect(await held()).toEqual([900_000n, 0n])

    const claim = await v1().settle(charging(700n))
    expect([claim.status, claim.body]).toMatchObject([200, { success: true, amount: '700', payer: payer.address }])
    expect(await held()).toEqual([999_300n, 700n])
    expect(await channel()).toMatchObject({ settled: 700n, paidOut: 700n })
    const { transaction, extensions } = Object(claim.body)
    expect(transaction).not.toBe(Object(deposit.body).transaction)
    expect(decodeJwt(extensions['settlement-receipt'].info.receipt)).toMatchObject({ amount: '700', maximum: String(maximum) })

    const id = claim.headers.get('x-settlement-id') ?? ''
    expect((await v1().settlements(id)).body).toMatchObject({
      settlements: [{ state: 'succeeded', amount: '700', maximum: String(maximum), transaction, payer: payer.address }],
    })
    const rows = await own.app.db.history.findMany({ where: { payer: payer.address } })
    expect(rows).toMatchObject([{ settlementId: id, success: true, txHash: transaction }])
    expect(String(rows[0]?.amount)).toBe('700')
    const held_ = await v1().settlements(deposit.headers.get('x-settlement-id') ?? '')
    expect(held_.body).toMatchObject({ settlements: [{ state: 'succeeded', amount: String(maximum), receipt: null }] })
  })

  test('costs one settlement of the quota, which the deposit takes', async () => {
    const merchant = await newMerchant(own.app, { settlementQuota: 1 })
    const { depositing, charging, held } = await own.paying({ by: merchant })
    expect((await merchant.v1.settle(depositing)).headers.get('x-settlement-remaining')).toBe('0')
    expect((await merchant.v1.settle(charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await held()).toEqual([999_300n, 700n])
    const next = await own.paying({ by: merchant })
    expect(await merchant.v1.settle(next.depositing)).toMatchObject({ status: 429 })
  })

  test('costs a unit for each claim of what the caller did not deposit, also where the scheme is off', async () => {
    const off = appWith(own.app, { config: { ...own.app.config, svm: { ...own.app.config.svm, upto: false } } })
    for (const app of [own.app, off]) {
      const merchant = await newMerchant(app, { settlementQuota: 1 })
      const { charging } = await own.paying()
      const failed = await merchant.v1.settle(charging(700n))
      expect([failed.status, failed.headers.get('x-settlement-remaining')]).toEqual([200, '0'])
      expect(failed.body).toMatchObject({ success: false })
      expect(await merchant.v1.settle(charging(700n))).toMatchObject({ status: 429 })
    }
  })

  test('may be charged nothing: all goes back in a transaction', async () => {
    const { depositing, charging, held, channel } = await own.paying()
    await v1().settle(depositing)
    const { body } = await v1().settle(charging(0n))
    expect(body).toMatchObject({ success: true, amount: '0', transaction: expect.stringMatching(/^\w{64,88}$/) })
    expect(await held()).toEqual([1_000_000n, 0n])
    expect(await channel()).toMatchObject({ settled: 0n })
    expect(await v1().settle(charging(700n))).toMatchObject({ status: 409 })
  })

  test('repeats neither step: each names its first transaction, and another charge what was charged', async () => {
    const { depositing, charging, held } = await own.paying()
    const deposit = Object((await v1().settle(depositing)).body)
    expect(await v1().settle(depositing)).toMatchObject({ status: 409, body: { transaction: deposit.transaction } })
    const claim = Object((await v1().settle(charging(700n))).body)
    expect(await v1().settle(charging(700n))).toMatchObject({ status: 409, body: { transaction: claim.transaction } })
    const other = await v1().settle(charging(900n))
    expect(other).toMatchObject({ status: 409, body: { transaction: claim.transaction, errorReason: 'duplicate_settlement' } })
    expect(Object(other.body).errorMessage).toMatch(/charge of 700,/)
    expect(await held()).toEqual([999_300n, 700n])
  })

  test('charged twice at once moves one of the charges', async () => {
    const { depositing, charging, held } = await own.paying()
    await v1().settle(depositing)
    const answers = await Promise.all([v1().settle(charging(300n)), v1().settle(charging(500n))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const won = Object(answers.find(({ status }) => status === 200)?.body)
    expect(won.success).toBe(true)
    expect(await held()).toEqual([1_000_000n - BigInt(won.amount), BigInt(won.amount)])
  })

  test('is claimed by the key that deposited it, and by no other', async () => {
    const { depositing, charging, held } = await own.paying()
    await v1().settle(depositing)
    const stranger = await newMerchant(own.app)
    expect(await stranger.v1.settle(charging(700n))).toMatchObject(refused('invalid_upto_svm_authorizer_address_mismatch'))
    expect(await held()).toEqual([900_000n, 0n])
    expect((await v1().settle(charging(700n))).body).toMatchObject({ success: true })
    // Another key cannot take the deposit first.
    const foreign = await own.paying()
    expect(await stranger.v1.verify(foreign.body())).toMatchObject({ body: { isValid: false } })
    expect(await stranger.v1.settle(foreign.depositing)).toMatchObject(refused('invalid_upto_svm_payload_receiver_authorizer'))
    expect((await v1().settle(foreign.depositing)).body).toMatchObject({ success: true })
  })

  test('is never charged more than was signed, nor on other terms', async () => {
    const { body, depositing, charging, held, payload } = await own.paying()
    await v1().settle(depositing)
    expect(await v1().settle(charging(100_001n))).toMatchObject(refused('invalid_upto_svm_payload_settlement_exceeds_amount'))
    const other = await own.recipient(own.chain)
    expect(await v1().settle(body({ type: 'claim' }, { amount: '700', payTo: other }))).toMatchObject(
      refused('invalid_upto_svm_channel_state'),
    )
    const longer = body({ type: 'claim', expiresAt: Number(payload.expiresAt) + 3_600 }, { amount: '700' })
    expect(await v1().settle(longer)).toMatchObject(refused('invalid_upto_svm_channel_state'))
    expect(await held()).toEqual([900_000n, 0n])
    expect(await own.chain.tokens(other)).toBe(0n)
    expect((await v1().settle(charging(100_000n))).body).toMatchObject({ success: true, amount: '100000' })
  })

  test('of a payer without the money, or to a payee without an account, opens no channel', async () => {
    const poor = await own.paying({ balance: 99_999n })
    expect(await v1().settle(poor.depositing)).toMatchObject(refused('invalid_upto_svm_settlement_simulation'))
    const closed = await own.paying({ payTo: someAddress() })
    const answer = await v1().settle(closed.depositing)
    expect(answer).toMatchObject(refused('invalid_upto_svm_settlement_simulation'))
    expect(Object(answer.body).errorMessage).toMatch(/payTo has no account/)
    expect([await poor.channel(), await closed.channel()]).toEqual([null, null])
  })

  test('that allows too few compute units is refused before it is sent', async () => {
    const { body, payer, payload, held, channel } = await own.paying()
    const limited = async (units: number) => ({
      openTransaction: await withUnitLimit(payer, String(payload.openTransaction), units),
    })
    const tooLow = await limited(1)
    const before = await own.chain.balance(own.feePayer)
    const answer = await v1().settle(body({ type: 'deposit', ...tooLow }))
    expect(answer).toMatchObject(refused('invalid_upto_svm_settlement_simulation'))
    expect(Object(answer.body).errorMessage).toMatch(/more compute units than the transaction allows/)
    expect((await v1().verify(body(tooLow))).body).toMatchObject({ isValid: false })
    expect([await channel(), await own.chain.balance(own.feePayer)]).toEqual([null, before])
    expect((await v1().settle(body({ type: 'deposit', ...(await limited(80_000)) }))).body).toMatchObject({ success: true })
    expect(await held()).toEqual([900_000n, 0n])
  })

  test('is charged while its payer closes the channel', async () => {
    const { depositing, charging, held, payer, channelId, channel } = await own.paying()
    await v1().settle(depositing)
    await own.chain.airdrop(payer.address, SOL)
    expect(
      await callChannel(own.chain, payer, 5, [
        [payer.address, 2],
        [channelId, 1],
      ]),
    ).toBeNull()
    expect(await channel()).toMatchObject({ status: 1 })
    expect((await v1().settle(charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await held()).toEqual([999_300n, 700n])
  })

  test('is charged though its payer put more into the channel, and all of the rest goes back', async () => {
    const { depositing, charging, held, payer, channelId, channel } = await own.paying()
    await v1().settle(depositing)
    await own.chain.airdrop(payer.address, SOL)
    expect(await topUpChannel(own.chain, payer, channelId, 1)).toBeNull()
    expect(await channel()).toMatchObject({ deposit: 100_001n })
    expect(await held()).toEqual([899_999n, 0n])
    expect((await v1().settle(charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await held()).toEqual([999_300n, 700n])
  })

  test('is charged though its key has spent its day of gas, which takes no other deposit', async () => {
    const merchant = await newMerchant(own.app)
    const [{ depositing, charging, held }, next] = [await own.paying({ by: merchant }), await own.paying({ by: merchant })]
    expect((await merchant.v1.settle(depositing)).body).toMatchObject({ success: true })
    const metered = { by: 'month', subject: merchant.subject } as const
    const { own: budget } = gasBudgetsOf(own.app, { plan: 'growth', freeFrom: null, metered }, own.chain.network)
    // Less than the fees of all steps is left.
    const spent = await own.app.db
      .execute`UPDATE "GasSpend" SET "spent" = ${String(budget - 20_000n)}::numeric WHERE "budget" = ${merchant.subject}`
    expect(spent).toBe(1)
    expect(await merchant.v1.settle(next.depositing)).toMatchObject({ status: 429, body: { errorReason: 'gas_budget_exceeded' } })
    await own.app.db.execute`UPDATE "GasSpend" SET "spent" = ${String(budget)}::numeric WHERE "budget" = ${merchant.subject}`
    expect((await merchant.v1.settle(charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await held()).toEqual([999_300n, 700n])
  })

  test('opens nobody a token account: its charge waits until the one that its payer closed is there again', async () => {
    const { depositing, charging, held, payer } = await own.paying({ balance: 100_000n })
    await v1().settle(depositing)
    await own.chain.airdrop(payer.address, SOL)
    await closeTokens(own.chain, payer)
    const tokens = tokensOf(payer.address, own.chain.mint, TOKEN_PROGRAM)
    const answer = await v1().settle(charging(700n))
    expect(answer).toMatchObject(refused('invalid_upto_svm_settlement_simulation'))
    expect(Object(answer.body).errorMessage).toMatch(/the payer has no account of this token/)
    expect(await own.chain.balance(tokens)).toBe(0n)
    await own.chain.openAccount(payer.address)
    expect((await v1().settle(charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await held()).toEqual([99_300n, 700n])
  })

  test.each([
    ['that has not seen its channel yet', 'getAccountInfo', { result: { context: { slot: 1 }, value: null } }],
    [
      'that does not know the newest blockhash yet',
      'simulateTransaction',
      { result: { context: { slot: 1 }, value: { err: 'BlockhashNotFound', logs: [], accounts: null } } },
    ],
  ])('is not judged by a node %s: the claim is asked for again', async (_, method, answer) => {
    const { depositing, charging, held, payer } = await own.paying()
    expect((await v1().settle(depositing)).body).toMatchObject({ success: true })
    const node = own.mainnetNode()
    let behind = Number.POSITIVE_INFINITY
    node.disturb((call) => (call.method === method && behind-- > 0 ? answer : undefined))
    try {
      expect(await v1().settle(charging(700n))).toMatchObject({ status: 502 })
      expect(await own.app.db.history.count({ where: { payer: payer.address } })).toBe(0)
      behind = 3
      expect((await v1().settle(charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    } finally {
      node.calm()
    }
    expect(await held()).toEqual([999_300n, 700n])
  })

  test('cannot be deposited before a claim was, nor claimed before its deposit', async () => {
    const { charging, depositing } = await own.paying()
    expect(await v1().settle(charging(700n))).toMatchObject(refused('invalid_upto_svm_delegated_settle_unauthenticated'))
    expect((await v1().settle(depositing)).body).toMatchObject({ success: true })
    expect((await v1().settle(charging(700n))).body).toMatchObject({ success: true })
  })

  test('is looked up by what was signed: both steps, or the one that the body names, for its holder alone', async () => {
    const { body, depositing, charging, channelId } = await own.paying()
    await v1().settle(depositing)
    await v1().settle(charging(700n))
    const lookedUp = async (asked: object) => {
      const { status, body: found } = await own.merchant.v1.lookUp(asked)
      return [status, (Object(found).settlements ?? []).map(({ amount }: { amount: string }) => amount)]
    }
    expect(await lookedUp(body())).toEqual([200, ['100000', '700']])
    expect(await lookedUp(charging(700n))).toEqual([200, ['700']])
    expect(await lookedUp(depositing)).toEqual([200, ['100000']])
    // Another payment that names this channel shows nothing of it.
    const other = await own.paying()
    expect(await lookedUp(other.body({ channelId }))).toEqual([404, []])
  })

  test('is explained as verify judges it', async () => {
    const { body } = await own.paying()
    expect((await v1().verify(body({ nonce: '1' }))).body).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_upto_svm_payload_nonce',
    })
  })

  test('opens at most ten channels of a payer at once', async () => {
    const { depositing, payer } = await own.paying()
    await own.app.db.execute`
      INSERT INTO "UptoChannel" ("network", "id", "tenantId", "depositId", "payer", "payTo", "asset", "tokenProgram", "feePayer", "authorizer",
        "maximum", "withdrawDelay", "openSlot", "expiresAt", "free", "claimKey", "checkAt")
      SELECT ${own.chain.network}, 'channel ' || n, ${own.merchant.tenantId}::uuid, gen_random_uuid(), ${payer.address}, '', '', '', '', '', 1, 1, 1, 1, false, decode(to_hex(n), 'escape'), now() + interval '1 day'
      FROM generate_series(1, 10) n`
    expect(await v1().settle(depositing)).toMatchObject({ status: 429, body: { errorReason: 'queue_full' } })
    await own.app.db.execute`DELETE FROM "UptoChannel" WHERE "id" = 'channel 1'`
    expect((await v1().settle(depositing)).body).toMatchObject({ success: true })
    await own.app.db.execute`DELETE FROM "UptoChannel" WHERE "id" LIKE 'channel %'`
  })
})
