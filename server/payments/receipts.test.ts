import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { createReceipts, type ReceiptFacts, type Receipts } from './receipts'

const facts: ReceiptFacts = {
  id: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
  network: 'eip155:84532',
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  payer: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  amount: '1000',
  resource: 'https://merchant.example/weather',
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 7,
  block: 34_567_890n,
  finality: 'included',
  reversed: false,
  version: 3,
}
const issuer = 'https://pay.example'
const signed = (receipts: Receipts, stated: ReceiptFacts) => receipts.sign(stated) ?? ''
const now = () => 1_795_500_000n

test('a receipt says what was paid, and verifies with the published key', async () => {
  const receipts = await createReceipts(['a secret of this test'], issuer, now)
  const { payload, protectedHeader } = await jwtVerify(signed(receipts, facts), createLocalJWKSet({ keys: [...receipts.keys] }), {
    issuer,
  })
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'settlement-receipt+jwt', kid: receipts.keys[0]?.kid })
  expect(payload).toEqual({
    iss: issuer,
    iat: 1_795_500_000,
    seq: 6,
    settlement_id: facts.id,
    // The time in its id.
    created_at: 1_763_918_904,
    network: 'eip155:84532',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    payer: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    amount: '1000',
    resource: 'https://merchant.example/weather',
    transaction: facts.txHash,
    log_index: 7,
    block_number: 34_567_890,
    state: 'included',
  })
})

test('the receipts of one second are ordered by their sequence', async () => {
  const receipts = await createReceipts(['a secret of this test'], issuer, now)
  const states = [
    { finality: 'included', version: 3 },
    { finality: 'safe', version: 4 },
    { finality: 'finalized', version: 4 },
    { finality: null, reversed: true, version: 7 },
  ] as const
  const claims = states.map((changed) => decodeJwt(signed(receipts, { ...facts, ...changed })))
  expect(new Set(claims.map(({ iat }) => iat)).size).toBe(1)
  expect(claims.map(({ seq }) => seq)).toEqual([6, 8, 9, 14])
})

test('a payment whose transfer is not on the chain has no receipt; a reversed one is in no block', async () => {
  const receipts = await createReceipts(['a secret of this test'], issuer, now)
  expect(receipts.sign({ ...facts, finality: null })).toBeNull()
  const reversed = decodeJwt(signed(receipts, { ...facts, reversed: true }))
  expect(reversed).toMatchObject({ state: 'reversed', block_number: null, log_index: null, transaction: facts.txHash })
})

test('a receipt of a long URL shows its first 2,048 characters, so that it fits into a header', async () => {
  const receipts = await createReceipts(['a secret of this test'], issuer, now)
  const resource = `https://merchant.example/weather?q=${'x'.repeat(8_000)}`
  const { payload } = await jwtVerify(signed(receipts, { ...facts, resource }), createLocalJWKSet({ keys: [...receipts.keys] }))
  expect(payload.resource).toBe(`${resource.slice(0, 2_048)}…`)
  const { payload: whole } = await jwtVerify(
    signed(receipts, { ...facts, resource: resource.slice(0, 2_048) }),
    createLocalJWKSet({ keys: [...receipts.keys] }),
  )
  expect(whole.resource).toBe(resource.slice(0, 2_048))
})

test('a receipt as of a moment is the same text each time, on every instance, and verifies', async () => {
  const at = new Date('2026-11-24T10:00:00.900Z')
  const [one, other] = await Promise.all([1, 2].map(() => createReceipts(['a secret of this test'], issuer, now)))
  if (!one || !other) throw new Error('two instances')
  const receipt = one.signAsOf(facts, at) ?? ''
  expect([one.signAsOf(facts, at), other.signAsOf(facts, at)]).toEqual([receipt, receipt])
  const { payload } = await jwtVerify(receipt, createLocalJWKSet({ keys: [...one.keys] }))
  expect(payload).toEqual({ ...decodeJwt(signed(one, facts)), iat: Date.parse('2026-11-24T10:00:00Z') / 1_000 })
  expect(one.signAsOf({ ...facts, finality: 'safe' }, at)).not.toBe(receipt)
  expect(one.signAsOf({ ...facts, finality: null }, at)).toBeNull()
})

test('a changed receipt does not verify', async () => {
  const receipts = await createReceipts(['a secret of this test'], issuer, now)
  const [header = '', claims = '', signature = ''] = signed(receipts, facts).split('.')
  const more = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), amount: '1000000' }
  const forged = [header, Buffer.from(JSON.stringify(more)).toString('base64url'), signature].join('.')
  await expect(jwtVerify(forged, createLocalJWKSet({ keys: [...receipts.keys] }))).rejects.toThrow(
    'signature verification failed',
  )
})

test('instances with the same secret publish the same key', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => createReceipts(['the same secret'], issuer, now)))
  expect(one?.keys).toEqual(other?.keys)
  expect((await createReceipts(['another secret'], issuer, now)).keys).not.toEqual(one?.keys)
})

test('after a rotation, receipts of the earlier key verify while its secret is configured', async () => {
  const before = await createReceipts(['earlier'], issuer, now)
  const after = await createReceipts(['newer', 'earlier'], issuer, now)
  const published = createLocalJWKSet({ keys: [...after.keys] })
  for (const receipt of [signed(before, facts), signed(after, facts)])
    expect((await jwtVerify(receipt, published)).payload.iss).toBe(issuer)
  const removed = await createReceipts(['newer'], issuer, now)
  await expect(jwtVerify(signed(before, facts), createLocalJWKSet({ keys: [...removed.keys] }))).rejects.toThrow(
    'no applicable key',
  )
})
