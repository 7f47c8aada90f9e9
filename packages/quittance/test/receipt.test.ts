import { expect, test } from 'vitest'
import { InvalidReceipt, verifyReceipt } from '../src/receipt'
import { receiptCases, SERVICE_BASE } from './shared-cases'

const { receipt, keySet, bad } = await receiptCases()
const published: typeof fetch = async () => Response.json({ keys: keySet })
const check = (given: string | null, at = SERVICE_BASE) => verifyReceipt(given ?? '', at, { fetch: published })

test('verifyReceipt returns the claims, for the base URL and for any facilitator URL of it', async () => {
  for (const at of [
    SERVICE_BASE,
    `${SERVICE_BASE}/`,
    `${SERVICE_BASE}/sandbox`,
    `${SERVICE_BASE}/v1/qt_key`,
    `${SERVICE_BASE}/v1/qt_key/flash`,
  ]) {
    expect(await check(receipt, at)).toMatchObject({ iss: SERVICE_BASE, amount: '1000', state: 'included', seq: 6 })
  }
})

test.each(bad)('verifyReceipt throws for %s', async (_, given, message) => {
  await expect(check(given)).rejects.toThrow(new InvalidReceipt(message))
})
