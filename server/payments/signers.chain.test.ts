import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { getSigners } from './endpoints'

const harness = fixture(() => startHarness({ production: true }))

const headers = { 'x-quittance-client-ip': '10.0.0.9', 'x-request-id': 'test' }
const list = async (app = harness.app) => {
  const answer = await getSigners.handle(app, new Request('http://quittance.test/', { headers }))
  return { status: answer.status, body: await answer.json() }
}

test('the signers are listed with role and time, and the list is signed by a key of receipts', async () => {
  const { status, body } = await list()
  expect(status).toBe(200)
  const { issuer, signers, jws } = body
  expect(signers).toContainEqual({
    network: 'eip155:84532',
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    tier: 'sandbox',
    role: 'settles',
    validFrom: expect.stringMatching(/^2\d{3}-/),
    validUntil: null,
  })
  const keys = createLocalJWKSet({ keys: [...harness.app.receipts.keys] })
  const { payload, protectedHeader } = await jwtVerify(jws, keys, { issuer, typ: 'x402-signers+jwt' })
  expect([payload.signers, protectedHeader.alg]).toEqual([signers, 'ES256'])
})

test('a signer that retires is named so, and one that was taken out keeps its time', async () => {
  const { signers } = (await list()).body
  const [first] = signers
  const retiringSigners = new Set([first.address.toLowerCase()])
  const app = { ...harness.app, config: { ...harness.app.config, retiringSigners } }
  expect((await list(app)).body.signers).toContainEqual({ ...first, role: 'retiring' })

  const gone = `0x${'ab'.repeat(20)}`
  await harness.app.db.lane.create({
    data: {
      id: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
      network: 'eip155:84532',
      address: gone,
      class: 'production',
      leaseUntil: new Date('2026-01-02T03:04:05Z'),
    },
  })
  expect((await list()).body.signers).toContainEqual({
    network: 'eip155:84532',
    address: expect.stringMatching(new RegExp(gone, 'i')),
    tier: 'production',
    role: 'settles',
    validFrom: new Date(0x019ab1c27d3e).toISOString(),
    validUntil: '2026-01-02T03:04:05.000Z',
  })
})
