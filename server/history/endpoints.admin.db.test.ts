import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newHash } from '../../test/support/database/ledger'
import { fixture, readThrough } from '../../test/support/fixture'
import { hashesOf, newOwner, newRow, pageOf, readersOf, startReading, tenantOf } from '../../test/support/service/history'

const harness = fixture(startReading)
const readers = readersOf(readThrough(() => harness.app))
const PAYER = '0x1111111111111111111111111111111111111111'
const add = (rows: ReturnType<typeof newRow>[]) => harness.app.db.history.createMany({ data: rows })

describe('GET /admin/history', () => {
  test('filters by owner, tenant, payer, transaction and success, each alone and all together', async () => {
    const { db } = harness.app
    const [ownerId, elsewhere] = [newOwner(), newOwner()]
    const tenants = [await tenantOf(db, ownerId), await tenantOf(db, ownerId, 'wallet'), await tenantOf(db, elsewhere)]
    const payers = [PAYER, '0x2222222222222222222222222222222222222222']
    const rows = tenants.flatMap((tenantId, at) =>
      payers.flatMap((payer) =>
        [true, false].map((success) => {
          const owner = { ownerId: at < 2 ? ownerId : elsewhere, ownerKind: at === 1 ? 'wallet' : 'oidc' }
          return newRow({ ...owner, tenantId, payer, success, errorReason: success ? null : 'unknown' })
        }),
      ),
    )
    await add(rows)
    const known = new Set(rows.map(({ txHash }) => txHash))
    const [sample] = rows
    const filters: [string, string, (row: (typeof rows)[number]) => boolean][] = [
      ['owner_id', ownerId, (row) => row.ownerId === ownerId],
      ['tenant_id', String(tenants[0]).toUpperCase(), (row) => row.tenantId === tenants[0]],
      ['payer', PAYER, (row) => row.payer === PAYER],
      ['tx_hash', String(sample?.txHash).toUpperCase().replace('0X', '0x'), (row) => row.txHash === sample?.txHash],
      ['success', 'false', (row) => !row.success],
    ]
    for (let mask = 0; mask < 2 ** filters.length; mask++) {
      const chosen = filters.filter((_, at) => mask & (1 << at))
      const query = chosen.map(([name, value]) => `${name}=${value}`).join('&')
      const page = pageOf(await readers.admin(`?limit=100&${query}`))
      const expected = rows.filter((row) => chosen.every(([, , holds]) => holds(row))).map(({ txHash }) => txHash)
      const found = hashesOf(page).filter((hash) => known.has(String(hash)))
      expect([query, found.toSorted()]).toEqual([query, expected.toSorted()])
    }
  })

  test.each([
    ['tenant_id=x', 'tenant_id must be a UUID'],
    ['tenant_id=', 'tenant_id must be a UUID'],
    ['payer=0x12', 'payer must be an address: 0x and 40 hex digits, or base58'],
    ['payer=', 'payer must be an address: 0x and 40 hex digits, or base58'],
    ['tx_hash=%00', 'tx_hash must be a transaction: 0x and 64 hex digits, or a base58 signature'],
    ['success=1', 'success must be true or false'],
    ['owner_id=a%00', 'owner_id holds a NUL character'],
    ['owner_id=', 'owner_id must have 1 to 200 characters'],
  ])('400 for %s', async (query, error) => {
    const { status, body } = await readers.admin(`?${query}`)
    expect([status, body]).toEqual([400, { error }])
  })

  test("finds a wallet's keys in any letter case, and a subject of the identity provider only exactly", async () => {
    const [stored, written] = ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045']
    const base58 = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
    const settled = async (ownerKind: string, ownerId: string) => {
      const tenantId = await tenantOf(harness.app.db, ownerId, ownerKind)
      const row = newRow({ ownerId, ownerKind, tenantId })
      await add([row])
      return row.txHash
    }
    const [wallet, subject, solana] = [
      await settled('wallet', stored),
      await settled('oidc', written),
      await settled('wallet', base58),
    ]
    const found = async (owner: string) => hashesOf(pageOf(await readers.admin(`?owner_id=${owner}`))).toSorted()
    expect(await found(stored)).toEqual([wallet])
    expect(await found(written)).toEqual([wallet, subject].toSorted())
    expect(await found(base58)).toEqual([solana])
    expect(await found(base58.toLowerCase())).toEqual([])
  })

  test('finds nothing for an unknown owner', async () => {
    for (const query of [`tenant_id=${randomUUID()}`, 'owner_id=x', `tx_hash=${newHash()}`]) {
      expect(pageOf(await readers.admin(`?${query}`)).settlements).toEqual([])
    }
  })

  test('429 for more than twenty requests of an address within a second, with any credential', async () => {
    const ip = '172.30.0.9'
    const answers = await Promise.all(Array.from({ length: 80 }, () => readers.admin('?limit=1', 'Bearer x', ip)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
  })
})
