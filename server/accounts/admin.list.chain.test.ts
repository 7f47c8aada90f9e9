import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { type Admin, newAdmin } from '../../test/support/service/admin'
import { startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'

const harness = fixture(startHarness)
let admin: Admin
beforeAll(() => {
  admin = newAdmin(harness.app)
})

type Page = { tenants: { id: string; owner_id: string }[]; cursor: string; has_more: boolean }

async function page(query: string): Promise<Page> {
  const { status, body } = await admin.list(query)
  expect(status).toBe(200)
  return body as Page
}

const newTenants = async (id: string, count: number) => {
  const made: string[] = []
  for (let at = 0; at < count; at++) made.push((await newMerchant(harness.app, { owner: { kind: 'oidc', id } })).tenantId)
  return made
}

describe('GET /admin/tenants', () => {
  test('pages newest first without gaps or duplicates, while tenants are created', async () => {
    const ownerId = randomUUID()
    const made = await newTenants(ownerId, 11)
    const seen: string[] = []
    let cursor = ''
    for (let more = true; more; ) {
      const [{ tenants, has_more, cursor: next }] = await Promise.all([
        page(`?owner_id=${ownerId}&limit=3&cursor=${cursor}`),
        newTenants(ownerId, 1),
      ])
      seen.push(...tenants.map(({ id }) => id))
      cursor = next
      more = has_more
    }
    const early = seen.filter((id) => made.includes(id))
    expect(early).toEqual(made.toReversed())
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test('an empty page keeps its cursor; the last page has has_more false', async () => {
    const ownerId = randomUUID()
    await newTenants(ownerId, 2)
    const whole = await page(`?owner_id=${ownerId}&limit=2`)
    expect([whole.tenants.length, whole.has_more]).toEqual([2, false])
    expect(await page(`?owner_id=${ownerId}&cursor=${whole.cursor}`)).toEqual({
      tenants: [],
      cursor: whole.cursor,
      has_more: false,
    })
    expect(await page(`?owner_id=${randomUUID()}`)).toEqual({ tenants: [], cursor: '', has_more: false })
  })

  test('the default limit is fifty, and larger limits become a hundred', async () => {
    const ownerId = randomUUID()
    await Promise.all(Array.from({ length: 102 }, () => newTenants(ownerId, 1)))
    const counts = await Promise.all(
      ['', '&limit=1', '&limit=100', '&limit=101', '&limit=1000', '&limit=999999999', '&limit=007'].map(async (limit) => {
        return (await page(`?owner_id=${ownerId}${limit}`)).tenants.length
      }),
    )
    expect(counts).toEqual([50, 1, 100, 100, 100, 100, 7])
  })

  test("excludes the sandbox and the service's own tenants", async () => {
    expect(await harness.app.db.tenant.count({ where: { id: SANDBOX } })).toBe(1)
    let cursor = ''
    for (let more = true; more; ) {
      const next = await page(`?limit=100&cursor=${cursor}`)
      expect(next.tenants.map(({ id }) => id)).not.toContain(SANDBOX)
      ;({ cursor, has_more: more } = next)
    }
    expect((await page('?owner_id=quittance')).tenants).toEqual([])
  })

  test('shows owners to their own filter only', async () => {
    const ownerId = `${randomUUID()} & ü`
    const [id] = await newTenants(ownerId, 1)
    expect((await page(`?owner_id=${encodeURIComponent(ownerId)}`)).tenants).toMatchObject([{ id, owner_id: ownerId }])
  })

  test.each(['0', '-1', 'x', '1.5', '', '1e2', '9999999999', '0x10', ' 5', '١'])('400 for the limit %j', async (limit) => {
    const { status, body } = await admin.list(`?limit=${encodeURIComponent(limit)}`)
    expect([status, body]).toEqual([400, { error: 'limit must be a whole number from 1 to 100' }])
  })

  test.each(['x', Buffer.from('x').toString('base64url'), SANDBOX, Buffer.from(`${SANDBOX}0`).toString('base64url'), '%00'])(
    '400 for the cursor %j',
    async (cursor) => {
      const { status, body } = await admin.list(`?cursor=${cursor}`)
      expect([status, body]).toEqual([400, { error: 'cursor is not a cursor of this list; omit it to start from the beginning' }])
    },
  )

  test('finds a wallet in any letter case, and a subject of the identity provider only exactly', async () => {
    const [stored, written] = ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045']
    const wallet = await newMerchant(harness.app, { owner: { kind: 'wallet', id: stored } })
    const subject = await newMerchant(harness.app, { owner: { kind: 'oidc', id: written } })
    expect((await page(`?owner_id=${written}`)).tenants.map(({ id }) => id)).toEqual([subject.tenantId, wallet.tenantId])
    expect((await page(`?owner_id=${stored}`)).tenants.map(({ id }) => id)).toEqual([wallet.tenantId])
  })

  test.each(['', 'x'.repeat(201)])('400 for the owner "%s"', async (owner) => {
    const { status, body } = await admin.list(`?owner_id=${owner}`)
    expect([status, body]).toEqual([400, { error: 'owner_id must have 1 to 200 characters' }])
  })

  test('400 for an owner with a NUL character', async () => {
    const { status, body } = await admin.list('?owner_id=a%00')
    expect([status, body]).toEqual([400, { error: 'owner_id holds a NUL character' }])
  })
})

test('GET /admin/tenants/:id shows one tenant as the list does; 404 for none, 400 for no id at all', async () => {
  const admin = newAdmin(harness.app)
  const { tenantId } = await newMerchant(harness.app)
  const { body } = await admin.list()
  const listed = (Reflect.get(Object(body), 'tenants') as { id: string }[]).find(({ id }) => id === tenantId)
  expect(await admin.read(tenantId)).toMatchObject({ status: 200, body: listed })
  expect((await admin.read('00000000-0000-0000-0000-000000000000')).status).toBe(404)
  expect((await admin.read('x')).status).toBe(400)
})
