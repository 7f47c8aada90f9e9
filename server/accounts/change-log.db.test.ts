import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { administrator, merchant, pagesOf } from '../../test/support/service/dashboard'
import { from, newOwner, startReading } from '../../test/support/service/history'
import { newMerchant } from '../../test/support/service/surface'
import { mintAgentKey, revokeOwnKey as revokeAgentKey } from '../agents/keys'
import { changeOwnKey, changesOfOwnKey, makeOwnKey, revokeOwnKey, rotateOwnKey } from './own-keys'
import { ofSubject } from './tenant-queries'
import { changeHistory, reconfigure, rotate } from './tenants'

const harness = fixture(() => startReading({ ADMIN_SUBJECTS: 'ada' }))

const PAYEE = '0x209693bc6afc0c5328ba36faf03c514ef312287c'

async function ownKey() {
  const owner = ofSubject(newOwner())
  const { tenant, key } = await makeOwnKey(harness.app, from(owner), { name: 'Weather' })
  const logged = async () => (await changesOfOwnKey(harness.app, owner, tenant.id)).map(({ by, what }) => ({ by, what }))
  return { owner, id: tenant.id, prefix: key.prefix, logged }
}

describe('the log of changes', () => {
  test('has each changed field with both values and who changed it, newest first', async () => {
    const { owner, id, logged } = await ownKey()
    expect(await logged()).toEqual([])
    await changeOwnKey(harness.app, owner, id, { name: 'Rain', maxAmount: 10n ** 24n, payToAllow: [PAYEE] })
    await reconfigure(harness.app, id, { plan: 'growth', rps: 7 }, 'operator ada')
    await changeHistory(harness.app, owner.id, id, false)
    expect(await logged()).toEqual([
      { by: 'owner', what: { historyEnabled: ['true', 'false'] } },
      { by: 'operator ada', what: { plan: ['free', 'growth'], rps: [null, '7'] } },
      {
        by: 'owner',
        what: { name: ['Weather', 'Rain'], maxAmount: [null, `1${'0'.repeat(24)}`], payToAllow: ['[]', `["${PAYEE}"]`] },
      },
    ])
  })

  test('has no entry for a change that changes nothing', async () => {
    const { owner, id, logged } = await ownKey()
    await changeOwnKey(harness.app, owner, id, { name: 'Weather' })
    expect(await logged()).toEqual([])
  })

  test('has a new secret and the end of the earlier one', async () => {
    const { owner, id, prefix, logged } = await ownKey()
    const { key } = await rotateOwnKey(harness.app, owner, id, 3_600)
    await rotate(harness.app, id, 0)
    const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const found = await logged()
    expect(found).toHaveLength(5)
    expect(found).toEqual(
      expect.arrayContaining([
        { by: 'owner', what: { secret: [null, key.prefix] } },
        { by: 'owner', what: { secretUntil: [prefix, until] } },
        { by: 'operator', what: { secretUntil: [prefix, until] } },
        { by: 'operator', what: { secretUntil: [key.prefix, until] } },
      ]),
    )
  })

  test('has revocations, and the end of an agent key', async () => {
    const { owner, id, logged } = await ownKey()
    await revokeOwnKey(harness.app, owner, id)
    expect(await logged()).toEqual([{ by: 'owner', what: { revokedAt: [null, expect.any(String)] } }])
    const wallet = '0x1111111111111111111111111111111111111111'
    const agentKey = await mintAgentKey(harness.app, wallet)
    await revokeAgentKey(harness.app, wallet, agentKey?.id ?? '')
    const { tenantId } = await harness.app.db.apiKey.findUniqueOrThrow({ where: { id: agentKey?.id ?? '' } })
    expect(await pagesOf(harness.app, administrator).query('admin.changes', { id: tenantId })).toMatchObject({
      data: [{ by: 'owner', fields: [{ field: 'secretUntil', from: agentKey?.prefix }] }],
    })
  })

  test('has no author for a change by an earlier version', async () => {
    const { owner, id, logged } = await ownKey()
    await changeOwnKey(harness.app, owner, id, { name: 'Rain' })
    await harness.app.db.execute`UPDATE "Tenant" SET "name" = 'Snow' WHERE "id" = ${id}::uuid`
    expect(await logged()).toMatchObject([{ by: null, what: { name: ['Rain', 'Snow'] } }, { by: 'owner' }])
  })

  test('keeps the newest 200 changes of each maker, so that an owner cannot push the operator out', async () => {
    const { owner, id } = await ownKey()
    await reconfigure(harness.app, id, { plan: 'growth' })
    for (let no = 0; no < 205; no++) await changeOwnKey(harness.app, owner, id, { name: `name ${no}` })
    const kept = await harness.app.db.tenantChange.groupBy({ by: ['by'], where: { tenantId: id }, _count: true })
    expect(kept.toSorted((one, other) => one._count - other._count)).toEqual([
      { by: 'operator', _count: 1 },
      { by: 'owner', _count: 200 },
    ])
  })
})

describe('who reads the log', () => {
  test('the owner sees that it was the operator, and an administrator sees which one', async () => {
    const subject = newOwner()
    const pages = pagesOf(harness.app, merchant(subject))
    const { tenant } = await makeOwnKey(harness.app, from(ofSubject(subject)), { name: '' })
    const admin = pagesOf(harness.app, merchant('ada', { admin: true }))
    await admin.mutate('admin.changeTenant', { id: tenant.id, plan: 'growth' })
    await reconfigure(harness.app, tenant.id, { payToAllow: [PAYEE] })
    expect(await pages.query('keys.changes', { id: tenant.id })).toMatchObject({
      data: [
        {
          by: 'operator',
          subject: null,
          fields: [{ field: 'payToAllow', from: [], to: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'] }],
        },
        { by: 'operator', subject: null, fields: [{ field: 'plan', from: 'free', to: 'growth' }] },
      ],
    })
    expect(await admin.query('admin.changes', { id: tenant.id })).toMatchObject({
      data: [{ subject: null }, { by: 'operator', subject: 'ada' }],
    })
  })

  test('another owner gets a 404', async () => {
    const { tenantId } = await newMerchant(harness.app)
    expect(await pagesOf(harness.app, merchant(newOwner())).query('keys.changes', { id: tenantId })).toMatchObject({
      status: 404,
    })
  })
})
