import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { requirements, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { inOneSecond } from '../../test/support/service/rate-window'
import { type Answer, type Client, left, newClient, sentCount } from '../../test/support/service/surface'

type Json = Record<string, unknown>
type Route = 'verify' | 'settle'

const harness = fixture(startHarness)

const routes: Route[] = ['verify', 'settle']

/** The body of a refusal on that route: `error` and what official clients build their errors from. */
function refused(route: Route, error: string, reason: string, facts: { network?: string; payer?: string } = {}): Json {
  const { network = '', payer } = facts
  if (route === 'verify') return { error, isValid: false, invalidReason: reason, invalidMessage: error, payer: payer ?? '' }
  return {
    error,
    success: false,
    errorReason: reason,
    errorMessage: error,
    transaction: '',
    network,
    ...(payer === undefined ? {} : { payer }),
  }
}

/** Asks, and makes sure that a refusal left nothing behind. */
async function ask(route: Route, body: unknown, client: Client = newClient(harness.app)): Promise<Answer> {
  const { db } = harness.app
  const count = async () => [await db.history.count(), await db.settlement.count(), await sentCount(harness)]
  const before = await count()
  const answer = await client[route](body)
  expect(await count()).toEqual(before)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return answer
}

const solana = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const solanaAsked = requirements({
  network: solana,
  asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  payTo: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs',
})
const solanaBody = {
  paymentPayload: { x402Version: 2, accepted: solanaAsked, payload: { transaction: 'AQ==' } },
  paymentRequirements: solanaAsked,
}

describe.each(routes)('POST /sandbox/%s 400', (route) => {
  test.each<[string, string, string]>([
    ['an empty body', '', 'the body is empty; send a JSON object'],
    ['half a JSON', '{"paymentPayload":', 'the body is not valid JSON'],
    ['an array', '[]', 'body must be a JSON object with paymentPayload and paymentRequirements'],
    ['an empty object', '{}', 'paymentPayload is missing'],
    ['17 levels', `${'['.repeat(17)}${']'.repeat(17)}`, 'the body is nested deeper than 16 levels'],
    ['a __proto__ key', '{"__proto__":{}}', 'the body holds a key named "__proto__"'],
    ['a NUL', '{"a":"\\u0000"}', 'the body holds a NUL character'],
  ])('for %s', async (_, body, error) => {
    const answer = await ask(route, body)
    expect([answer.status, answer.body]).toEqual([400, refused(route, error, 'invalid_payload')])
    expect(left(answer)).toEqual({ settlements: null, verifications: null })
  })

  test('for NUL inside base64, which no first look can see', async () => {
    const hidden = Buffer.from('{"x402Version":1,"scheme":"exact\\u0000"}').toString('base64')
    const network = 'eip155:84532'
    const answer = await ask(route, { paymentPayload: hidden, paymentRequirements: requirements({ network }) })
    expect([answer.status, answer.body]).toEqual([
      400,
      refused(route, 'paymentPayload holds a NUL character', 'invalid_payload', { network }),
    ])
  })

  test.each([0n, 99n])('for an amount of %s, below the minimum', async (value) => {
    const payer = await harness.payer()
    const body = v2Body(await signed(payer, { value }), { requirements: { amount: String(value) } })
    const answer = await ask(route, body)
    const error = 'the amount is below the minimum payment of 100 atomic units (0.0001 USDC)'
    const facts = { network: 'eip155:84532', payer: payer.address }
    expect([answer.status, answer.body]).toEqual([400, refused(route, error, 'invalid_payment_requirements', facts)])
  })

  test('for a wallet that pays itself', async () => {
    const payer = await harness.payer()
    const body = v1Body(await signed(payer, { to: payer.address }), { requirements: { payTo: payer.address } })
    const answer = await ask(route, body)
    const error = 'the payer and payTo are the same wallet; such a transfer moves no money'
    const facts = { network: 'base-sepolia', payer: payer.address }
    expect([answer.status, answer.body]).toEqual([400, refused(route, error, 'invalid_payment', facts)])
  })
})

describe.each(routes)('POST /sandbox/%s 403 and 503', (route) => {
  test('403 for a network that this endpoint does not serve', async () => {
    const payer = await harness.payer()
    const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const body = v2Body(await signed(payer), { requirements: { network: 'eip155:8453', asset } })
    const answer = await ask(route, body)
    const error = 'Base is not allowed here; this endpoint serves Base Sepolia and Solana devnet'
    const facts = { network: 'eip155:8453', payer: payer.address }
    expect([answer.status, answer.body]).toEqual([403, refused(route, error, 'invalid_network', facts)])
  })

  test('403 for a network that is not served here', async () => {
    const body = v2Body(await signed(await harness.payer()), { requirements: { network: 'eip155:137' } })
    const answer = await ask(route, body)
    expect([answer.status, answer.body]).toEqual([
      403,
      refused(
        route,
        'network eip155:137 is not served here; this facilitator serves Base, Base Sepolia, Solana, and Solana devnet',
        'invalid_network',
        { network: 'eip155:137' },
      ),
    ])
  })

  test('503 with Retry-After for a network that is not configured', async () => {
    const answer = await ask(route, solanaBody)
    const facts = { network: solana, payer: '' }
    const error = 'Solana devnet is not configured on this facilitator'
    expect([answer.status, answer.body]).toEqual([503, refused(route, error, 'facilitator_unavailable', facts)])
    expect(answer.headers.get('retry-after')).toBe('60')
  })
})

describe.each(routes)('POST /sandbox/%s 413', (route) => {
  test('for a body of 16,385 bytes, and not for one of 16,384', async () => {
    const client = newClient(harness.app)
    const body = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    const answer = await ask(route, body(16_385), client)
    const error = 'the body is larger than 16 KB, the limit of this route'
    expect([answer.status, answer.body]).toEqual([413, refused(route, error, 'payload_too_large')])
    expect((await ask(route, body(16_384), client)).status).toBe(400)
  })
})

describe.each(routes)('POST /sandbox/%s 429', (route) => {
  test('for the sixth request within a second, with any body', async () => {
    const client = newClient(harness.app)
    const answers = await inOneSecond(() => Promise.all(Array.from({ length: 6 }, () => client[route]('{}'))))
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 400, 429])
    const late = answers.find(({ status }) => status === 429)
    expect(late?.body).toEqual(refused(route, 'more than 5 requests per second; wait 1 s and try again', 'rate_limit_exceeded'))
    expect(late?.headers.get('retry-after')).toBe('1')
    expect((await newClient(harness.app)[route]('{}')).status).toBe(400)
  })

  test("when the month's quota is spent, with the header at 0 and the time it resets", async () => {
    const payer = await harness.payer()
    const client = newClient(harness.app)
    const limit = route === 'settle' ? 1_000 : 5_000
    const meter = route === 'settle' ? 'settlement' : 'verification'
    const period = new Date().toISOString().slice(0, 7)
    await harness.app.db.usage.create({ data: { subject: client.subject, meter, period, used: limit - 1 } })
    const last = await client.verify(v2Body(await signed(payer)))
    expect(last.status).toBe(200)
    if (route === 'settle')
      await harness.app.db.usage.updateMany({ where: { subject: client.subject, meter }, data: { used: limit } })

    const answer = await ask(route, v2Body(await signed(payer)), client)
    const reset = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1) / 1_000
    const until = new Date(reset * 1_000).toISOString()
    const error = `the monthly quota of ${limit} ${meter}s is spent; it resets at ${until}`
    const facts = { network: 'eip155:84532', payer: payer.address }
    expect([answer.status, answer.body]).toEqual([429, refused(route, error, 'quota_exceeded', facts)])
    expect(left(answer)[route === 'settle' ? 'settlements' : 'verifications']).toBe('0')
    expect([answer.headers.get('x-quota-reset'), answer.headers.get('x-quota-limit')]).toEqual([String(reset), String(limit)])
    expect(Math.abs(Number(answer.headers.get('retry-after')) - (reset - Date.now() / 1_000))).toBeLessThan(30)
    const { used } = await harness.app.db.usage.findFirstOrThrow({ where: { subject: client.subject, meter } })
    expect(used).toBe(limit)
  })
})
