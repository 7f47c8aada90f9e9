import { createReceipts, type ReceiptFacts } from '../../../server/payments/receipts'
import { exampleMessage } from '../../../server/webhooks/example'
import { paymentKey } from '../../quittance/src/payment-key'

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

/** What the service signs, for the cases of the Python package: good and bad receipts, a webhook, and the names of payments. */
export async function pythonCases() {
  const at = () => 1_795_500_000n
  const [ours, unknown, elsewhere] = await Promise.all([
    createReceipts(['one'], BASE, at),
    createReceipts(['two'], BASE, at),
    createReceipts(['one'], 'https://other.example', at),
  ])
  const receipt = ours.sign(facts) ?? ''
  const withHead = (change: object) => {
    const [head = '', ...rest] = receipt.split('.')
    const changed = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...change }
    return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.')
  }
  const { headers, body, secret } = exampleMessage()
  const authorization = { from: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', nonce: `0x${'0A'.repeat(32)}` }
  const transaction = Buffer.concat([Buffer.from([1]), Buffer.alloc(64, 3), Buffer.from('message')]).toString('base64')
  const payloads = [
    { authorization },
    { permit2Authorization: { ...authorization, nonce: '255' } },
    { transaction },
    { authorization: { from: 'x', nonce: '1' } },
    {},
  ].map((payload) => ({ x402Version: 2, payload }))
  return {
    receipt,
    keySet: ours.keys,
    badReceipts: [
      [ours.sign({ ...facts, reversed: true }), 'the chain took this payment back'],
      [withHead({ alg: 'none' }), 'it is no JWS with ES256'],
      [withHead({ typ: 'JWT' }), 'its type is not settlement-receipt+jwt'],
      [withHead({ more: 1 }), 'its signature does not hold'],
      [unknown.sign(facts), 'its facilitator publishes no key with this kid'],
      [elsewhere.sign(facts), 'its issuer is https://other.example, not https://pay.example'],
      ['receipt', 'it is no JWS'],
    ],
    webhook: { headers, body, secret },
    keys: payloads.map((payload) => [payload, paymentKey(payload)]),
  }
}
