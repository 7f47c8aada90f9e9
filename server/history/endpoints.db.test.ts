import { describe, expect, test } from 'vitest'
import { newHash, SANDBOX } from '../../test/support/database/ledger'
import { fixture, readThrough } from '../../test/support/fixture'
import { hashesOf, newOwner, newRow, pageOf, readersOf, startReading, tenantOf } from '../../test/support/service/history'
import type { Answer } from '../../test/support/service/surface'
import { listAgentHistory, listMerchantHistory, listPayerHistory } from './endpoints'

const harness = fixture(startReading)
const readers = readersOf(readThrough(() => harness.app))
const PAYER = '0x1111111111111111111111111111111111111111'
const add = (rows: ReturnType<typeof newRow>[]) => harness.app.db.history.createMany({ data: rows })

const times = (count: number, startMs = Date.parse('2026-11-01T00:00:00Z')) =>
  Array.from({ length: count }, (_, at) => new Date(startMs + at * 1_000))

/** An owner with so many settlements, a second apart. */
async function ownerWith(count: number, ownerKind = 'oidc') {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId, ownerKind)
  const rows = times(count).map((createdAt) => newRow({ ownerId, ownerKind, tenantId, createdAt }))
  await add(rows)
  return { ownerId, tenantId, hashes: rows.map(({ txHash }) => String(txHash)) }
}

describe('an entry', () => {
  test('of a success has the fields of the contract and no other', async () => {
    const ownerId = newOwner()
    const tenantId = await tenantOf(harness.app.db, ownerId)
    const [createdAt, txHash] = [new Date('2026-11-01T12:34:56.789Z'), newHash()]
    const payer = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    await add([newRow({ ownerId, tenantId, createdAt, txHash, payer, amount: '123456789012345678901234567890' })])
    const expected = {
      created_at: '2026-11-01T12:34:56.789Z',
      success: true,
      tx_hash: txHash,
      network: 'eip155:8453',
      payer_amount: '123456789012345678901234567890',
      asset: 'USDC',
      decimals: 6,
      tenant_id: tenantId,
      payer: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      resource: 'https://merchant.test/weather',
      pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      plan: 'growth',
      error_reason: null,
    }
    const page = { settlements: [expected], cursor: expect.any(String), has_more: false }
    expect((await readers.merchant(ownerId)).body).toEqual(page)
    expect((await readers.payer(payer)).body).toEqual(page)
  })

  test('of a failure says why, and leaves empty what is not known', async () => {
    const ownerId = newOwner()
    const tenantId = await tenantOf(harness.app.db, ownerId)
    const failed = { ownerId, tenantId, success: false, txHash: '', payer: '' }
    await add([newRow({ ...failed, errorReason: 'insufficient_funds' }), newRow({ ...failed, errorReason: null })])
    const { settlements } = pageOf(await readers.merchant(ownerId))
    expect(
      settlements.map(({ success, tx_hash, payer, error_reason }) => [success, tx_hash, payer, error_reason]).sort(),
    ).toEqual([
      [false, '', '', 'insufficient_funds'],
      [false, '', '', 'unknown'],
    ])
  })

  test('on Solana keeps every letter of its addresses', async () => {
    const [payer, payTo] = ['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v']
    const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    await add([newRow({ ownerId: 'quittance', ownerKind: 'system', tenantId: SANDBOX, plan: 'sandbox', network, payer, payTo })])
    expect(pageOf(await readers.payer(payer)).settlements).toMatchObject([{ payer, pay_to: payTo, network, plan: 'sandbox' }])
    expect(pageOf(await readers.payer(payer.toLowerCase())).settlements).toEqual([])
    expect(pageOf(await readers.admin(`?payer=${payer}`)).settlements).toHaveLength(1)
  })
})

describe('a page', () => {
  test('is the newest fifty by default; older and then newer pages return every settlement once, newest first', async () => {
    const { ownerId, hashes } = await ownerWith(120)
    const newest = hashes.toReversed()
    const first = pageOf(await readers.merchant(ownerId))
    const second = pageOf(await readers.merchant(ownerId, `?cursor=${first.cursor}`))
    const third = pageOf(await readers.merchant(ownerId, `?cursor=${second.cursor}&direction=before`))
    expect([first, second, third].map(({ settlements, has_more }) => [settlements.length, has_more])).toEqual([
      [50, true],
      [50, true],
      [20, false],
    ])
    expect([first, second, third].flatMap(hashesOf)).toEqual(newest)
    const up = pageOf(await readers.merchant(ownerId, `?cursor=${third.cursor}&direction=after`))
    expect([hashesOf(up), up.has_more]).toEqual([newest.slice(50, 100), true])
    const top = pageOf(await readers.merchant(ownerId, `?cursor=${up.cursor}&direction=after`))
    expect([hashesOf(top), top.has_more]).toEqual([newest.slice(0, 50), false])
    const down = pageOf(await readers.merchant(ownerId, `?cursor=${top.cursor}`))
    expect(hashesOf(down)).toEqual(newest.slice(50, 100))
  })

  test('after the last one is empty, keeps its cursor, and later returns new settlements', async () => {
    const { ownerId, tenantId, hashes } = await ownerWith(2)
    const whole = pageOf(await readers.merchant(ownerId))
    const beyond = `?cursor=${whole.cursor}&direction=after`
    expect(pageOf(await readers.merchant(ownerId, beyond))).toEqual({ settlements: [], cursor: whole.cursor, has_more: false })
    expect(pageOf(await readers.merchant(ownerId, `?cursor=${whole.cursor}`))).toEqual({
      settlements: [],
      cursor: whole.cursor,
      has_more: false,
    })
    const later = newRow({ ownerId, tenantId, createdAt: new Date('2026-11-02') })
    await add([later])
    const fresh = pageOf(await readers.merchant(ownerId, beyond))
    expect(hashesOf(fresh)).toEqual([later.txHash])
    expect(hashesOf(pageOf(await readers.merchant(ownerId)))).toEqual([later.txHash, ...hashes.toReversed()])
  })

  test('without settlements has an empty cursor; `after` without a cursor starts at the oldest', async () => {
    const stranger = newOwner()
    expect(pageOf(await readers.merchant(stranger))).toEqual({ settlements: [], cursor: '', has_more: false })
    const { ownerId, hashes } = await ownerWith(3)
    const page = pageOf(await readers.merchant(ownerId, '?direction=after&limit=2&cursor='))
    expect([hashesOf(page), page.has_more]).toEqual([[hashes[1], hashes[0]], true])
  })

  test('orders settlements of one millisecond by their ids', async () => {
    const ownerId = newOwner()
    const tenantId = await tenantOf(harness.app.db, ownerId)
    const rows = Array.from({ length: 9 }, () => newRow({ ownerId, tenantId, createdAt: new Date('2026-11-01') }))
    await add(rows)
    const seen: unknown[] = []
    for (let cursor = '', more = true; more; ) {
      const page = pageOf(await readers.merchant(ownerId, `?limit=2&cursor=${cursor}`))
      seen.push(...hashesOf(page))
      ;({ cursor, has_more: more } = page)
    }
    expect(new Set(seen)).toEqual(new Set(rows.map(({ txHash }) => txHash)))
    expect(seen).toHaveLength(9)
  })

  test('has at most a hundred settlements; unknown parameters are ignored', async () => {
    const { ownerId } = await ownerWith(101)
    const counts = ['?limit=1', '?limit=100', '?limit=101', '?limit=1000', '?foo=bar&limit=7'].map(async (query) => {
      return pageOf(await readers.merchant(ownerId, query)).settlements.length
    })
    expect(await Promise.all(counts)).toEqual([1, 100, 100, 100, 7])
  })

  test.each(['0', '-1', 'x', '1.5', '', '1e2', ' 5'])('400 for the limit %j', async (limit) => {
    const { status, body } = await readers.merchant('x', `?limit=${encodeURIComponent(limit)}`)
    expect([status, body]).toEqual([400, { error: 'limit must be a whole number from 1 to 100' }])
  })

  test.each(['', 'AFTER', 'up'])('400 for the direction %j', async (direction) => {
    const { status, body } = await readers.merchant('x', `?direction=${direction}`)
    expect([status, body]).toEqual([400, { error: 'direction must be before (older, the default) or after (newer)' }])
  })
})

describe('a cursor', () => {
  const refused = {
    error: 'cursor does not belong to this list, reader and filters; omit it to start from the beginning',
  }

  test('with any character changed, added or missing is a 400', async () => {
    const { ownerId } = await ownerWith(3)
    const { cursor } = pageOf(await readers.merchant(ownerId, '?limit=1'))
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const altered = [...cursor].map((letter, at) => {
      const other = alphabet[(alphabet.indexOf(letter) + 1) % 64]
      return `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`
    })
    for (const wrong of [
      ...altered,
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}%00`,
      cursor.slice(1),
      cursor.slice(0, -1),
      'x',
      '%20',
    ]) {
      const { status, body } = await readers.merchant(ownerId, `?cursor=${wrong}`)
      expect([wrong, status, body]).toEqual([wrong, 400, refused])
    }
  })

  test('is valid for no other reader, route or filter', async () => {
    const [one, other] = [await ownerWith(2), await ownerWith(2)]
    const mine = pageOf(await readers.merchant(one.ownerId, '?limit=1')).cursor
    const admins = pageOf(await readers.admin(`?owner_id=${one.ownerId}&limit=1`)).cursor
    const strangers: Promise<Answer>[] = [
      readers.merchant(other.ownerId, `?cursor=${mine}`),
      readers.agent(one.ownerId, `?cursor=${mine}`),
      readers.payer(one.ownerId, `?cursor=${mine}`),
      readers.admin(`?owner_id=${one.ownerId}&cursor=${mine}`),
      readers.merchant(one.ownerId, `?cursor=${admins}`),
      readers.admin(`?cursor=${admins}`),
      readers.admin(`?owner_id=${other.ownerId}&cursor=${admins}`),
      readers.admin(`?owner_id=${one.ownerId}&success=true&cursor=${admins}`),
    ]
    for (const { status, body } of await Promise.all(strangers)) expect([status, body]).toEqual([400, refused])
    // Where it belongs it is valid, in any order of the query and with another limit.
    expect((await readers.admin(`?limit=9&cursor=${admins}&owner_id=${one.ownerId}`)).status).toBe(200)
  })
})

describe('a reader never sees settlements of others', () => {
  test('owners, wallets that own and wallets that paid each see their own, even with equal names', async () => {
    const { db } = harness.app
    const same = PAYER.replace('1', '2')
    const [merchant, agent] = [await tenantOf(db, same, 'oidc'), await tenantOf(db, same, 'wallet')]
    const [asMerchant, asAgent, asPayer] = [newHash(), newHash(), newHash()]
    await add([
      newRow({ ownerId: same, tenantId: merchant, txHash: asMerchant }),
      newRow({ ownerId: same, ownerKind: 'wallet', tenantId: agent, txHash: asAgent }),
      newRow({ ownerId: 'quittance', ownerKind: 'system', tenantId: SANDBOX, plan: 'sandbox', payer: same, txHash: asPayer }),
    ])
    expect(hashesOf(pageOf(await readers.merchant(same)))).toEqual([asMerchant])
    expect(hashesOf(pageOf(await readers.agent(same)))).toEqual([asAgent])
    expect(hashesOf(pageOf(await readers.payer(same)))).toEqual([asPayer])
    expect(new Set(hashesOf(pageOf(await readers.admin(`?owner_id=${same}`))))).toEqual(new Set([asMerchant, asAgent]))
    expect(hashesOf(pageOf(await readers.admin(`?tenant_id=${SANDBOX}&payer=${same}`)))).toEqual([asPayer])
  })

  test('and without a credential nothing is readable', async () => {
    const asked = () => new Request('http://quittance.test/', { headers: { 'x-quittance-client-ip': '172.31.0.1' } })
    for (const handler of [listMerchantHistory, listPayerHistory, listAgentHistory]) {
      const answer = await handler.handle(harness.app, asked())
      expect([401, 503]).toContain(answer.status)
    }
    expect((await readers.admin('', 'Bearer x')).status).toBe(401)
  })
})
