import { expect, test } from 'vitest'
import { pictureWords, receiptPicture } from './picture'

const claims = {
  iss: 'https://pay.example',
  iat: 1_795_500_000,
  seq: 7,
  settlement_id: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
  created_at: 1_795_499_000,
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payer: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  amount: '1250000',
  resource: 'https://weather.example/v1/forecast?city=Lisbon&token=s3cret',
  transaction: `0x${'ab'.repeat(32)}`,
  log_index: 7,
  block_number: 34_567_890,
  state: 'finalized',
}
const receiptOf = (said: object) => `e30.${Buffer.from(JSON.stringify(said)).toString('base64url')}.c2ln`

test('the picture of a receipt says who was paid and how much, and no address, path or transaction', () => {
  expect(pictureWords(receiptOf(claims))).toEqual({
    merchant: 'weather.example',
    amount: '1.25 USDC',
    state: 'Final',
    network: 'Base Sepolia',
    isTest: true,
  })
  expect(pictureWords(receiptOf({ ...claims, state: 'reversed', resource: '天気' }))).toMatchObject({
    merchant: 'A paid request',
    state: 'Reversed',
  })
})

test('the picture of a receipt of test money says so, as its page does', () => {
  expect(pictureWords(receiptOf({ ...claims, network: 'eip155:80002' }))).toMatchObject({ isTest: true })
  expect(pictureWords(receiptOf({ ...claims, network: 'eip155:8453' }))).toMatchObject({ isTest: false })
})

test('it is drawn as PNG, once for the same words', async () => {
  const picture = await receiptPicture(receiptOf(claims))
  expect([...new Uint8Array(picture ?? new ArrayBuffer(0)).slice(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  expect(await receiptPicture(receiptOf(claims))).toBe(picture)
})
