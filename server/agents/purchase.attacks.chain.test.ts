import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { authorization, sign } from '../../devnet/authorization'
import { fixture } from '../../test/support/fixture'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { agentsOf, bought, decoded, inHeader, payForCredits, SERVICE_PAY_TO, sells } from '../../test/support/service/agents'
import { startHarness } from '../../test/support/service/harness'
import { keyHolder, left, newMerchant } from '../../test/support/service/surface'

const harness = fixture(() =>
  startHarness({
    production: true,
    base: true,
    env: { ...sells, PURCHASE_NETWORKS: 'base-sepolia,base', KYT: 'off' },
  }),
)
let agents: ReturnType<typeof agentsOf>
beforeAll(() => {
  agents = agentsOf(harness.app)
})

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
/** A payment to the service on base-sepolia with other fields in `accepted`. */
const inAccepted = (payment: SignedPayment, accepted: object) => ({
  'payment-signature': base64(
    Object(v2Body(payment, { accepted: { payTo: SERVICE_PAY_TO, amount: String(payment.authorization.value), ...accepted } }))
      .paymentPayload,
  ),
})
const keysOf = async (wallet: string) => Object((await agents.balance(wallet)).body).keys as { id: string }[]

describe('credits go only to the wallet that paid', () => {
  test('a payment replayed from the chain is a conflict, without a key and without its outcome', async () => {
    const payer = await harness.payer()
    const headers = inHeader.v2(await payForCredits(payer, 100n))
    const { body } = await agents.buy(headers)
    const replayed = await agents.buy(headers)
    expect(replayed).toMatchObject({ status: 409, body: { error: expect.stringContaining('was submitted already') } })
    expect(JSON.stringify(replayed.body)).not.toContain(Object(body).transaction)
    expect(await keysOf(payer.address)).toHaveLength(1)
  })

  test('a payment with another wallet as payer and without its signature buys and moves nothing', async () => {
    const [victim, thief] = [await harness.payer(), privateKeyToAccount(generatePrivateKey())]
    const message = authorization({ from: victim.address, to: SERVICE_PAY_TO, value: 100_000n })
    const forged = { authorization: message, signature: await sign(84532, thief, message) }
    const answer = await agents.buy(inHeader.v2(forged))
    expect(answer).toMatchObject({ status: 402, body: { error: expect.stringContaining('signature') } })
    expect([await harness.chain.tokens(victim.address), await keysOf(victim.address)]).toEqual([1_000_000n, []])
  })

  test("a smart wallet's payment buys for the smart wallet and not for its signer", async () => {
    const owner = await harness.payer()
    const wallet = getAddress(await harness.chain.deployWallet(owner.address))
    await harness.chain.mint(wallet, 1_000_000n)
    const answer = await agents.buy(inHeader.v2(await signed(owner, { from: wallet, to: SERVICE_PAY_TO, value: 100_000n })))
    expect(answer).toMatchObject({ status: 200, body: { wallet, credits: 100 } })
    expect((await agents.balance(wallet)).body).toMatchObject({ credits_remaining: 100 })
    expect((await agents.balance(owner.address)).body).toMatchObject({ credits_purchased: 0, keys: [] })
  })

  test('a key spends the credits of its own wallet only', async () => {
    const [rich, poor] = [await bought(harness, 200n), await bought(harness, 100n)]
    const { db } = harness.app
    await db.creditAccount.updateMany({ where: { wallet: poor.wallet.address.toLowerCase() }, data: { used: 100n } })
    const use = v2Body(await signed(await harness.payer()))
    expect(await poor.v1.settle(use)).toMatchObject({ status: 429 })
    expect((await agents.balance(rich.wallet.address)).body).toMatchObject({ credits_remaining: 200 })
    expect(await rich.v1.settle(use)).toMatchObject({ status: 200, body: { success: true } })
  })

  test('a key that an admin created for the wallet stays unchanged', async () => {
    const payer = await harness.payer()
    const owner = { kind: 'wallet' as const, id: payer.address.toLowerCase() }
    const merchant = await newMerchant(harness.app, { owner, settlementQuota: 7 })
    const agent = await bought(harness, 100n, payer)
    const answer = await merchant.v1.settle(v2Body(await signed(await harness.payer())))
    expect([answer.status, left(answer).settlements]).toEqual([200, '6'])
    expect((await agents.balance(payer.address)).body).toMatchObject({ credits_used: 0, keys: [{ id: agent.key_id }] })
  })
})

describe('only the signed amount counts', () => {
  test.each([
    ['an amount', { amount: '900000' }],
    ['an earlier name of the amount', { maxAmountRequired: '900000' }],
    ['another recipient', { payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C' }],
    ['another token', { asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }],
    ['other extras', { extra: { name: 'Free', version: '9' } }],
  ])('%s in the accepted terms changes neither price nor credits', async (_, accepted) => {
    const payer = await harness.payer()
    const answer = await agents.buy(inAccepted(await payForCredits(payer, 100n), accepted))
    expect(answer).toMatchObject({ status: 200, body: { credits: 100, credits_added: 100 } })
    expect(await harness.chain.tokens(payer.address)).toBe(900_000n)
  })

  test('a payment to another address is no purchase, even if its accepted terms name ours', async () => {
    const payer = await harness.payer()
    const answer = await agents.buy(inAccepted(await signed(payer, { value: 100_000n }), {}))
    expect(answer.status).toBe(402)
    expect(decoded(answer, 'payment-response')).toMatchObject({ errorReason: 'invalid_exact_evm_recipient_mismatch' })
    expect(await harness.chain.tokens(payer.address)).toBe(1_000_000n)
  })

  test('a payment that was signed for one chain buys nothing on another', async () => {
    const payer = await harness.payer()
    const payment = await payForCredits(payer, 100n)
    const answer = await agents.buy(inAccepted(payment, { network: 'eip155:8453' }))
    expect(answer).toMatchObject({ status: 402, body: { error: expect.stringContaining('signature') } })
    expect(await keysOf(payer.address)).toEqual([])
  })

  test('the service does not buy from itself', async () => {
    const payment = await signed(await harness.payer(), { from: SERVICE_PAY_TO, to: SERVICE_PAY_TO, value: 100_000n })
    expect(await agents.buy(inHeader.v2(payment))).toMatchObject({
      status: 400,
      body: { error: 'the payer and payTo are the same wallet; such a transfer moves no money' },
    })
  })
})

describe('the environments', () => {
  test('are separate: testnet credits settle nothing on a mainnet, nor mainnet credits on a testnet', async () => {
    const poor = await bought(harness, 100n)
    const payer = privateKeyToAccount(generatePrivateKey())
    await harness.base().mint(payer.address, 1_000_000n)
    const onBase = {
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    }
    const use = async () => v2Body(await signed(payer, {}, 8453), { requirements: onBase })
    const refused = await poor.v1.settle(await use())
    expect([refused.status, left(refused)]).toEqual([429, { settlements: '0', verifications: '0' }])

    const paying = await signed(payer, { to: SERVICE_PAY_TO, value: 100_000n }, 8453)
    const answer = await agents.buy(inAccepted(paying, onBase))
    expect(answer).toMatchObject({ status: 200, body: { environment: 'mainnet', credits: 100 } })
    const rich = keyHolder(harness.app, Object(answer.body).api_key)
    expect(await rich.v1.settle(v2Body(await signed(await harness.payer())))).toMatchObject({ status: 429 })
    expect(await rich.v1.settle(await use())).toMatchObject({ status: 200, body: { success: true } })
    expect((await agents.balance(payer.address)).body).toMatchObject({ environment: 'mainnet', credits_remaining: 99 })
  })
})

describe('concurrent purchases and revoked access', () => {
  test('concurrent first purchases of one wallet create one tenant, with at most five live keys and all credits', async () => {
    const payer = await harness.payer()
    const wallet = payer.address.toLowerCase()
    const payments = await Promise.all(Array.from({ length: 8 }, () => payForCredits(payer, 100n)))
    const answers = await Promise.all(payments.map((payment) => agents.buy(inHeader.v2(payment))))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await harness.app.db.tenant.count({ where: { ownerId: wallet, plan: 'agent' } })).toBe(1)
    expect(await keysOf(wallet)).toHaveLength(5)
    expect((await agents.balance(wallet)).body).toMatchObject({ credits_remaining: 800 })
  })

  test('a wallet whose access was revoked pays nothing and gets no key', async () => {
    const { wallet } = await bought(harness, 100n)
    const { db } = harness.app
    await db.tenant.updateMany({ where: { ownerId: wallet.address.toLowerCase() }, data: { revokedAt: new Date() } })
    const before = await harness.chain.tokens(wallet.address)
    expect(await agents.buy(inHeader.v2(await payForCredits(wallet, 100n)))).toMatchObject({ status: 403 })
    expect(await agents.newKey(wallet.address)).toMatchObject({ status: 403 })
    expect(await harness.chain.tokens(wallet.address)).toBe(before)
  })
})
