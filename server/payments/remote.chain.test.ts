import { Writable } from 'node:stream'
import { getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { authorization, signUnder } from '../../devnet/authorization'
import { freePort } from '../../test/support/database/postgres'
import { type RemoteHarness, startRemoteHarness, TOKEN } from '../../test/support/nodes/remote-harness'
import { disturbances, refuseWith } from '../../test/support/nodes/remote-proxy'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { EURC, settleTooInTest } from '../../test/support/payloads/tokens'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newAddress, newPurchase, usageOf } from '../../test/support/service/purchases'
import { historyOf, left, newClient, newMerchant, sentCount } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { createLog } from '../base/log'

let all: RemoteHarness
const lines: string[] = []
const listening = new Writable({
  write(piece, _encoding, done) {
    lines.push(String(piece))
    done()
  },
})
beforeAll(async () => {
  const log = createLog('trace', { redact: false, destination: listening })
  all = await startRemoteHarness({ log, env: { SETTLE_DEADLINE_MS: '2000' } }, ['SANDBOX', 'STANDARD'])
})
afterEach(() => all.line.disturb(null))
afterAll(() => all.close())

describe('POST /sandbox/verify, with the sandbox served by another facilitator', () => {
  test('200 judged by ourselves, also while the other one is away', async () => {
    const { body, payer } = await newPurchase(all.harness)
    await all.line.down()
    const answer = await newClient(all.harness.app).verify(body)
    await all.line.up()
    expect([answer.status, answer.body]).toEqual([200, { isValid: true, payer }])
  })
})

describe('POST /sandbox/settle, with the sandbox served by another facilitator', () => {
  test('200 judged and failed without a call when the payer has no money', async () => {
    const { body, payment } = await newPurchase(all.harness, { balance: 0n })
    const answer = await newClient(all.harness.app).settle(body)
    expect(answer.body).toMatchObject({ success: false, errorReason: 'invalid_exact_evm_insufficient_balance', transaction: '' })
    expect(all.line.settles(payment.authorization.nonce)).toBe(0)
  })

  test('the call has version 2, our requirements and the bearer token', async () => {
    const { payment, payTo, body } = await newPurchase(all.harness)
    expect((await newClient(all.harness.app).settle(body)).body).toMatchObject({ success: true })
    const call = all.line.seen.find(({ body }) => body.includes(payment.authorization.nonce))
    expect([call?.method, call?.path, call?.authorization]).toEqual(['POST', '/settle', `Bearer ${TOKEN}`])
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      x402Version: 2,
      paymentPayload: {
        x402Version: 2,
        payload: { signature: payment.signature, authorization: { value: '1000', to: payTo } },
        resource: { url: 'http://merchant.test/weather', description: 'Weather' },
        accepted: { scheme: 'exact', network: 'eip155:84532', amount: '1000' },
      },
      paymentRequirements: { scheme: 'exact', network: 'eip155:84532', amount: '1000', payTo, extra: { name: 'USDC' } },
    })
  })

  test('the call names the domain of the paid token', async () => {
    settleTooInTest([EURC])
    await all.harness.chain.deployToken('usdc', { name: EURC.domain.name, at: EURC.address })
    const payer = await all.harness.payer(0n)
    await all.harness.chain.mint(payer.address, 1_000n, EURC.address)
    const payTo = newAddress()
    const message = authorization({ from: payer.address, to: payTo, value: 1_000n })
    const signature = await signUnder({ ...EURC.domain, chainId: 84532, verifyingContract: EURC.address }, payer, message)
    const requirements = { asset: getAddress(EURC.address), payTo, extra: EURC.domain }
    const body = v2Body({ authorization: message, signature }, { requirements })
    const answer = await newClient(all.harness.app).settle(body)
    const call = all.line.seen.find(({ body }) => body.includes(message.nonce))
    const asked = { asset: getAddress(EURC.address), extra: EURC.domain }
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ paymentRequirements: asked, paymentPayload: { accepted: asked } })
    expect(answer.body).toMatchObject({ success: true })
    expect(await all.harness.chain.tokens(payTo, EURC.address)).toBe(1_000n)
  })

  test.each([2n ** 256n - 1n, 90_000n])('200 failed without a call when it is valid for longer than a day', async (seconds) => {
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const validBefore = seconds > 2n ** 64n ? seconds : now + seconds
    const payment = await signed(await all.harness.payer(), { validBefore })
    const client = newClient(all.harness.app)
    const reason = 'invalid_exact_evm_payload_authorization_valid_before'
    expect((await client.verify(v2Body(payment))).body).toMatchObject({ isValid: false, invalidReason: reason })
    expect((await client.settle(v2Body(payment))).body).toMatchObject({ success: false, errorReason: reason })
    expect(all.line.settles(payment.authorization.nonce)).toBe(0)
  })

  test.each([301, 401, 403, 404, 413, 429, 400])(
    '502 when it refuses with %i: nothing went out, the unit is back, the intent is free',
    async (status) => {
      const { body, payTo, payer } = await newPurchase(all.harness)
      const client = newClient(all.harness.app)
      all.line.disturb(refuseWith(status, '{"error":"the response has <script>, https://host/?key=1"}'))
      const answer = await client.settle(body)
      const message = `the facilitator that serves this tier would not take the request (status ${status}); nothing was sent`
      expect([answer.status, answer.body, left(answer).settlements]).toEqual([
        502,
        {
          error: message,
          success: false,
          errorReason: 'upstream_refused',
          errorMessage: message,
          transaction: '',
          network: 'eip155:84532',
          payer,
        },
        '1000',
      ])
      expect([await usageOf(all.harness.app, client.subject), await historyOf(all.harness, payTo)]).toEqual([
        { used: 0, returned: 1 },
        [],
      ])
      all.line.disturb(null)
      expect((await client.settle(body)).body).toMatchObject({ success: true })
    },
  )

  test.each<[string, number, object]>([
    ['a 400 that speaks of a settlement', 400, { success: false, transaction: '' }],
    ['a 403 that names a transaction', 403, { success: false, transaction: `0x${'34'.repeat(32)}` }],
    ['a 408', 408, {}],
    ['a 500', 500, { error: 'boom' }],
  ])('200 pending after %s: it may have acted', async (_, status, said) => {
    const { body, payment } = await newPurchase(all.harness)
    all.line.disturb(refuseWith(status, JSON.stringify(said)))
    const answer = await newClient(all.harness.app).settle(body)
    const transaction = 'transaction' in said ? said.transaction : ''
    expect([answer.status, answer.body]).toMatchObject([200, { success: false, errorReason: 'settlement_pending', transaction }])
    expect(answer.headers.get('x-settlement-id')).toMatch(/-/)
    expect(all.line.settles(payment.authorization.nonce)).toBe(1)
  })

  test('a unit is not even taken while it is known to be away', async () => {
    const [one, two] = [await newPurchase(all.harness), await newPurchase(all.harness)]
    await all.line.down()
    const client = newClient(all.harness.app)
    await newClient(all.harness.app).settle(one.body)
    const answer = await client.settle(two.body)
    await all.line.up()
    expect([answer.status, answer.body]).toMatchObject([502, { errorReason: 'upstream_unreachable' }])
    expect((await usageOf(all.harness.app, client.subject)).used).toBe(0)
  })
})

describe('a tier without a facilitator', () => {
  test('503 on settle and verify, though another tier has another facilitator, which is not used', async () => {
    const merchant = await newMerchant(all.harness.app)
    const { body, payment } = await newPurchase(all.harness)
    const ours = await sentCount(all.harness)
    for (const answer of [await merchant.flash.settle(body), await merchant.flash.verify(body)]) {
      expect([answer.status, answer.body]).toMatchObject([
        503,
        { error: 'flash settlement on Base Sepolia is not configured on this facilitator' },
      ])
    }
    expect([all.line.settles(payment.authorization.nonce), await sentCount(all.harness)]).toEqual([0, ours])
  })
})

describe('GET {prefix}/supported', () => {
  test('lists the network with the addresses that send for the other facilitator', async () => {
    const listed = () => newClient(all.harness.app).supported()
    await until(async () => JSON.stringify((await listed()).body).includes(all.official.signer), 'the signers to be listed')
    expect((await listed()).body).toMatchObject({
      kinds: [
        { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
        { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
      ],
      signers: { 'eip155:*': [all.official.signer] },
    })
    const merchant = await newMerchant(all.harness.app)
    expect([(await merchant.v1.supported()).body, (await merchant.flash.supported()).body]).toMatchObject([
      { kinds: [{ network: 'eip155:84532' }, { network: 'base-sepolia' }] },
      { kinds: [], signers: {} },
    ])
  })

  test('lists it at once while the other one does not answer: what is configured is listed', async () => {
    const away: Harness = await startHarness({
      env: { REMOTE_SANDBOX_URL: `http://127.0.0.1:${await freePort()}`, EVM_SANDBOX_SIGNER_KEYS: '' },
    })
    expect((await newClient(away.app).supported()).body).toMatchObject({ kinds: [{ network: 'eip155:84532' }, {}], signers: {} })
    const { body } = await newPurchase(away)
    expect((await newClient(away.app).settle(body)).status).toBe(502)
    await away.close()
  })
})

test('the token and the URL of the other facilitator are in no log line', async () => {
  all.line.disturb(disturbances['is cut off before it got the request'])
  await newClient(all.harness.app).settle((await newPurchase(all.harness)).body)
  expect(lines.some((line) => line.includes('the remote facilitator answered'))).toBe(true)
  const leaked = lines.filter((line) => line.includes(TOKEN) || line.includes(all.line.url) || line.includes('the response has'))
  expect(leaked).toEqual([])
})
