import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { gatedHarness } from '../../test/support/nodes/gated-harness'
import { signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { historyOf, left, newClient, sentCount } from '../../test/support/service/surface'
import { API_HEADERS } from '../http/errors'

const { harness, gate } = gatedHarness()

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

describe('POST /sandbox/verify 200', () => {
  test('for a good payment says valid and who pays, moves nothing and writes nothing', async () => {
    const payTo = newAddress()
    const payer = await harness.payer()
    const sent = await sentCount(harness)
    const answer = await newClient(harness.app).verify(v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } }))
    expect([answer.status, answer.body]).toEqual([200, { isValid: true, payer: payer.address }])
    expect(Object.fromEntries(answer.headers)).toEqual({
      ...API_HEADERS,
      'content-type': 'application/json',
      'x-quota-limit': '5000',
      'x-quota-reset': expect.stringMatching(/^\d{10}$/),
      'x-settlement-remaining': '1000',
      'x-verification-remaining': '4999',
    })
    expect([await sentCount(harness), await historyOf(harness, payTo)]).toEqual([sent, []])
    expect(await harness.app.db.settlement.count()).toBe(0)
  })

  test('as often as asked, each time for one unit', async () => {
    const body = v1Body(await signed(await harness.payer()))
    const client = newClient(harness.app)
    for (const verifications of ['4999', '4998', '4997']) {
      const answer = await client.verify(body)
      expect([answer.body, left(answer).verifications]).toEqual([{ isValid: true, payer: expect.any(String) }, verifications])
    }
  })

  test('echoes the payer as it was written', async () => {
    const payer = await harness.payer()
    const { authorization, signature } = await signed(payer)
    const from = payer.address.toLowerCase() as `0x${string}`
    const answer = await newClient(harness.app).verify(v2Body({ authorization: { ...authorization, from }, signature }))
    expect(answer.body).toEqual({ isValid: true, payer: from })
  })

  test('says duplicate_settlement once the payment is claimed, by anyone, for no unit', async () => {
    const payer = await harness.payer()
    const body = v2Body(await signed(payer))
    expect((await newClient(harness.app).settle(body)).body).toMatchObject({ success: true })
    const answer = await newClient(harness.app).verify(body)
    expect([answer.status, left(answer).verifications]).toEqual([200, '5000'])
    expect(answer.body).toEqual({
      isValid: false,
      invalidReason: 'duplicate_settlement',
      invalidMessage: 'This payment was already submitted.',
      payer: payer.address,
    })
  })
})

describe('POST /sandbox/verify 502', () => {
  test('while the node does not answer: no verdict, no address, the unit given back', async () => {
    const payer = await harness.payer()
    const body = v2Body(await signed(payer))
    const client = newClient(harness.app)
    gate.rule(() => 'down')
    const answer = await client.verify(body)
    gate.rule(() => null)
    expect([answer.status, left(answer).verifications]).toEqual([502, '5000'])
    expect(answer.body).toEqual({
      error: 'the Base Sepolia node did not answer; nothing was sent, try again',
      isValid: false,
      invalidReason: 'upstream_unreachable',
      invalidMessage: 'the Base Sepolia node did not answer; nothing was sent, try again',
      payer: payer.address,
    })
    expect((await client.verify(body)).body).toEqual({ isValid: true, payer: payer.address })
  })

  test('while the node limits us: a wallet that signed never gets an invalid signature', async () => {
    const owner = privateKeyToAccount(generatePrivateKey())
    const wallet = await harness.chain.deployWallet(owner.address)
    const body = v2Body(await signed(owner, { from: wallet }))
    gate.rule(({ method, params }) => {
      // CALL(…, wallet, …) of its gas: the simulation only names the wallet in calldata.
      const asksWallet =
        method === 'eth_call' &&
        JSON.stringify(params)
          .toLowerCase()
          .includes(`73${wallet.slice(2).toLowerCase()}63`)
      return asksWallet ? { code: -32_005, message: 'daily request count exceeded, request rate limited' } : null
    })
    const answer = await newClient(harness.app).verify(body)
    gate.rule(() => null)
    expect([answer.status, answer.body]).toMatchObject([502, { invalidReason: 'upstream_unreachable' }])
    expect((await newClient(harness.app).verify(body)).body).toMatchObject({
      invalidReason: 'invalid_exact_evm_insufficient_balance',
    })
  })

  test.each([
    ['hex that is no hex', { code: 0, message: '' }],
    ['an internal error', { code: -32_603, message: 'internal error' }],
    ['an unknown block', { code: -32_000, message: 'header not found' }],
  ])('after %s: an error of the node is not a verdict about the payment', async (_, error) => {
    const body = v2Body(await signed(await harness.payer()))
    gate.rule(({ method }) => (method === 'eth_call' ? error : null))
    const answer = await newClient(harness.app).verify(body)
    gate.rule(() => null)
    expect([answer.status, answer.body]).toMatchObject([502, { isValid: false, invalidReason: 'upstream_unreachable' }])
    expect(JSON.stringify(answer.body)).not.toMatch(/:\/\/|provider-secret|127\.0\.0\.1| at /)
  })
})
