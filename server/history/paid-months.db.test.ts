import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newRow, tenantOf } from '../../test/support/service/history'
import { createCoalesce } from '../sums/coalesce'
import { environmentOf, environments, networkIds } from '../x402/networks/networks'
import { paidMonths } from './history'

const database = fixture(freshDatabase)
let tenantId: string
beforeAll(async () => {
  tenantId = await tenantOf(database.db, 'months')
})
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE "History"`
})

const NOW = new Date('2026-03-31T23:59:59.999Z')
const monthsOf = (wallet: string, now = NOW) =>
  paidMonths({ sums: database.db, coalesce: createCoalesce(), now: () => now }, wallet, 'test')

const someRow = fc.record({
  payer: fc.constantFrom('0xa', '0xa', '0xb', ''),
  network: fc.constantFrom(...networkIds),
  symbol: fc.constantFrom('USDC', 'USDC', 'EURC', 'AUDD'),
  amount: fc.bigInt({ min: 1n, max: 2n ** 200n }),
  success: fc.boolean(),
  createdAt: fc.oneof(
    fc.constantFrom(
      '2025-03-31T23:59:59.999Z',
      '2025-04-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      '2026-02-28T23:59:59.999Z',
    ),
    fc.date({ min: new Date('2025-02-01'), max: NOW, noInvalidDate: true }).map((date) => date.toISOString()),
  ),
})

test("a wallet's months and days of a token are what its settled payments of it say, row by row", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someRow, { maxLength: 40 }), async (rows) => {
      await database.db.$executeRaw`TRUNCATE "History"`
      await database.db.history.createMany({
        data: rows.map(({ amount, ...row }) => newRow({ tenantId, ownerId: 'months', amount: String(amount), ...row })),
      })
      const answer = await monthsOf('0xa')
      for (const environment of environments) {
        const paid = rows.filter(
          (row) => row.payer === '0xa' && row.success && environmentOf(row.network) === environment && row.createdAt >= '2025-04',
        )
        const others = ['AUDD', 'EURC'].filter((token) => paid.some(({ symbol }) => symbol === token))
        expect(answer[environment].map(({ symbol }) => symbol)).toEqual(['USDC', ...others])
        for (const { symbol, months, days } of answer[environment]) {
          const paidIn = (time: string) => {
            const own = paid.filter((row) => row.symbol === symbol && row.createdAt.startsWith(time))
            return { payments: own.length, amount: String(own.reduce((sum, { amount }) => sum + amount, 0n)) }
          }
          expect(months).toEqual(months.map(({ month }) => ({ month, ...paidIn(month) })))
          expect(days).toEqual(days.map(({ day }) => ({ day, ...paidIn(day) })))
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('there are always twelve months and thirty days, this one the last, also where nothing was paid', async () => {
  const { mainnet, testnet } = await monthsOf('0xnobody')
  expect(testnet).toEqual(mainnet)
  const [{ months, days } = { months: [], days: [] }] = mainnet
  expect([days.length, days.at(0)?.day, days.at(-1)?.day]).toEqual([30, '2026-03-02', '2026-03-31'])
  expect(months.map(({ month }) => month)).toEqual([
    '2025-04',
    '2025-05',
    '2025-06',
    '2025-07',
    '2025-08',
    '2025-09',
    '2025-10',
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
    '2026-03',
  ])
  expect(months.every(({ payments, amount }) => payments === 0 && amount === '0')).toBe(true)
})
