import { expect, test } from 'vitest'
import { InvalidReceipt, verifyReceipt } from '../src/receipt'
import { BASE, receiptCases } from './shared-cases'

const { receipt, keySet, bad } = await receiptCases()
const published: typeof fetch = async () => Response.json({ keys: keySet })
const check = (given: string | null, at = BASE) => verifyReceipt(given ?? '', at, { fetch: published })

test('verifyReceipt returns the claims, for the base URL and for any facilitator URL of it', async () => {
  for (const at of [BASE, `${BASE}/`, `${BASE}/sandbox`, `${BASE}/v1/qt_key`, `${BASE}/v1/qt_key/flash`]) {
    expect(await check(receipt, at)).toMatchObject({ iss: BASE, amount: '1000', state: 'included', seq: 6 })
  }
})

test.each(bad)('verifyReceipt throws for %s', async (_, given, message) => {
  await expect(check(given)).rejects.toThrow(new InvalidReceipt(message))
})
