import { type JWTPayload, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { evmWallet, siweHeaders } from '../../test/support/payloads/sign-in'
import { newOwner, startReading } from '../../test/support/service/history'
import { askingOwn } from '../../test/support/service/own-api'
import { keyHolder, newMerchant } from '../../test/support/service/surface'
import { appWith } from '../app'

const service = fixture(() => startReading())

/** A merchant with a token of this scope. The check of signatures has tests of its own. */
function merchant(scope?: string, subject = newOwner(), claims: JWTPayload = scope === undefined ? {} : { scope }) {
  const app = appWith(service.app, { proveMerchant: async () => subject })
  const token = new UnsecuredJWT(claims).setSubject(subject).encode()
  return askingOwn(app, { authorization: `Bearer ${token}` })
}

async function wallet() {
  const signer = evmWallet()
  return { address: signer.address, ask: askingOwn(service.app, await siweHeaders(signer)) }
}

const WEBHOOK = { url: 'https://merchant-with-webhooks.com/hook', events: ['payment.settled', 'listing.listed'] }

describe('the keys of a merchant, by its JWT', () => {
  test('are created with limits, read, changed, rotated with a grace and revoked', async () => {
    const ask = merchant()
    const limits = { allowed_networks: ['eip155:84532'], max_amount: '5000000', second_charge_seconds: 60 }
    const claims = { claim_above: '7000000', claim_after_seconds: 600, claim_max_gas_price: '1000000000' }
    const settings = { name: 'weather', ...limits, ...claims, wait_until: 'safe' }
    const made = await ask('POST /api/me/keys', { body: settings })
    expect(made).toMatchObject({ status: 201, body: { ...settings, plan: 'free', history_enabled: true } })
    const { id, api_key: first, endpoint } = made.body
    expect(endpoint).toBe(`http://localhost:3000/v1/${first}`)

    expect((await ask('GET /api/me/keys')).body).toMatchObject({ keys: [{ id, ...settings }] })
    expect(JSON.stringify((await ask('GET /api/me/keys/:id', { id })).body)).not.toContain(first)
    const changes = {
      history_enabled: false,
      wait_until: null,
      second_charge_seconds: null,
      share_transactions: false,
      allowed_networks: null,
      claim_above: '5000000',
      claim_after_seconds: 300,
      claim_max_gas_price: null,
    }
    expect(await ask('PATCH /api/me/keys/:id', { id, body: changes })).toMatchObject({
      status: 200,
      body: { ...changes, name: 'weather', max_amount: '5000000' },
    })

    const rotated = await ask('POST /api/me/keys/:id/rotate', { id, body: { grace_seconds: 3_600 } })
    const { api_key: second } = rotated.body
    for (const secret of [first, second]) expect((await keyHolder(service.app, secret).v1.supported()).status).toBe(200)
    await ask('POST /api/me/keys/:id/rotate', { id, body: { grace_seconds: 0 } })
    expect((await keyHolder(service.app, first).v1.supported()).status).toBe(401)

    expect(await ask('DELETE /api/me/keys/:id', { id })).toMatchObject({ status: 200, body: { revoked_at: expect.any(String) } })
    expect(await ask('POST /api/me/keys/:id/rotate', { id })).toMatchObject({ status: 409 })
  })

  test('belong to their owner alone, and refuse unknown fields, waits of other plans and empty changes', async () => {
    const [ask, other] = [merchant(), merchant()]
    const { id } = (await ask('POST /api/me/keys')).body
    for (const what of ['GET /api/me/keys/:id', 'DELETE /api/me/keys/:id', 'POST /api/me/keys/:id/rotate'] as const)
      expect(await other(what, { id })).toMatchObject({ status: 404 })
    expect(await other('PATCH /api/me/keys/:id', { id, body: { name: 'mine' } })).toMatchObject({ status: 404 })
    expect(await ask('GET /api/me/keys/:id', { id: 'x' })).toMatchObject({ status: 404 })
    const refused = [{ plan: 'scale' }, { rps: 1_000 }, { wait_until: 'preconfirmed' }, { claim_above: '0' }]
    for (const body of [...refused, { claim_after_seconds: 59 }, { claim_max_gas_price: 1 }]) {
      expect(await ask('POST /api/me/keys', { body })).toMatchObject({ status: 400 })
      expect(await ask('PATCH /api/me/keys/:id', { id, body })).toMatchObject({ status: 400 })
    }
    expect(await ask('PATCH /api/me/keys/:id', { id, body: {} })).toMatchObject({ status: 400 })
    expect((await ask('GET /api/me/keys')).body.keys).toHaveLength(1)
  })

  test('a token that names scopes of ours is limited to them; one that names none is not', async () => {
    const subject = newOwner()
    const reads = merchant('openid keys:read webhooks:read', subject)
    expect(await reads('GET /api/me/keys')).toMatchObject({ status: 200 })
    expect(await reads('GET /api/me/deliveries')).toMatchObject({ status: 200 })
    expect(await reads('POST /api/me/keys')).toMatchObject({
      status: 403,
      body: { error: 'the token is limited to keys:read, webhooks:read; this needs keys:write' },
    })
    expect(await merchant('openid email', subject)('POST /api/me/keys')).toMatchObject({ status: 201 })
  })

  test.each([
    { scope: ['openid', 'keys:read'] },
    { scope: 'openid\tkeys:read\n' },
    { scp: 'openid keys:read' },
    { scp: ['keys:read'] },
    { scope: 'openid', scp: ['openid keys:read'] },
  ])('a token is limited by its scopes in every form of the claim: %j', async (claims) => {
    const ask = merchant(undefined, newOwner(), claims)
    expect(await ask('GET /api/me/keys')).toMatchObject({ status: 200 })
    expect(await ask('POST /api/me/keys')).toMatchObject({ status: 403 })
  })

  test.each([{ scope: 7 }, { scope: null }, { scp: { 'keys:read': true } }, { scope: 'openid', scp: ['keys:read', 7] }])(
    'a token whose scopes cannot be read may do nothing: %j',
    async (claims) => {
      const refused = { status: 401, body: { error: expect.stringContaining('scope and scp') } }
      expect(await merchant(undefined, newOwner(), claims)('GET /api/me/keys')).toMatchObject(refused)
    },
  )
})

test("a wallet's keys, by its signature, pay only that wallet", async () => {
  const { address, ask } = await wallet()
  const { status, body } = await ask('POST /api/me/keys', { body: { name: 'mine' } })
  expect([status, body.pay_to_allow]).toEqual([201, [address]])
  const foreign = { pay_to_allow: ['0x2222222222222222222222222222222222222222'] }
  expect(await ask('PATCH /api/me/keys/:id', { id: body.id, body: foreign })).toMatchObject({ status: 403 })
  expect((await ask('GET /api/me/keys')).body.keys).toHaveLength(1)
  expect(await askingOwn(service.app, {})('GET /api/me/keys')).toMatchObject({ status: 503 })
  expect(await askingOwn(service.app, { authorization: 'Bearer st_unknown' })('GET /api/me/keys')).toMatchObject({ status: 401 })
})

describe('the webhooks of a merchant or a wallet', () => {
  test('are created, changed, tested, rotated and removed; their deliveries are listed and sent again', async () => {
    const { ask: byWallet } = await wallet()
    await byWallet('POST /api/me/keys', { body: { name: 'mine' } })
    for (const ask of [merchant(), byWallet]) {
      const made = await ask('POST /api/me/webhooks', { body: WEBHOOK })
      expect(made).toMatchObject({ status: 201, body: { ...WEBHOOK, keys: [], secret: expect.stringMatching(/^whsec_/) } })
      const { id, secret } = made.body
      const listed = await ask('GET /api/me/webhooks')
      expect(listed.body).toMatchObject({ webhooks: [{ id, ...WEBHOOK }] })
      expect(JSON.stringify(listed.body)).not.toContain(secret)

      const { delivery_id } = (await ask('POST /api/me/webhooks/:id/test', { id })).body
      const query = `?webhook_id=${id}&event=webhook.test&limit=1`
      expect((await ask('GET /api/me/deliveries', { query })).body).toMatchObject({
        deliveries: [{ id: delivery_id, webhook_id: id, event: 'webhook.test', settlement_id: null }],
        cursor: null,
      })
      expect((await ask('GET /api/me/deliveries/:id', { id: delivery_id })).body).toMatchObject({
        id: delivery_id,
        body: expect.stringContaining('webhook.test'),
        attempts: expect.any(Array),
      })
      const resent = await ask('POST /api/me/deliveries/:id/resend', { id: delivery_id })
      expect([200, 409]).toContain(resent.status)

      const changes = { events: ['payment.failed'], enabled: false }
      expect((await ask('PATCH /api/me/webhooks/:id', { id, body: changes })).body).toMatchObject({
        url: WEBHOOK.url,
        events: ['payment.failed'],
        disabled_at: expect.any(String),
      })
      const rotated = await ask('POST /api/me/webhooks/:id/rotate', { id, body: { grace_seconds: 60 } })
      expect(rotated.body).toMatchObject({ grace_until: expect.any(String), secret: expect.not.stringMatching(secret) })
      expect(await ask('DELETE /api/me/webhooks/:id', { id })).toMatchObject({ status: 200, body: { id, removed: true } })
      expect(await ask('DELETE /api/me/webhooks/:id', { id })).toMatchObject({ status: 404 })
    }
  })

  test('are refused to a wallet until it has a live key, and then not', async () => {
    const { ask } = await wallet()
    const without = { status: 409, body: { error: expect.stringContaining('make one first: POST /api/v1/keys') } }
    expect(await ask('POST /api/me/webhooks', { body: WEBHOOK })).toMatchObject(without)
    const { id } = (await ask('POST /api/me/keys', { body: { name: 'mine' } })).body
    expect(await ask('POST /api/me/webhooks', { body: WEBHOOK })).toMatchObject({ status: 201 })
    await ask('DELETE /api/me/keys/:id', { id })
    expect(await ask('POST /api/me/webhooks', { body: WEBHOOK })).toMatchObject(without)

    const agent = await wallet()
    const owner = { kind: 'wallet', id: agent.address.toLowerCase() }
    await newMerchant(service.app, { owner, plan: 'agent' })
    expect(await agent.ask('POST /api/me/webhooks', { body: WEBHOOK })).toMatchObject({ status: 201 })
  })

  test('belong to their owner alone, and refuse URLs that we cannot reach', async () => {
    const [ask, other] = [merchant(), merchant()]
    const { id } = (await ask('POST /api/me/webhooks', { body: WEBHOOK })).body
    for (const what of ['DELETE /api/me/webhooks/:id', 'POST /api/me/webhooks/:id/test'] as const)
      expect(await other(what, { id })).toMatchObject({ status: 404 })
    for (const body of [
      { ...WEBHOOK, url: 'ftp://merchant.com/' },
      { ...WEBHOOK, events: ['payment.unknown'] },
      { url: WEBHOOK.url },
    ])
      expect(await ask('POST /api/me/webhooks', { body })).toMatchObject({ status: 400 })
    expect(await ask('GET /api/me/deliveries', { query: '?state=lost' })).toMatchObject({ status: 400 })
  })
})
