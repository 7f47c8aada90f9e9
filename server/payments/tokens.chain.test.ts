import { decodeJwt } from 'jose'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorization, signUnder } from '../../devnet/authorization'
import { v1Body, v2Body } from '../../test/support/payloads/payments'
import { EURC, MUSD, settleToo } from '../../test/support/payloads/tokens'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newAddress } from '../../test/support/service/purchases'
import { type Merchant, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import type { EvmAsset } from '../x402/networks/networks'

let harness: Harness
let end: () => void
beforeAll(async () => {
  end = settleToo([EURC, MUSD])
  harness = await startHarness({ production: true })
  for (const { address, domain } of [EURC, MUSD]) await harness.chain.deployToken('usdc', { name: domain.name, at: address })
})
afterAll(async () => {
  await harness.close()
  end()
})

const CENT_OF_18 = 10n ** 16n

/** A payment of a token by a new payer that has twice as much. */
async function paying(token: EvmAsset, amount: bigint, { version = 2, value = amount, domain = token.domain } = {}) {
  const payer = await harness.payer(0n)
  await harness.chain.mint(payer.address, 2n * amount, token.address)
  const payTo = newAddress()
  const message = authorization({ from: payer.address, to: payTo, value })
  const signature = await signUnder({ ...domain, chainId: 84532, verifyingContract: token.address }, payer, message)
  const terms = { asset: getAddress(token.address), payTo, extra: domain }
  const signed = { authorization: message, signature }
  const requirements = { ...terms, [version === 2 ? 'amount' : 'maxAmountRequired']: String(amount) }
  const body = version === 2 ? v2Body(signed, { requirements }) : v1Body(signed, { requirements })
  return { body, payer: payer.address, payTo, left: () => harness.chain.tokens(payTo, token.address) }
}

describe('a payment in another token than USDC', () => {
  test.each([1, 2])('of version %s is verified and settled once, and its history names the token', async (version) => {
    const { body, payer, payTo, left } = await paying(EURC, 1_500n, { version })
    const client = newClient(harness.app)
    expect((await client.verify(body)).body).toEqual({ isValid: true, payer })
    const answer = await client.settle(body)
    expect(answer.body).toMatchObject({ success: true, amount: '1500' })
    expect(await left()).toBe(1_500n)
    expect((await client.settle(body)).status).toBe(409)
    expect(await left()).toBe(1_500n)
    const receipt = Object(answer.body).extensions['settlement-receipt'].info.receipt
    expect(decodeJwt(receipt)).toMatchObject({ asset: getAddress(EURC.address), amount: '1500' })
    const rows = await harness.app.db.history.findMany({ where: { payTo: payTo.toLowerCase() } })
    expect(rows).toMatchObject([{ symbol: 'EURC', success: true }])
  })

  test('shares a transaction with payments in others', async () => {
    const payments = await Promise.all(
      Array.from({ length: 9 }, (_, at) => paying(at % 2 === 0 ? EURC : MUSD, at % 2 === 0 ? 1_000n : CENT_OF_18)),
    )
    const answers = await Promise.all(payments.map(({ body }) => newClient(harness.app).settle(body)))
    expect(answers.map(({ body }) => Object(body).success)).toEqual(payments.map(() => true))
    expect(new Set(answers.map(({ body }) => Object(body).transaction)).size).toBeLessThan(payments.length)
    expect(await Promise.all(payments.map(({ left }) => left()))).toEqual(
      payments.map((_, at) => (at % 2 === 0 ? 1_000n : CENT_OF_18)),
    )
    await until(async () => (await harness.app.db.slot.count({ where: { kind: 'batch' } })) > 0, 'a batch')
  })

  test('signed for the domain of USDC is refused, and a refusal names the token too', async () => {
    const { body, payTo } = await paying(EURC, 1_000n, { domain: { name: 'USDC', version: '2' } })
    expect((await newClient(harness.app).settle(body)).body).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_token_name_mismatch',
    })
    expect(await harness.app.db.history.findMany({ where: { payTo: payTo.toLowerCase() } })).toMatchObject([
      { symbol: 'EURC', success: false },
    ])
  })
})

describe('the limits of a payment', () => {
  const textOf = (answer: { body: unknown }) => Object(answer.body).error

  test('are as many whole tokens of any: the minimum', async () => {
    const least = 10n ** 14n
    const { body } = await paying(MUSD, least - 1n)
    const answer = await newClient(harness.app).settle(body)
    expect([answer.status, textOf(answer)]).toEqual([
      400,
      'the amount is below the minimum payment of 100000000000000 atomic units (0.0001 mUSD)',
    ])
    const { body: enough } = await paying(MUSD, least)
    expect((await newClient(harness.app).settle(enough)).body).toMatchObject({ success: true })
  })

  test('and the maximum of a key', async () => {
    const merchant: Merchant = await newMerchant(harness.app, { maxAmount: 50_000n })
    const { body } = await paying(MUSD, 5n * CENT_OF_18 + 1n)
    const answer = await merchant.v1.settle(body)
    expect([answer.status, textOf(answer)]).toEqual([
      403,
      'the amount of 0.050000000000000001 mUSD is above the maximum of 0.05 mUSD per payment set for this API key',
    ])
    const { body: most } = await paying(MUSD, 5n * CENT_OF_18)
    expect((await merchant.v1.settle(most)).body).toMatchObject({ success: true })
  })

  test('and an explanation writes amounts with the decimals and the name of their token', async () => {
    const { body } = await paying(MUSD, CENT_OF_18, { value: 1n })
    const { checks } = Object((await newClient(harness.app).explain({ input: body })).body)
    const evidenceOf = (name: string) => checks.find((check: { name: string }) => check.name === name)?.evidence
    expect(evidenceOf('amount')).toContain(
      'The authorization is for <0.000001 mUSD (1); the requirements ask for 0.01 mUSD (10000000000000000).',
    )
    expect(evidenceOf('minimum_amount')).toContain('the minimum is 0.0001 mUSD (100000000000000)')
  })
})
