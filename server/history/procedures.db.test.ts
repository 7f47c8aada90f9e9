import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { administrator, cookieOf, dataOf, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { asked, newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import type { Principal } from '../sign-in/principal'
import { exportHistory } from './exports'

const harness = fixture(startReading)

type Listed = { settlements: { id: string; txHash: string; payer: string }[]; cursor: string | null; hasMore: boolean }

/** A merchant with as many settlements, each by another payer by default. */
async function merchantWith(count: number, row: { payer?: string; payTo?: string } = {}) {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const rows = Array.from({ length: count }, (_, at) =>
    newRow({ ownerId, tenantId, createdAt: new Date(1_767_225_600_000 + at), ...row }),
  )
  await harness.app.db.history.createMany({ data: rows })
  return { who: merchant(ownerId), ownerId, tenantId, ids: rows.map(({ id }) => String(id)).toReversed(), rows }
}

const list = async (who: Principal, reader: string, input: object = {}) =>
  dataOf<Listed>(await pagesOf(harness.app, who).query('settlements.list', { reader, ...input }))
const idsOf = ({ settlements }: Listed) => settlements.map(({ id }) => id)

test('a file has the settlements of all values of its filters, resources with commas too', async () => {
  const { who, tenantId, ownerId, ids } = await merchantWith(1)
  const others = ['https://a.test/x,y', 'https://a.test/x', 'https://a.test/y'].map((resource) =>
    newRow({ ownerId, tenantId, resource, network: 'eip155:84532' }),
  )
  await harness.app.db.history.createMany({ data: others })
  const query = new URLSearchParams([
    ['reader', 'merchant'],
    ['format', 'json'],
    ['network', 'eip155:8453,eip155:84532'],
    ['resource', 'https://a.test/x,y'],
    ['resource', 'https://merchant.test/weather'],
  ])
  const file = await exportHistory.handle(
    harness.app,
    asked(`/api/export?${query}`, { headers: await cookieOf(harness.app, who) }),
  )
  const rows: { id: string }[] = await file.json()
  expect(rows.map(({ id }) => id).toSorted()).toEqual([ids[0], others[0]?.id].toSorted())
})

test('choices name what occurs, the most frequent first, and an own filter does not narrow them', async () => {
  const { who, tenantId, ownerId } = await merchantWith(3)
  const fail = (errorReason: string) => newRow({ ownerId, tenantId, success: false, errorReason, network: 'eip155:84532' })
  // Two codes with one title.
  const codes = ['insufficient_funds', 'invalid_exact_evm_insufficient_balance', 'unknown']
  await harness.app.db.history.createMany({ data: codes.map(fail) })
  const of = async (choice: string, filter: object = {}) => {
    const asked = { reader: 'merchant', of: choice, ...filter }
    const { options } = dataOf<{ options: { name: string; count: number; values: string[] }[] }>(
      await pagesOf(harness.app, who).query('settlements.choices', asked),
    )
    return options
  }
  expect((await of('reason', { status: 'success' })).map(({ name, count }) => [name, count])).toEqual([
    ['Insufficient funds', 2],
    ['Unknown', 1],
  ])
  expect((await of('reason'))[0]?.values).toEqual(expect.arrayContaining(codes.slice(0, 2)))
  const networks = [
    ['Base', 3],
    ['Base Sepolia', 3],
  ]
  expect((await of('network', { network: ['eip155:8453'] })).map(({ name, count }) => [name, count])).toEqual(networks)
  expect((await of('network', { status: 'failed' })).map(({ name }) => name)).toEqual(['Base Sepolia'])
  expect(await of('key')).toMatchObject([{ values: [tenantId], count: 6 }])
  expect(await of('payer', { find: '0xZZ' })).toEqual([])
})

describe("another owner's settlements", () => {
  test('are in no list, under any filter', async () => {
    const [own, other] = [await merchantWith(1), await merchantWith(1)]
    const [{ payer = '', txHash = '', resource = '' } = {}] = other.rows
    const filters = [{}, { key: other.tenantId }, { search: payer }, { search: txHash }, { resource }, { status: 'success' }]
    for (const filter of filters) {
      const seen = idsOf(await list(own.who, 'merchant', filter))
      expect(seen.filter((id) => id !== own.ids[0])).toEqual([])
    }
    expect(idsOf(await list(other.who, 'merchant', { key: other.tenantId }))).toEqual(other.ids)
  })

  test('have no details', async () => {
    const [own, other] = [await merchantWith(1), await merchantWith(1)]
    const details = (who: Principal, reader: string, id = other.ids[0]) =>
      pagesOf(harness.app, who).query('settlements.details', { reader, id })
    expect(await details(own.who, 'merchant')).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await details(wallet('0x1111111111111111111111111111111111111111'), 'payer')).status).toBe(404)
    expect((await details(wallet('0x1111111111111111111111111111111111111111'), 'agent')).status).toBe(404)
    expect((await details(other.who, 'merchant')).status).toBe(200)
    expect((await details(administrator, 'admin')).status).toBe(200)
  })

  test('are in no file', async () => {
    const [own, other] = [await merchantWith(1), await merchantWith(1)]
    const query = `reader=merchant&format=json&key=${other.tenantId}`
    const exported = async (who: Principal) =>
      (
        await exportHistory.handle(harness.app, asked(`/api/export?${query}`, { headers: await cookieOf(harness.app, who) }))
      ).json()
    expect([await exported(own.who), (await exported(other.who)).length]).toEqual([[], 1])
  })

  test('of a wallet are those that it paid, and those of its agent another list', async () => {
    const payer = '0x2222222222222222222222222222222222222222'
    const paid = await merchantWith(2, { payer })
    await merchantWith(1, { payTo: payer })
    expect(idsOf(await list(wallet(payer), 'payer'))).toEqual(paid.ids)
    expect(idsOf(await list(wallet(payer), 'agent'))).toEqual([])
    const agentTenant = await tenantOf(harness.app.db, payer, 'wallet')
    const row = newRow({ ownerId: payer, ownerKind: 'wallet', tenantId: agentTenant })
    await harness.app.db.history.create({ data: row })
    expect(idsOf(await list(wallet(payer), 'agent'))).toEqual([row.id])
    expect(idsOf(await list(wallet(payer), 'payer'))).toEqual(paid.ids)
  })

  test("of a merchant whose subject is a wallet's address are not the wallet's", async () => {
    const address = '0x3333333333333333333333333333333333333333'
    const tenantId = await tenantOf(harness.app.db, address, 'oidc')
    await harness.app.db.history.create({ data: newRow({ ownerId: address, tenantId }) })
    expect(idsOf(await list(wallet(address), 'agent'))).toEqual([])
    expect(idsOf(await list(merchant(address), 'merchant'))).toHaveLength(1)
  })
})

describe('a list', () => {
  test('is paged without gap or double, down and up again', async () => {
    const { who, ids } = await merchantWith(5)
    const first = await list(who, 'merchant', { limit: 2 })
    const second = await list(who, 'merchant', { limit: 2, cursor: first.cursor })
    const third = await list(who, 'merchant', { limit: 2, cursor: second.cursor })
    expect([first, second, third].flatMap(idsOf)).toEqual(ids)
    expect([first, second, third].map(({ hasMore }) => hasMore)).toEqual([true, true, false])
    const up = await list(who, 'merchant', { limit: 2, cursor: third.cursor, direction: 'after' })
    expect(idsOf(up)).toEqual(ids.slice(2, 4))
  })

  test("takes no cursor of another's list, of other filters or of another reader", async () => {
    const [own, other] = [await merchantWith(3), await merchantWith(3)]
    const { cursor } = await list(own.who, 'merchant', { limit: 1 })
    const asks: [Principal, object][] = [
      [other.who, { reader: 'merchant', cursor }],
      [own.who, { reader: 'merchant', cursor, status: 'success' }],
      [administrator, { reader: 'admin', cursor }],
      [own.who, { reader: 'merchant', cursor: `${cursor}x` }],
      [own.who, { reader: 'merchant', cursor: 'made up' }],
    ]
    for (const [who, input] of asks) {
      expect(await pagesOf(harness.app, who).query('settlements.list', input)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
    }
    expect(idsOf(await list(own.who, 'merchant', { limit: 1, cursor }))).toEqual([own.ids[1]])
  })

  test('is searched by whole transactions and addresses of either side, by beginnings and by words', async () => {
    const { who, ids, rows } = await merchantWith(2)
    const [first] = rows
    const search = async (text: string) => idsOf(await list(who, 'merchant', { search: text }))
    expect(await search(` ${first?.txHash} `)).toEqual([ids[1]])
    expect(await search(String(first?.payer).toUpperCase().replace('0X', '0x'))).toEqual([ids[1]])
    expect(await search(String(first?.payTo))).toEqual(ids)
    expect(await search(String(first?.txHash).slice(0, 12))).toEqual([ids[1]])
    expect(await search(String(first?.id))).toEqual([ids[1]])
    expect(await search('weather')).toEqual(ids)
    expect(await search('zebra')).toEqual([])
  })

  test('has settlements from a moment on, up to but not at another', async () => {
    const { who, ids } = await merchantWith(4)
    const at = (ms: number) => new Date(1_767_225_600_000 + ms).toISOString()
    expect(idsOf(await list(who, 'merchant', { from: at(1), to: at(3) }))).toEqual(ids.slice(1, 3))
    expect(idsOf(await list(who, 'merchant', { from: at(3) }))).toEqual(ids.slice(0, 1))
    expect(idsOf(await list(who, 'merchant', { from: at(3), to: at(1) }))).toEqual([])
  })

  test('is ordered by time or amount, page by page', async () => {
    const { who, ids } = await merchantWith(5)
    const byAmount = ids.map((id, at) => ({ id, amount: String((at * 7) % 5) }))
    for (const { id, amount } of byAmount) await harness.app.db.history.update({ where: { id }, data: { amount } })
    const largest = byAmount.toSorted((one, other) => Number(other.amount) - Number(one.amount)).map(({ id }) => id)
    const orders = { newest: ids, oldest: ids.toReversed(), largest, smallest: largest.toReversed() }
    for (const [sort, expected] of Object.entries(orders)) {
      const first = await list(who, 'merchant', { sort, limit: 3 })
      const second = await list(who, 'merchant', { sort, limit: 3, cursor: first.cursor })
      expect([sort, ...idsOf(first), ...idsOf(second)]).toEqual([sort, ...expected])
      expect([first.hasMore, second.hasMore]).toEqual([true, false])
    }
  })

  test('names the key for its owner, and the owner for administrators only', async () => {
    const { who, ownerId, tenantId, rows } = await merchantWith(1, { payer: '0x4444444444444444444444444444444444444444' })
    await harness.app.db.tenant.update({ where: { id: tenantId }, data: { name: 'the shop' } })
    const seen = async (reader: string, by: Principal) => (await list(by, reader, { search: rows[0]?.id })).settlements
    expect(await seen('merchant', who)).toMatchObject([{ keyName: 'the shop', owner: null }])
    expect(await seen('admin', administrator)).toMatchObject([{ keyName: 'the shop', owner: { kind: 'oidc', id: ownerId } }])
    const payer = wallet('0x4444444444444444444444444444444444444444')
    expect(await seen('payer', payer)).toMatchObject([{ keyName: '', owner: null }])
  })

  test('is refused where its bounds or its filters are not what they may be', async () => {
    const wrong = [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { network: 'eip155:1' },
      { key: 'mine' },
      { status: 'FINAL' },
      { from: 'monday' },
    ]
    for (const input of wrong) {
      const { status } = await pagesOf(harness.app, administrator).query('settlements.list', { reader: 'admin', ...input })
      expect([input, status]).toEqual([input, 400])
    }
  })
})
