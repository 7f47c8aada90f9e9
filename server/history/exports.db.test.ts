import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withoutLimit } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import { startOf } from '../base/zones'
import { type ExportFormat, exported, fileName } from './exports'
import { scopeOf } from './history'

const harness = fixture(startReading)

/** A merchant with these settlements, the later the newer. */
async function merchantWith(...rows: Partial<ReturnType<typeof newRow>>[]) {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const dated = rows.map((row, at) => newRow({ ownerId, tenantId, createdAt: new Date(1_767_225_600_000 + at * 1_000), ...row }))
  await harness.app.db.history.createMany({ data: dated })
  return { ownerId, tenantId }
}

async function fileOf(ownerId: string, format: ExportFormat, zone = 'UTC'): Promise<string> {
  let text = ''
  for await (const piece of exported(harness.app, 'merchant', scopeOf.merchant(ofSubject(ownerId)), { format, zone }))
    text += piece
  return text
}

/** A CSV file as a spreadsheet reads it (RFC 4180): lines of cells. */
function cellsOf(csv: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, bare = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && bare === '' && quoted === undefined) break
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end === '\r\n') lines.push([])
  }
  return lines.slice(0, -1)
}

const columnOf = ([head = [], ...lines]: string[][], name: string) => lines.map((line) => line[head.indexOf(name)])

describe('a history as CSV', () => {
  test('has a line for each settlement, newest first, every amount exact', async () => {
    const { ownerId, tenantId } = await merchantWith(
      { amount: '1000' },
      { amount: '123456789012345678901234567890', success: false, txHash: '', payer: '', errorReason: null },
    )
    const cells = cellsOf(await fileOf(ownerId, 'csv'))
    // A sum over the amounts is what was settled.
    expect(columnOf(cells, 'amount')).toEqual(['', '0.001'])
    expect(columnOf(cells, 'attempted_amount')).toEqual(['123456789012345678901234.56789', ''])
    expect(cells[0]?.filter((name) => name.includes('amount'))).toEqual(['amount', 'attempted_amount'])
    expect(columnOf(cells, 'outcome')).toEqual(['failed', 'settled'])
    expect(columnOf(cells, 'error_reason')).toEqual(['unknown', ''])
    expect(columnOf(cells, 'created_at')).toEqual(['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:00.000Z'])
    expect(columnOf(cells, 'tenant_id')).toEqual([tenantId, tenantId])
  })

  test('has the maximum that a payer signed beside what was charged of it', async () => {
    const { ownerId } = await merchantWith({ amount: '700', maximum: '100000' }, { amount: '0', maximum: '5000', txHash: '' }, {})
    const cells = cellsOf(await fileOf(ownerId, 'csv'))
    expect(columnOf(cells, 'maximum')).toEqual(['', '0.005', '0.1'])
    expect(columnOf(cells, 'amount').slice(1)).toEqual(['0', '0.0007'])
    expect(columnOf(cells, 'outcome')).toEqual(['settled', 'settled', 'settled'])
  })

  test('keeps every cell one cell, with any untrusted text', async () => {
    const resources = ['https://a.test/?q=1,2', 'https://a.test/"quoted"', 'a\nb', 'a\r\nb', '', 'ünïcode €']
    const { ownerId } = await merchantWith(...resources.map((resource) => ({ resource })))
    const cells = cellsOf(await fileOf(ownerId, 'csv'))
    expect(columnOf(cells, 'resource')).toEqual(resources.toReversed())
    expect(new Set(cells.map(({ length }) => length)).size).toBe(1)
  })

  test('is no program: what a spreadsheet would calculate is a text', async () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '＝1', '=HYPERLINK("https://evil.test","a")']
    const led = ['\t=1', '\r=1', '\n=1', '\tA1', '\r1']
    const { ownerId } = await merchantWith(...[...formulas, ...led].map((resource) => ({ resource })))
    const cells = cellsOf(await fileOf(ownerId, 'csv'))
    const told = columnOf(cells, 'resource').toReversed()
    expect(told.slice(0, formulas.length)).toEqual(formulas.map((formula) => `'${formula}`))
    expect(told.slice(formulas.length)).toEqual(["'\t'=1", "'\r'=1", "'\n'=1", "'\tA1", "'\r1"])
  })

  test('is no program where a spreadsheet splits by another sign, quotes or not', async () => {
    const split = [
      '\t=1',
      ';\t=1',
      'https://a.test/;=1+1',
      'a;"=1+1"',
      'a; +1',
      'a\t-1',
      'a|@SUM(A1)',
      'x\n=1',
      'x\r\n=1',
      "a;''=1",
      'a;\u00a0=1',
      ';=1',
      '";=1',
    ]
    const { ownerId } = await merchantWith(...split.map((resource) => ({ resource })))
    const file = await fileOf(ownerId, 'csv')
    for (const sign of [';', '\t', '|']) {
      const pieces = file.split('\n').flatMap((line) => line.split(sign))
      // Some spreadsheets take quotes and blanks before a formula away.
      expect(pieces.filter((piece) => /^["\s]*[=+\-@]/.test(piece))).toEqual([])
    }
    expect(new Set(cellsOf(file).map(({ length }) => length)).size).toBe(1)
  })

  test('keeps what is no formula as it is, and quotes what another spreadsheet would split', async () => {
    const plain = ['https://a.test/x;v=1', 'https://a.test/a-b+c@d=e', 'a|b', '1-2']
    const { ownerId } = await merchantWith(...plain.map((resource) => ({ resource })))
    const file = await fileOf(ownerId, 'csv')
    expect(columnOf(cellsOf(file), 'resource')).toEqual(plain.toReversed())
    expect(file).toContain(',"https://a.test/x;v=1",')
    expect(file).toContain(',"a|b",')
    const [amount, address] = ['amount', 'pay_to'].map((column) => columnOf(cellsOf(file), column)[0])
    expect([amount, address]).toEqual(['0.001', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'])
  })

  test("says date and time in the zone, the key, the ids, the asset and the explorer's page", async () => {
    const { ownerId, tenantId } = await merchantWith({ txHash: `0x${'ab'.repeat(32)}` }, { txHash: '', success: false })
    await harness.app.db.tenant.update({ where: { id: tenantId }, data: { name: 'the shop' } })
    const cells = cellsOf(await fileOf(ownerId, 'csv', 'Asia/Kathmandu'))
    const newest = Object.fromEntries((cells[0] ?? []).map((name, at) => [name, cells[2]?.[at]]))
    expect(newest).toMatchObject({
      date: '2026-01-01',
      time: '05:45:00',
      time_zone: 'Asia/Kathmandu',
      utc_offset: 'UTC+05:45',
      key_name: 'the shop',
      network_name: 'Base',
      asset: 'USDC',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      asset_address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      explorer_url: `https://basescan.org/tx/0x${'ab'.repeat(32)}`,
    })
    expect(columnOf(cells, 'explorer_url')[0]).toBe('')
  })

  test('names the token of each amount', async () => {
    const { ownerId } = await merchantWith({ amount: '1500000', symbol: 'EURC' }, { amount: '1000' })
    const cells = cellsOf(await fileOf(ownerId, 'csv'))
    expect(columnOf(cells, 'asset')).toEqual(['USDC', 'EURC'])
    expect(columnOf(cells, 'amount')).toEqual(['0.001', '1.5'])
  })

  test('of nothing is its head alone', async () => {
    const { ownerId } = await merchantWith()
    expect(cellsOf(await fileOf(ownerId, 'csv'))).toHaveLength(1)
  })
})

describe('a history as JSON', () => {
  test('can be parsed, of none, one and many settlements, and says the same as the CSV', async () => {
    for (const count of [0, 1, 250]) {
      const { ownerId } = await merchantWith(...Array.from({ length: count }, (_, at) => ({ resource: `"${at}",\n` })))
      const rows: Record<string, string>[] = JSON.parse(await fileOf(ownerId, 'json'))
      expect(rows.map(({ resource }) => resource)).toEqual(Array.from({ length: count }, (_, at) => `"${count - 1 - at}",\n`))
      const [head = []] = cellsOf(await fileOf(ownerId, 'csv'))
      const own = ['attempted_amount']
      for (const row of rows) expect(Object.keys(row)).toEqual(expect.arrayContaining(head.filter((name) => !own.includes(name))))
    }
  })
})

describe('monthly totals', () => {
  test('sum what was settled in each month of the zone, of each token on each network, and nothing that failed', async () => {
    const at = (text: string) => ({ createdAt: new Date(text) })
    const { ownerId } = await merchantWith(
      { amount: '1000', ...at('2026-10-31T22:59:59Z') },
      // In Berlin it is November.
      { amount: '500', ...at('2026-10-31T23:00:00Z') },
      { amount: '123456789012345678901234567890', ...at('2026-11-02T00:00:00Z') },
      { amount: '1500000', symbol: 'EURC', ...at('2026-11-03T00:00:00Z') },
      { amount: '7000', network: 'eip155:84532', ...at('2026-11-03T00:00:00Z') },
      { amount: '9000', success: false, txHash: '', ...at('2026-11-04T00:00:00Z') },
    )
    expect(cellsOf(await fileOf(ownerId, 'totals', 'Europe/Berlin'))).toEqual([
      ['month', 'asset', 'network', 'network_name', 'settlements', 'amount', 'complete'],
      ['2026-10', 'USDC', 'eip155:8453', 'Base', '1', '0.001', 'yes'],
      ['2026-11', 'EURC', 'eip155:8453', 'Base', '1', '1.5', 'yes'],
      ['2026-11', 'USDC', 'eip155:8453', 'Base', '2', '123456789012345678901234.56839', 'yes'],
      ['2026-11', 'USDC', 'eip155:84532', 'Base Sepolia', '1', '0.007', 'yes'],
    ])
  })

  test('say so when the file leaves older settlements out', async () => {
    const { ownerId } = await merchantWith({}, {}, {})
    let text = ''
    const scope = scopeOf.merchant(ofSubject(ownerId))
    for await (const piece of exported(harness.app, 'merchant', scope, { format: 'totals', zone: 'UTC' }, 2)) text += piece
    expect(columnOf(cellsOf(text), 'complete')).toEqual(['no'])
  })
})

test.each([
  [{ from: '2026-10-01', to: '2026-11-01' }, 'csv', 'settlements-2026-10-01-to-2026-10-31.csv'],
  [{ from: '2026-11-01', to: '2026-12-01' }, 'totals', 'settlements-totals-2026-11-01-to-2026-11-27.csv'],
  [{ from: '2026-11-01' }, 'json', 'settlements-2026-11-01-to-2026-11-27.json'],
  [{ to: '2026-11-01' }, 'csv', 'settlements-to-2026-10-31.csv'],
  [{}, 'csv', 'settlements-to-2026-11-27.csv'],
] as const)('a file of %j as %s is named %s', (range, format, name) => {
  const [from, to] = ['from', 'to'].map((end) => {
    const day = Object.entries(range).find(([one]) => one === end)?.[1]
    return day === undefined ? undefined : startOf(day, 'Asia/Kathmandu').getTime()
  })
  const now = new Date('2026-11-27T04:00:00Z')
  expect(fileName('merchant', { from, to }, { format, zone: 'Asia/Kathmandu' }, now)).toBe(name)
  expect(fileName('payer', { from, to }, { format, zone: 'Asia/Kathmandu' }, now)).toBe(name.replace('settlements', 'payments'))
})

test('files in a row are not held to the rate of screens', async () => {
  const { ownerId } = await merchantWith({}, {})
  const lines: number[] = []
  for (let file = 0; file < 120; file++) lines.push(cellsOf(await fileOf(ownerId, 'csv')).length)
  expect(new Set(lines)).toEqual(new Set([3]))
})

test('a file has a bounded number of settlements, the newest', async () => {
  const { ownerId, tenantId } = await merchantWith()
  const [count, max] = [1_150, 1_000]
  const marker = randomUUID()
  const rows = `
    INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash")
    SELECT gen_random_uuid(), '2026-01-01'::timestamptz + at * interval '1 second', 'oidc', $1, $2::uuid, '0x', '0x', 'eip155:8453',
      $3 || at, 'free', 1000, true, '0x' || at FROM generate_series(1, $4::int) at`
  await withoutLimit(harness.database.url, [[rows, [ownerId, tenantId, marker, count]]])
  let [lines, newest, oldest] = [0, '', '']
  const scope = scopeOf.merchant(ofSubject(ownerId))
  for await (const piece of exported(harness.app, 'merchant', scope, { format: 'csv', zone: 'UTC' }, max)) {
    const told = piece.split(',').find((cell) => cell.startsWith(marker))
    if (told === undefined) continue
    lines++
    newest ||= told
    oldest = told
  }
  expect([lines, newest, oldest]).toEqual([max, `${marker}${count}`, `${marker}${count - max + 1}`])
})
