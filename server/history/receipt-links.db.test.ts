import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { includeOne, moveTo, newBroadcast, newLanding } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { administrator, dataOf, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { newIp, newOwner, startReading, tenantOf } from '../../test/support/service/history'
import { writeLink } from '../ledger/statements/receipt-links'
import { publicReceipt } from '../payments/public-receipts'
import type { Principal } from '../sign-in/principal'
import { LINKS_MAX } from './receipt-links'

const harness = fixture(startReading)

const OTHER = '0x9999999999999999999999999999999999999999'

let payers = 0
/** A landed payment with its merchant and its payer. */
async function paid() {
  const ownerId = newOwner()
  const payer = `0x${(++payers).toString(16).padStart(40, 'a')}`
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const sent = await newBroadcast(harness.app.db, { tenantId, payer, caller: `tenant:${tenantId}` })
  if (!(await includeOne(harness.app.db, sent, newLanding(sent.hash)))) throw new Error('it did not land')
  return { id: sent.settlementId, merchant: merchant(ownerId), payer: wallet(payer), hash: sent.hash }
}

type Reader = 'merchant' | 'payer'
const act = (what: 'share' | 'withdraw' | 'restore', who: Principal | null, reader: Reader, id: string) =>
  pagesOf(harness.app, who).mutate(`receipts.${what}`, { reader, id })
const shared = async (who: Principal, reader: Reader, id: string) =>
  dataOf<{ url: string }>(await act('share', who, reader, id)).url
const detailsOf = async (who: Principal, reader: Reader, id: string) =>
  dataOf<{ receipt: string; receiptUrl: string | null }>(
    await pagesOf(harness.app, who).query('settlements.details', { reader, id }),
  )
const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const seen = (token: string, ip = newIp()) => publicReceipt(harness.app, new Headers({ 'x-quittance-client-ip': ip }), token)

test('a merchant and a payer share the same page, which shows the signed receipt to anyone', async () => {
  const { id, merchant, payer } = await paid()
  const url = await shared(merchant, 'merchant', id)
  expect(url).toMatch(/^http:\/\/localhost:\d+\/r\/[\w-]{22}$/)
  expect(await shared(payer, 'payer', id)).toBe(url)
  expect((await detailsOf(payer, 'payer', id)).receiptUrl).toBe(url)
  const page = await seen(tokenIn(url))
  if (page === null || 'refused' in page) throw new Error('no page')
  const { payload } = await jwtVerify(page.receipt, createLocalJWKSet({ keys: [...harness.app.receipts.keys] }))
  expect(payload).toMatchObject({ settlement_id: id, amount: '1000', state: 'included' })
  expect(Object.keys(page)).toEqual(['receipt'])
})

test('an address is random: it is in no other field, and differs for each payment', async () => {
  const [one, other] = [await paid(), await paid()]
  const [first, second] = [await shared(one.merchant, 'merchant', one.id), await shared(other.merchant, 'merchant', other.id)]
  expect(first).not.toBe(second)
  for (const guess of [one.id, one.hash, '', 'x'.repeat(22), `${tokenIn(first)} `, tokenIn(first).slice(0, 21)]) {
    expect(await seen(guess)).toBeNull()
  }
})

test('either side withdraws; the address is then as unknown as any other, and only that side undoes it', async () => {
  const { id, merchant, payer } = await paid()
  const url = await shared(merchant, 'merchant', id)
  expect((await act('withdraw', payer, 'payer', id)).status).toBe(200)
  expect(await seen(tokenIn(url))).toBeNull()
  expect((await detailsOf(merchant, 'merchant', id)).receiptUrl).toBeNull()
  expect(await act('restore', merchant, 'merchant', id)).toMatchObject({ code: 'CONFLICT' })
  expect(dataOf<{ url: string }>(await act('restore', payer, 'payer', id)).url).toBe(url)
  expect(await seen(tokenIn(url))).toHaveProperty('receipt')
})

test('a receipt that is shared again after a withdrawal has a new address, and the old one stays gone', async () => {
  const { id, merchant } = await paid()
  const before = await shared(merchant, 'merchant', id)
  await act('withdraw', merchant, 'merchant', id)
  const after = await shared(merchant, 'merchant', id)
  expect(after).not.toBe(before)
  expect(await seen(tokenIn(before))).toBeNull()
  expect(await seen(tokenIn(after))).toHaveProperty('receipt')
  expect(await act('restore', merchant, 'merchant', id)).toMatchObject({ code: 'CONFLICT' })
})

test("nobody shares or withdraws another's receipt", async () => {
  const [own, other] = [await paid(), await paid()]
  const url = await shared(own.merchant, 'merchant', own.id)
  const strangers: [Principal | null, Reader, string][] = [
    [other.merchant, 'merchant', 'NOT_FOUND'],
    [wallet(OTHER), 'payer', 'NOT_FOUND'],
    [wallet(OTHER), 'merchant', 'NOT_FOUND'],
    [own.merchant, 'payer', 'UNAUTHORIZED'],
    [administrator, 'merchant', 'UNAUTHORIZED'],
    [null, 'payer', 'UNAUTHORIZED'],
  ]
  for (const [who, reader, code] of strangers) {
    for (const what of ['share', 'withdraw', 'restore'] as const) {
      expect(await act(what, who, reader, own.id)).toMatchObject({ code })
    }
  }
  expect(await seen(tokenIn(url))).toHaveProperty('receipt')
})

test('a payment without a receipt is not shared', async () => {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const row = await harness.app.db.history.create({
    data: {
      id: '01931f0e-7a52-7d1c-9b1e-3f2a61c0d7aa',
      ownerKind: 'oidc',
      ownerId,
      tenantId,
      payer: OTHER,
      payTo: OTHER,
      network: 'eip155:8453',
      resource: '',
      plan: 'growth',
      amount: '1000',
      success: false,
      errorReason: 'insufficient_funds',
    },
  })
  expect(await act('share', merchant(ownerId), 'merchant', row.id)).toMatchObject({ code: 'CONFLICT' })
})

test('one party has a bounded number of pages; a withdrawal makes room', async () => {
  const { id, merchant } = await paid()
  const second = await paid()
  if (merchant.kind !== 'merchant') throw new Error('a merchant')
  const sharer = { side: 'merchant', id: `oidc:${merchant.id}` } as const
  expect(await writeLink(harness.app.db, id, sharer, 1)).toMatch(/^[\w-]{22}$/)
  expect(await writeLink(harness.app.db, second.id, sharer, 1)).toBeNull()
  // The page that it has needs no room.
  expect(await writeLink(harness.app.db, id, sharer, 1)).toMatch(/^[\w-]{22}$/)
  await act('withdraw', merchant, 'merchant', id)
  expect(await writeLink(harness.app.db, second.id, sharer, 1)).toMatch(/^[\w-]{22}$/)
  expect(LINKS_MAX).toBe(1_000)
})

test('a page shows its state as of now, with the same text on each visit and on every screen', async () => {
  const { id, merchant } = await paid()
  const token = tokenIn(await shared(merchant, 'merchant', id))
  const receiptNow = async () => {
    const page = await seen(token)
    return page && 'receipt' in page ? page.receipt : ''
  }
  const included = await receiptNow()
  expect(await receiptNow()).toBe(included)
  expect((await detailsOf(merchant, 'merchant', id)).receipt).toBe(included)
  await moveTo(harness.app.db, id, 'REVERSED')
  const reversed = await receiptNow()
  expect(decodeJwt(reversed)).toMatchObject({ state: 'reversed', settlement_id: id })
  expect(Number(decodeJwt(reversed).seq)).toBeGreaterThan(Number(decodeJwt(included).seq))
})

test('strangers that ask too often are told to wait, and read no more', async () => {
  const ip = newIp()
  const answers = await Promise.all(Array.from({ length: 120 }, () => seen('x'.repeat(22), ip)))
  expect(answers.some((answer) => answer !== null && 'refused' in answer)).toBe(true)
})
