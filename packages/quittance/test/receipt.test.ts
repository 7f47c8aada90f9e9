import { afterEach, expect, test, vi } from 'vitest'
import { createReceipts } from '../../../server/payments/receipts'
import { InvalidReceipt, verifyReceipt } from '../src/receipt'
import { facts, receiptCases, SERVICE_BASE } from './shared-cases'

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

/** A facilitator with these keys, how often they were read, and receipts of any key for it. */
async function facilitator(base: string) {
  const [one, other] = await Promise.all(['one', 'two'].map((secret) => createReceipts([secret], base, () => 1_795_500_000n)))
  let [keys, reads]: [unknown, number] = [one?.keys, 0]
  const read: typeof fetch = async () => {
    reads++
    return keys === null ? new Response(null, { status: 503 }) : Response.json({ keys })
  }
  return {
    reads: () => reads,
    publish(next: unknown) {
      keys = next
    },
    known: one?.sign(facts) ?? '',
    unknown: other?.sign(facts) ?? '',
    others: other?.keys,
    check: (given: string) => verifyReceipt(given, base, { fetch: read }),
  }
}
const UNKNOWN = 'its facilitator publishes no key with this kid'

afterEach(() => void vi.useRealTimers())

test('a withdrawn key counts for an hour at most', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { check, known, others, publish, reads } = await facilitator('https://withdrawn.example')
  await check(known)
  publish(others)
  vi.setSystemTime(Date.now() + 59 * 60_000)
  await check(known)
  vi.setSystemTime(Date.now() + 60_000)
  await expect(check(known)).rejects.toThrow(UNKNOWN)
  expect(reads()).toBe(2)
})

test('receipts of unknown keys read the keys every 30 seconds at most, and a new key is found then', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { check, known, unknown, others, publish, reads } = await facilitator('https://unknown.example')
  await Promise.all([check(known), check(known)])
  for (let at = 0; at < 10; at++) await expect(check(unknown)).rejects.toThrow(UNKNOWN)
  expect(reads()).toBe(1)
  publish(others)
  vi.setSystemTime(Date.now() + 30_000)
  expect(await check(unknown)).toMatchObject({ amount: '1000' })
  expect(reads()).toBe(2)
})

test('keys that could not be read are read again', async () => {
  const { check, known, others, publish } = await facilitator('https://down.example')
  publish(null)
  await expect(check(known)).rejects.toThrow('answered with 503')
  publish(others)
  await expect(check(known)).rejects.toThrow(UNKNOWN)
})
