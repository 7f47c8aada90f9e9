import { describe, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { type CatalogFilter, listEntries } from './queries'

const database = fixture(freshDatabase)

const everything: CatalogFilter = { environment: 'testnet', network: null, payTo: null, x402Version: null }

async function acceptsOf(url: string): Promise<unknown> {
  const { entries } = await listEntries(database.db, everything, { limit: 100, offset: 0 })
  return entries.find((entry) => entry.url === url)?.accepts
}
const seen = (url: string, daysAgo: number) =>
  database.db.resource.updateMany({ where: { url }, data: { lastSeen: new Date(Date.now() - daysAgo * 86_400_000) } })

describe('the owner of an entry', () => {
  const attacker = { payTo: '0x3333333333333333333333333333333333333333', requirements: { payTo: 'the attacker' } }

  test("another tenant's settlement changes nothing of it: not its payTo, not its text, not when it was seen", async () => {
    const entry = newEntry({}, { requirements: { payTo: 'the owner' } })
    await list(database.db, entry)
    await seen(entry.url, 2)
    const before = await database.db.resource.findFirst({ where: { url: entry.url } })
    expect(await list(database.db, newEntry({ url: entry.url, digest: 'evil' }, attacker))).toBe('refused')
    expect(await list(database.db, newEntry({ url: entry.url, digest: 'evil' }, { ...attacker, network: 'eip155:8453' }))).toBe(
      'refused',
    )
    expect(await database.db.resource.findFirst({ where: { url: entry.url } })).toEqual(before)
    expect(await acceptsOf(entry.url)).toEqual([{ payTo: 'the owner' }])
  })

  test('is one of two concurrent first settlers, without data of the other', async () => {
    const url = 'https://contested.com/x'
    const rivals = Array.from({ length: 8 }, (_, at) =>
      newEntry(
        { url, owner: `tenant:${at}`, digest: `${at}` },
        { network: `net:${at % 2}`, requirements: { of: `tenant:${at}` } },
      ),
    )
    const ends = await Promise.all(rivals.map((rival) => list(database.db, rival)))
    expect(ends.filter((end) => end === 'changed')).toHaveLength(1)
    const { owner } = await database.db.resource.findFirstOrThrow({ where: { url } })
    expect(await acceptsOf(url)).toEqual([{ of: owner }])
  })

  test('production displaces the sandbox with all its ways to pay, never the other way round', async () => {
    const sandbox = newEntry({ class: 'sandbox', owner: 'ip:10.0.0.1' }, { requirements: { of: 'sandbox' } })
    await list(database.db, sandbox)
    await list(database.db, { ...sandbox, accept: { ...sandbox.accept, network: 'solana:devnet' } })
    const merchant = newEntry({ url: sandbox.url, digest: 'second' }, { requirements: { of: 'merchant' } })
    expect(await list(database.db, merchant)).toBe('changed')
    expect(await acceptsOf(sandbox.url)).toEqual([{ of: 'merchant' }])
    await seen(sandbox.url, 80)
    expect(await list(database.db, sandbox)).toBe('refused')
    expect(await acceptsOf(sandbox.url)).toEqual([{ of: 'merchant' }])
  })

  test('yields to a plan if it costs nothing, and displaces no other itself', async () => {
    const free = newEntry({ class: 'free' }, { requirements: { of: 'free' } })
    await list(database.db, free)
    for (const ofClass of ['free', 'sandbox'] as const)
      expect(await list(database.db, newEntry({ url: free.url, class: ofClass }))).toBe('refused')
    const old = newEntry({ class: 'sandbox', owner: 'ip:10.0.0.4' })
    await list(database.db, old)
    await seen(old.url, 80)
    expect(await list(database.db, newEntry({ url: old.url, class: 'free' }))).toBe('refused')
    expect(await list(database.db, newEntry({ url: free.url }, { requirements: { of: 'plan' } }))).toBe('changed')
    expect(await acceptsOf(free.url)).toEqual([{ of: 'plan' }])
  })

  test('stays the sandbox caller until a day passes without a payment', async () => {
    const first = newEntry({ class: 'sandbox', owner: 'ip:10.0.0.1' })
    const second = newEntry({ url: first.url, class: 'sandbox', owner: 'ip:10.0.0.2', digest: 'second' })
    await list(database.db, first)
    expect(await list(database.db, second)).toBe('refused')
    await seen(first.url, 1.1)
    expect(await list(database.db, second)).toBe('changed')
  })

  test('a catalog knows nothing of the other', async () => {
    const testnet = newEntry()
    await list(database.db, testnet)
    expect(await list(database.db, newEntry({ url: testnet.url, environment: 'mainnet' }))).toBe('changed')
  })
})
