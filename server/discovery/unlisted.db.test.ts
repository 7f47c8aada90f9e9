import { describe, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import { HOUR_MS } from '../base/durations'
import type { Environment } from '../x402/networks/networks'
import { unlistedOf } from './unlisted'

const database = fixture(freshDatabase)

const BAZAAR = { info: { input: { type: 'http', method: 'GET' } }, schema: {} }
const DECLARED = { extensions: { bazaar: BAZAAR } }

const unlisted = (merchant: string, privateHosts = false, environment: Environment = 'testnet') =>
  unlistedOf({ db: database.db, config: { privateHosts } }, ofSubject(merchant), environment)

/** A successful payment of a new key of this merchant, an hour ago. */
async function paid(ownerId: string, resource: string, declared: object, age = HOUR_MS): Promise<string> {
  const { db } = database
  const tenantId = await tenantOf(db, ownerId)
  const { id: settlementId } = await newClaimed(db, { resource, declared, network: 'eip155:84532' })
  const row = { ...newRow({ tenantId, ownerId }), settlementId, resource, network: 'eip155:84532' }
  await db.history.create({ data: { ...row, createdAt: new Date(Date.now() - age) } })
  return tenantId
}

describe('a paid resource without a listing', () => {
  test('says that it declared no extension, once for all its queries', async () => {
    const me = newOwner()
    for (const city of ['Rome', 'Oslo']) await paid(me, `https://plain.com/weather?city=${city}`, {})
    expect(await unlisted(me)).toMatchObject([{ why: 'undeclared', detail: null, calls: 2, amount: '1000' }])
    expect(await unlisted(newOwner())).toEqual([])
    expect(await unlisted(me, false, 'mainnet')).toEqual([])
  })

  test.each([
    ['http://localhost:3000/weather', DECLARED, /private, local/],
    ['', DECLARED, /no URL/],
    ['https://shop.com/weather', { extensions: { bazaar: {} } }, /bazaar.info.input must be an object/],
  ])('says what was wrong with the declaration of "%s"', async (resource, declared, detail) => {
    const me = newOwner()
    await paid(me, resource, declared)
    expect(await unlisted(me)).toMatchObject([{ why: 'rejected', detail: expect.stringMatching(detail) }])
  })

  test('says that another account has its URL', async () => {
    const [me, other] = [newOwner(), newOwner()]
    const url = 'https://taken.com/weather'
    await list(database.db, newEntry({ url, owner: `tenant:${await tenantOf(database.db, other)}` }))
    await paid(me, url, DECLARED)
    expect(await unlisted(me)).toMatchObject([{ resource: url, why: 'taken' }])
  })

  test('says that a limit was reached, but not in the minute in which its listing may come', async () => {
    const me = newOwner()
    await paid(me, 'https://full.com/weather', DECLARED)
    await paid(me, 'https://soon.com/weather', DECLARED, 0)
    expect(await unlisted(me)).toMatchObject([{ resource: 'https://full.com/weather', why: 'full' }])
  })
})

test('a listed resource is not among the unlisted ones', async () => {
  const me = newOwner()
  const url = 'https://listed.com/weather'
  const tenantId = await paid(me, `${url}?city=Rome`, DECLARED)
  await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
  expect(await unlisted(me)).toEqual([])
})
