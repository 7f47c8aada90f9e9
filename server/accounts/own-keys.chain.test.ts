import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { merchant, pagesOf } from '../../test/support/service/dashboard'
import { startHarness } from '../../test/support/service/harness'
import { from, newOwner, newSubject } from '../../test/support/service/history'
import { newPurchase } from '../../test/support/service/purchases'
import { keyHolder, newMerchant } from '../../test/support/service/surface'
import {
  changeOwnKey,
  endOwnSecret,
  listOwnKeys,
  makeOwnKey,
  OWN_KEYS_MAX,
  readOwnKey,
  revokeOwnKey,
  rotateOwnKey,
} from './own-keys'
import { plans } from './plans'
import { ofSubject } from './tenant-queries'

const harness = fixture(() => startHarness({ production: true }))

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const notFound = { refusal: 'not_found' }

async function settle(secret: string) {
  const { body } = await newPurchase(harness)
  return keyHolder(harness.app, secret).v1.settle(body)
}

describe('a key that a merchant creates', () => {
  test('settles with the free plan, and only the response contains its secret', async () => {
    const owner = newSubject()
    const { tenant, secret } = await makeOwnKey(harness.app, from(owner), { name: 'weather API' })
    expect(tenant).toMatchObject({
      name: 'weather API',
      plan: 'free',
      historyEnabled: true,
      ownerKind: 'oidc',
      ownerId: owner.id,
    })
    expect((await settle(secret)).body).toMatchObject({ success: true })
    const kept = JSON.stringify(await listOwnKeys(harness.app, owner))
    expect(kept).toContain(secret.slice(0, 11))
    expect(kept).not.toContain(secret)
  })

  test('has the limits that it was created with', async () => {
    const payTo = '0x2222222222222222222222222222222222222222'
    const limits = { allowedNetworks: ['eip155:8453'], payToAllow: [payTo], maxAmount: '50000' }
    const answer = await pagesOf(harness.app, merchant(newOwner())).mutate('keys.create', { name: 'limited', ...limits })
    expect(answer.data).toMatchObject({ name: 'limited', allowedNetworks: ['eip155:8453'], payToAllow: [payTo], maxUsdc: '0.05' })
    const { secret = '' } = Object(answer.data)
    expect((await settle(secret)).status).toBe(403)
    const wrong = await pagesOf(harness.app, merchant(newOwner())).mutate('keys.create', { name: 'limited', payToAllow: ['0x1'] })
    expect(wrong.status).toBe(400)
  })

  test('is one of at most ten, also with concurrent calls', async () => {
    const owner = newSubject()
    const made = await Promise.allSettled(
      Array.from({ length: 25 }, (_, at) => makeOwnKey(harness.app, from(owner), { name: `key ${at}` })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(OWN_KEYS_MAX)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ refusal: 'conflict' })
    const [first] = await listOwnKeys(harness.app, owner)
    await revokeOwnKey(harness.app, owner, first?.tenant.id ?? '')
    await makeOwnKey(harness.app, from(owner), { name: 'replacement' })
    await expect(makeOwnKey(harness.app, from(owner), { name: 'too many' })).rejects.toMatchObject({ refusal: 'conflict' })
    expect(await listOwnKeys(harness.app, owner)).toHaveLength(OWN_KEYS_MAX + 1)
  })

  test('shares the monthly quota with the other keys of its owner', async () => {
    const owner = newSubject()
    const one = await makeOwnKey(harness.app, from(owner), { name: 'one' })
    const other = await makeOwnKey(harness.app, from(owner), { name: 'other' })
    await settle(one.secret)
    await settle(other.secret)
    const own = await newMerchant(harness.app, { owner, plan: 'free' })
    const left = new Map((await listOwnKeys(harness.app, owner)).map(({ tenant, quota }) => [tenant.id, quota.settlementsLeft]))
    const { settlements } = plans.free
    expect([one.tenant.id, other.tenant.id, own.tenantId].map((id) => left.get(id))).toEqual([
      settlements - 2,
      settlements - 2,
      settlements,
    ])
  })
})

describe("another's key", () => {
  test('cannot be listed, changed, rotated or revoked, and looks unknown', async () => {
    const [owner, stranger] = [newSubject(), newSubject()]
    const { tenant } = await makeOwnKey(harness.app, from(owner), { name: 'mine' })
    const agent = await newMerchant(harness.app, { owner: { kind: 'wallet', id: stranger.id } })
    for (const id of [tenant.id, agent.tenantId, UNKNOWN]) {
      await expect(changeOwnKey(harness.app, stranger, id, { historyEnabled: false })).rejects.toMatchObject(notFound)
      await expect(rotateOwnKey(harness.app, stranger, id, 0)).rejects.toMatchObject(notFound)
      await expect(revokeOwnKey(harness.app, stranger, id)).rejects.toMatchObject(notFound)
      await expect(readOwnKey(harness.app, stranger, id)).rejects.toMatchObject(notFound)
      await expect(endOwnSecret(harness.app, stranger, id, tenant.keys[0]?.id ?? UNKNOWN)).rejects.toMatchObject(notFound)
    }
    expect(await listOwnKeys(harness.app, stranger)).toEqual([])
    expect((await listOwnKeys(harness.app, owner))[0]?.tenant).toMatchObject({ historyEnabled: true, revokedAt: null })
  })
})

describe('a merchant', () => {
  test('rotates a secret with and without a grace for the earlier one', async () => {
    const owner = newSubject()
    const { tenant, secret } = await makeOwnKey(harness.app, from(owner), { name: '' })
    const kind = await rotateOwnKey(harness.app, owner, tenant.id, 3_600)
    expect((await settle(secret)).status).toBe(200)
    expect((await settle(kind.secret)).status).toBe(200)
    const strict = await rotateOwnKey(harness.app, owner, tenant.id, 0)
    expect((await keyHolder(harness.app, strict.secret).v1.supported()).status).toBe(200)
    expect(await harness.app.keyring.findAgain(kind.secret)).toBeNull()
  })

  test('ends an earlier secret before its time, and never the newest one', async () => {
    const subject = newOwner()
    const owner = ofSubject(subject)
    const { tenant, secret } = await makeOwnKey(harness.app, from(owner), { name: '' })
    const [earlier] = tenant.keys
    const rotated = await rotateOwnKey(harness.app, owner, tenant.id, 3_600)
    const pages = pagesOf(harness.app, merchant(subject))
    const shown = await pages.query('keys.one', { id: tenant.id })
    expect(shown.data).toMatchObject({
      secrets: [
        { id: rotated.key.id, graceUntil: null },
        { id: earlier?.id, graceUntil: expect.any(String) },
      ],
      requestsPerSecond: plans.free.requestsPerSecond,
      verifications: { left: plans.free.verifications, limit: plans.free.verifications },
    })
    expect((await settle(secret)).status).toBe(200)
    const ended = await pages.mutate('keys.endSecret', { id: tenant.id, secret: earlier?.id ?? '' })
    expect(ended.data).toMatchObject({ secrets: [{ id: rotated.key.id }] })
    expect((await settle(secret)).status).toBe(401)
    expect((await settle(rotated.secret)).status).toBe(200)
    for (const id of [earlier?.id ?? '', rotated.key.id, UNKNOWN]) {
      await expect(endOwnSecret(harness.app, owner, tenant.id, id)).rejects.toMatchObject(notFound)
    }
  })

  test('revokes a key permanently: it is invalid and cannot rotate', async () => {
    const owner = newSubject()
    const { tenant, secret } = await makeOwnKey(harness.app, from(owner), { name: '' })
    await revokeOwnKey(harness.app, owner, tenant.id)
    expect((await settle(secret)).status).toBe(401)
    await expect(rotateOwnKey(harness.app, owner, tenant.id, 0)).rejects.toMatchObject({ refusal: 'conflict' })
    expect((await listOwnKeys(harness.app, owner))[0]?.tenant.revokedAt).not.toBeNull()
  })

  test('changes only the given fields, from the next payment on', async () => {
    const owner = newSubject()
    const { tenant, secret } = await makeOwnKey(harness.app, from(owner), { name: 'before' })
    await changeOwnKey(harness.app, owner, tenant.id, { maxAmount: 999n })
    const changed = await changeOwnKey(harness.app, owner, tenant.id, { name: 'after' })
    expect([changed.name, changed.maxAmount?.toFixed(0)]).toEqual(['after', '999'])
    expect(await settle(secret)).toMatchObject({ status: 403, body: { errorReason: 'amount_above_maximum' } })
  })
})
