import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../test/harness'
import { newOwner } from '../../test/history'
import { newPurchase } from '../../test/purchases'
import { keyHolder, newMerchant } from '../../test/surface'
import { changeOwnKey, listOwnKeys, makeOwnKey, OWN_KEYS_MAX, revokeOwnKey, rotateOwnKey } from './own-keys'
import { plans } from './plans'

let house: Harness
beforeAll(async () => {
  house = await startHarness({ production: true })
})
afterAll(() => house.close())

const NOBODY = '00000000-0000-4000-8000-000000000000'
const notFound = { refusal: 'not_found' }

async function settle(secret: string) {
  const { body } = await newPurchase(house)
  return keyHolder(house.app, secret).v1.settle(body)
}

describe('a key that a merchant makes', () => {
  test('settles under the plan free, and its secret is nowhere but in the answer', async () => {
    const owner = newOwner()
    const { tenant, secret } = await makeOwnKey(house.app, owner, 'the shop')
    expect(tenant).toMatchObject({ name: 'the shop', plan: 'free', historyEnabled: true, ownerKind: 'oidc', ownerId: owner })
    expect((await settle(secret)).body).toMatchObject({ success: true })
    const kept = JSON.stringify(await listOwnKeys(house.app, owner))
    expect(kept).toContain(secret.slice(0, 11))
    expect(kept).not.toContain(secret)
  })

  test('is one of at most ten, whoever else makes one at the same moment', async () => {
    const owner = newOwner()
    const made = await Promise.allSettled(Array.from({ length: 25 }, (_, at) => makeOwnKey(house.app, owner, `key ${at}`)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(OWN_KEYS_MAX)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ refusal: 'conflict' })
    const [first] = await listOwnKeys(house.app, owner)
    await revokeOwnKey(house.app, owner, first?.tenant.id ?? '')
    await makeOwnKey(house.app, owner, 'in its place')
    await expect(makeOwnKey(house.app, owner, 'too many')).rejects.toMatchObject({ refusal: 'conflict' })
    expect(await listOwnKeys(house.app, owner)).toHaveLength(OWN_KEYS_MAX + 1)
  })

  test('shares the month of its plan with the other keys that its owner made', async () => {
    const owner = newOwner()
    const one = await makeOwnKey(house.app, owner, 'one')
    const other = await makeOwnKey(house.app, owner, 'other')
    await settle(one.secret)
    await settle(other.secret)
    const own = await newMerchant(house.app, { owner: { kind: 'oidc', id: owner }, plan: 'free' })
    const left = new Map((await listOwnKeys(house.app, owner)).map(({ tenant, quota }) => [tenant.id, quota.settlementsLeft]))
    const { settlements } = plans.free
    expect([one.tenant.id, other.tenant.id, own.tenantId].map((id) => left.get(id))).toEqual([
      settlements - 2,
      settlements - 2,
      settlements,
    ])
  })
})

describe("another's key", () => {
  test('is neither listed, nor changed, nor given a secret, nor revoked, and is as if it were not there', async () => {
    const [owner, stranger] = [newOwner(), newOwner()]
    const { tenant } = await makeOwnKey(house.app, owner, 'mine')
    const agent = await newMerchant(house.app, { owner: { kind: 'wallet', id: stranger } })
    for (const id of [tenant.id, agent.tenantId, NOBODY]) {
      await expect(changeOwnKey(house.app, stranger, id, { historyEnabled: false })).rejects.toMatchObject(notFound)
      await expect(rotateOwnKey(house.app, stranger, id, 0)).rejects.toMatchObject(notFound)
      await expect(revokeOwnKey(house.app, stranger, id)).rejects.toMatchObject(notFound)
    }
    expect(await listOwnKeys(house.app, stranger)).toEqual([])
    expect((await listOwnKeys(house.app, owner))[0]?.tenant).toMatchObject({ historyEnabled: true, revokedAt: null })
  })
})

describe('a merchant', () => {
  test('gets a new secret while the earlier one still works, or does not, as was asked', async () => {
    const owner = newOwner()
    const { tenant, secret } = await makeOwnKey(house.app, owner, '')
    const kind = await rotateOwnKey(house.app, owner, tenant.id, 3_600)
    expect((await settle(secret)).status).toBe(200)
    expect((await settle(kind.secret)).status).toBe(200)
    const strict = await rotateOwnKey(house.app, owner, tenant.id, 0)
    expect((await keyHolder(house.app, strict.secret).v1.supported()).status).toBe(200)
    expect(await house.app.keyring.findAgain(kind.secret)).toBeNull()
  })

  test('ends a key for good: it opens nothing and gets no new secret', async () => {
    const owner = newOwner()
    const { tenant, secret } = await makeOwnKey(house.app, owner, '')
    await revokeOwnKey(house.app, owner, tenant.id)
    expect((await settle(secret)).status).toBe(401)
    await expect(rotateOwnKey(house.app, owner, tenant.id, 0)).rejects.toMatchObject({ refusal: 'conflict' })
    expect((await listOwnKeys(house.app, owner))[0]?.tenant.revokedAt).not.toBeNull()
  })

  test('changes what is named and nothing else, from the next payment on', async () => {
    const owner = newOwner()
    const { tenant, secret } = await makeOwnKey(house.app, owner, 'before')
    await changeOwnKey(house.app, owner, tenant.id, { maxAmount: 999n })
    const changed = await changeOwnKey(house.app, owner, tenant.id, { name: 'after' })
    expect([changed.name, changed.maxAmount?.toFixed(0)]).toEqual(['after', '999'])
    expect(await settle(secret)).toMatchObject({ status: 403, body: { errorReason: 'amount_above_maximum' } })
  })
})
