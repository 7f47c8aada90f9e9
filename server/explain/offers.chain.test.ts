import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requirements } from '../../test/support/payloads/payments'
import { EURC, settleTooInTest } from '../../test/support/payloads/tokens'
import { newClient } from '../../test/support/service/surface'
import { someAddress } from '../../test/support/svm/forge'
import { type SvmHarness, startSvmHarness } from '../../test/support/svm/harness'

type Json = Record<string, unknown>
type Check = { name: string; status: string; evidence: string; remedy: string | null }

let harness: SvmHarness
beforeAll(async () => {
  harness = await startSvmHarness()
})
afterAll(() => harness.close())

const resource = { url: 'https://merchant.example/weather', description: 'Weather' }
const v2 = (accepts: Json[], more: Json = {}) => ({ x402Version: 2, resource, accepts, ...more })
const v1Offer = (changes: Json = {}) => {
  const { amount, ...terms } = requirements()
  return { ...terms, network: 'base-sepolia', maxAmountRequired: amount, resource: resource.url, description: '', ...changes }
}
const v1 = (accepts: Json[]) => ({ x402Version: 1, error: 'pay', accepts })
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const whole = (header: Json | null, body: Json) =>
  `HTTP/1.1 402 Payment Required\n${header ? `PAYMENT-REQUIRED: ${base64(header)}\n` : ''}\n${JSON.stringify(body)}`

async function checksOf(input: unknown): Promise<{ failed: string[]; check: (name: string) => Check | undefined }> {
  const { status, body } = await newClient(harness.app).explain({ input })
  const { kind, checks, verdict }: { kind: string; checks: Check[]; verdict: Json } = Object(body)
  expect([status, kind, verdict]).toEqual([200, 'payment_required', { isValid: null, invalidReason: null }])
  const failed = checks.flatMap(({ name, status }) => (status === 'failed' ? [name] : []))
  return { failed, check: (name) => checks.find((one) => one.name === name) }
}

describe('a 402 response', () => {
  test('with both versions fails only what this facilitator does not have', async () => {
    const { failed, check } = await checksOf(whole(v2([requirements()]), v1([v1Offer()])))
    // The service of this file serves Solana only.
    expect(failed).toEqual(['header.accepts.0.facilitator', 'body.accepts.0.facilitator'])
    for (const name of ['header', 'body', 'header_and_body']) expect(check(name)?.status).toBe('passed')
  })

  test('is judged by the domain of the token that it asks for', async () => {
    settleTooInTest([EURC])
    const offer = (extra: Json) => v2([requirements({ asset: EURC.address, extra })])
    const right = await checksOf(offer({ ...EURC.domain }))
    expect(right.check('body.accepts.0.offer')?.evidence).toContain('0.001 EURC')
    expect(right.check('body.accepts.0.token_name')).toMatchObject({
      status: 'passed',
      evidence: expect.stringContaining('"EURC"'),
    })
    expect((await checksOf(offer({ name: 'USDC', version: '2' }))).failed).toContain('body.accepts.0.token_name')
  })

  test('whose halves ask for different payments fails, with both in words', async () => {
    const { check } = await checksOf(whole(v2([requirements()]), v1([v1Offer({ maxAmountRequired: '5000' })])))
    expect(check('header_and_body')).toMatchObject({
      status: 'failed',
      evidence: expect.stringMatching(/The body offers 0\.005 USDC.+; the header offers 0\.001 USDC/),
    })
  })

  test('of version 2 without its header fails only if the headers were pasted too', async () => {
    const alone = await checksOf(v2([requirements()]))
    expect(alone.check('header')).toMatchObject({ status: 'not_reached', remedy: expect.stringContaining('curl -i') })
    expect((await checksOf(whole(null, v2([requirements()])))).failed).toContain('header')
  })

  test.each([
    ['a network as the other version names it', v1Offer({ network: 'eip155:84532' }), 'network_name', /know "base-sepolia"/],
    ['another asset', v1Offer({ asset: `0x${'12'.repeat(20)}` }), 'offer', /asset is not accepted on Base Sepolia/],
    ['a price that is no number', v1Offer({ maxAmountRequired: '$0.01' }), 'offer', /must be a whole number/],
    ['a price below the minimum', v1Offer({ maxAmountRequired: '7' }), 'minimum_amount', /0\.000007 USDC \(7\)/],
    ['a network that is not served', v1Offer({ network: 'polygon' }), 'offer', /polygon is not served/],
    ['another token name', v1Offer({ extra: { name: 'USD Coin', version: '2' } }), 'token_name', /calls itself "USDC"/],
    ['no token name', v1Offer({ extra: {} }), 'token_domain', /lacks a name/],
    ['another scheme', v1Offer({ scheme: 'deferred' }), 'scheme_served', /"deferred"/],
  ])('with %s fails there', async (_what, offer, name, evidence) => {
    const { check } = await checksOf(v1([v1Offer(), offer]))
    expect(check(`body.accepts.1.${name}`)).toMatchObject({ status: 'failed', evidence: expect.stringMatching(evidence) })
  })

  test('names all faults of an offer at once', async () => {
    const odd = { ...v1Offer({ maxAmountRequired: '$0.01', payTo: 'me', scheme: '' }), asset: `0x${'12'.repeat(20)}` }
    const { check } = await checksOf(v1([odd]))
    expect(check('body.accepts.0.offer')?.evidence).toMatch(
      /accepts\[0\]\.scheme must not be empty\..*maxAmountRequired must be a whole number.*asset is not accepted.*payTo is not an address/,
    )
    const misspelled = await checksOf(v1([v1Offer({ network: 'base_sepolia' })]))
    expect(misspelled.check('body.accepts.0.offer')?.remedy).toContain('Did you mean "base-sepolia"?')
  })

  test('with too little time to pay fails', async () => {
    const { check } = await checksOf(v1([v1Offer({ maxTimeoutSeconds: 6 }), v1Offer({ maxTimeoutSeconds: 7 })]))
    expect(check('body.accepts.0.time_to_pay')).toMatchObject({
      status: 'failed',
      evidence: 'maxTimeoutSeconds is 6; a payment must still be valid for 6 s when it arrives.',
      remedy: expect.stringContaining('raise maxTimeoutSeconds'),
    })
    expect(check('body.accepts.1.time_to_pay')?.status).toBe('passed')
  })

  test('without offers or version fails, and is not a 500', async () => {
    for (const accepts of [[], 'all', null, [7], [null]]) {
      const { failed } = await checksOf({ x402Version: 3, accepts })
      expect(failed).toEqual(expect.arrayContaining(['body.version']))
    }
  })

  test('says why the catalog would not list it', async () => {
    const declared = (info: Json) => ({ extensions: { bazaar: { info } } })
    const listed = await checksOf(v2([requirements()], declared({ input: { type: 'http', method: 'GET' } })))
    expect(listed.check('body.accepts.0.listing')).toMatchObject({ evidence: expect.stringContaining(`list ${resource.url}`) })
    const rejected = await checksOf(v2([requirements()], declared({ input: { type: 'soap' } })))
    expect(rejected.check('body.accepts.0.listing')).toMatchObject({
      status: 'failed',
      evidence: 'The catalog would not list it: extensions.bazaar.info.input.type is of no type that is listed here.',
    })
    expect((await checksOf(v2([requirements()]))).check('body.accepts.0.listing')).toMatchObject({ status: 'not_reached' })
  })
})

describe('a 402 response on Solana', () => {
  test('passes with our fee payer and a recipient that has a USDC account', async () => {
    const { body } = await harness.purchase()
    const { failed, check } = await checksOf(v2([Object(body.paymentRequirements)]))
    expect(failed).toEqual([])
    expect(check('body.accepts.0.pay_to_account')?.status).toBe('passed')
  })

  test('fails without a fee payer, and with a recipient that cannot receive', async () => {
    const { body } = await harness.purchase()
    const terms: Json = Object(body.paymentRequirements)
    const { failed } = await checksOf(
      v2([
        { ...terms, extra: {} },
        { ...terms, payTo: someAddress() },
      ]),
    )
    expect(failed).toEqual(['body.accepts.0.fee_payer', 'body.accepts.1.pay_to_account'])
  })
})
