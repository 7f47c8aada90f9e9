import { expect, test } from 'vitest'
import { createReceipts, type ReceiptFacts } from '../../../server/payments/receipts'
import { InvalidReceipt, verifyReceipt } from '../src/receipt'

const BASE = 'https://pay.example'
const facts: ReceiptFacts = {
  id: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
  network: 'eip155:84532',
  amount: '1000',
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  payer: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  resource: 'https://merchant.example/weather',
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 7,
  block: 12n,
  finality: 'included',
  reversed: false,
  version: 3,
}

const signers = await Promise.all([
  createReceipts(['one'], BASE, () => 1_795_500_000n),
  createReceipts(['two'], BASE, () => 1_795_500_000n),
  createReceipts(['one'], 'https://other.example', () => 1_795_500_000n),
])
const [ours, unknown, elsewhere] = signers
const published: typeof fetch = async () => Response.json({ keys: ours.keys })
const check = (receipt: string | null, at = BASE) => verifyReceipt(receipt ?? '', at, { fetch: published })

/** The same receipt with another header. */
const withHead = (change: object) => {
  const [head = '', ...rest] = (ours.sign(facts) ?? '').split('.')
  const changed = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...change }
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.')
}

test('verifyReceipt returns the claims, for the base URL and for any facilitator URL of it', async () => {
  for (const at of [BASE, `${BASE}/`, `${BASE}/sandbox`, `${BASE}/v1/qt_key`, `${BASE}/v1/qt_key/flash`]) {
    expect(await check(ours.sign(facts), at)).toMatchObject({ iss: BASE, amount: '1000', state: 'included', seq: 6 })
  }
})

test.each([
  ['a payment that the chain took back', ours.sign({ ...facts, reversed: true }), 'the chain took this payment back'],
  ['another algorithm', withHead({ alg: 'none' }), 'it is no JWS with ES256'],
  ['another type of token', withHead({ typ: 'JWT' }), 'its type is not settlement-receipt+jwt'],
  ['a changed header', withHead({ more: 1 }), 'its signature does not hold'],
  ['an unknown key', unknown.sign(facts), 'its facilitator publishes no key with this kid'],
  ['another issuer', elsewhere.sign(facts), 'its issuer is https://other.example, not https://pay.example'],
  ['another text', 'receipt', 'it is no JWS'],
])('verifyReceipt throws for %s', async (_, receipt, message) => {
  await expect(check(receipt)).rejects.toThrow(new InvalidReceipt(message))
})
