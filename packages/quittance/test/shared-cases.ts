import { createReceipts, type ReceiptFacts } from '../../../server/payments/receipts'
import { exampleMessage } from '../../../server/webhooks/example'
import type { Settlement } from '../src/answers'

// What the packages of each language must do alike, as JSON.

export const SERVICE_BASE = 'https://pay.example'

/** A payment of which receipts are made. */
export const facts: ReceiptFacts = {
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

/** A receipt of `SERVICE_BASE`, the keys that it publishes, and receipts that prove no payment, each with its name and what is said of it. */
export async function receiptCases() {
  const at = () => 1_795_500_000n
  const [ours, unknown, elsewhere] = await Promise.all([
    createReceipts(['one'], SERVICE_BASE, at),
    createReceipts(['two'], SERVICE_BASE, at),
    createReceipts(['one'], 'https://other.example', at),
  ])
  const receipt = ours.sign(facts) ?? ''
  const withHead = (change: object) => {
    const [head = '', ...rest] = receipt.split('.')
    const changed = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...change }
    return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.')
  }
  const bad: [string, string | null, string][] = [
    ['a payment that the chain took back', ours.sign({ ...facts, reversed: true }), 'the chain took this payment back'],
    ['another algorithm', withHead({ alg: 'none' }), 'it is not a JWS with ES256'],
    ['another type of token', withHead({ typ: 'JWT' }), 'its type is not settlement-receipt+jwt'],
    ['a changed header', withHead({ more: 1 }), 'its signature does not match'],
    ['an unknown key', unknown.sign(facts), 'its facilitator publishes no key with this kid'],
    ['another issuer', elsewhere.sign(facts), 'its issuer is https://other.example, not https://pay.example'],
    ['another text', 'receipt', 'it is not a JWS'],
  ]
  return { receipt, keySet: ours.keys, bad }
}

/** A message of a webhook, and changes after which it is refused, each with its name and what is said of it. */
export function webhookCases() {
  const message = exampleMessage()
  const { headers, body, secret } = message
  const bad: [string, { body?: string; headers?: Record<string, string>; later?: number }, string][] = [
    ['a changed body', { body: `${body} ` }, 'no signature matches'],
    ['an old message', { later: 301 }, 'its time is too far from the clock'],
    ['a message without headers', { headers: {} }, 'a header of Standard Webhooks is missing'],
    ['another version of signatures', { headers: { ...headers, 'webhook-signature': 'v2,AAAA' } }, 'no signature matches'],
    ['a time of other text', { headers: { ...headers, 'webhook-timestamp': 'soon' } }, 'its time is too far from the clock'],
  ]
  const shortSecrets = ['', 'whsec_', `whsec_${Buffer.alloc(23, 1).toString('base64')}`]
  return { headers, body, secret, bad, shortSecrets }
}

const settlement: Settlement = {
  id: facts.id,
  state: 'succeeded',
  reason: null,
  message: null,
  transaction: `0x${'ab'.repeat(32)}`,
  network: facts.network,
  amount: facts.amount,
  resource: facts.resource,
  payer: facts.payer,
  pay_to: facts.payTo,
  created_at: '2026-11-27T12:00:00.000Z',
  nonce: `0x${'0a'.repeat(32)}`,
  block_number: 12,
  log_index: 7,
  finality: 'included',
  receipt: null,
}

/** What is asked for, a settlement, and whether it paid that. */
export function termCases() {
  const { network, amount, asset, payTo, resource } = facts
  const terms = { scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds: 60, extra: {} }
  const signed = { authorization: { from: facts.payer, nonce: `0x${'0a'.repeat(32)}` }, signature: '0x01' }
  const version2 = { x402Version: 2, accepted: terms, payload: signed, resource: { url: resource } }
  const { amount: maxAmountRequired, ...version1 } = { ...terms, resource, description: '', mimeType: '' }
  const elsewhere = 'https://merchant.example/report'
  const cases: [name: string, payload: object, requirements: object, settlement: Settlement, fits: boolean][] = [
    ['the same', version2, terms, settlement, true],
    ['the same in version 1', { ...version2, resource: undefined }, { ...version1, maxAmountRequired }, settlement, true],
    ['no resource in the payment', { ...version2, resource: undefined }, terms, settlement, true],
    ['no resource in the settlement', version2, terms, { ...settlement, resource: '' }, true],
    ['another resource', { ...version2, resource: { url: elsewhere } }, terms, settlement, false],
    ['another resource of the server', version2, { ...version1, maxAmountRequired, resource: elsewhere }, settlement, false],
    ['another payee', version2, { ...terms, payTo: facts.payer }, settlement, false],
    ['a higher price', version2, { ...terms, amount: '1001' }, settlement, false],
    ['another network', version2, { ...terms, network: 'eip155:8453' }, settlement, false],
  ]
  return { terms, signed, settlement, cases }
}

const from = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const ofForm = (form: string, value: unknown) => ({ x402Version: 2, payload: { [form]: value } })
const ofSolana = (signatures: number, byte: number) => {
  const raw = [Buffer.from([signatures]), Buffer.alloc(64 * signatures, byte), Buffer.from('message')]
  return ofForm('transaction', Buffer.concat(raw).toString('base64'))
}

/** Payloads, the same payment written in several ways in each row. */
export const ONE_PAYMENT = [
  [
    ofForm('authorization', { from, nonce: `0x${'0A'.repeat(32)}` }),
    ofForm('authorization', { from: from.toLowerCase(), nonce: `0x${'0a'.repeat(32)}` }),
  ],
  [ofForm('permit2Authorization', { from, nonce: '255' }), ofForm('permit2Authorization', { from, nonce: '0xff' })],
  [ofForm('authorization', { from, nonce: `0x${'ff'.padStart(64, '0')}` })],
  // The signatures are not part of what was signed.
  [ofSolana(2, 0), ofSolana(2, 7), ofSolana(1, 3)],
]

/** Payloads of no form that the packages know. */
export const UNNAMED = [ofForm('authorization', { from: 'x', nonce: '1' }), ofForm('other', {}), { x402Version: 2, payload: {} }]

/** What is asked of a configuration, with `FACILITATOR_URL` a sandbox of `SERVICE_BASE`, and its URL; null where it is refused. */
export const CONFIGURED: { key?: string; url?: string; flash?: boolean; becomes: string | null }[] = [
  { becomes: `${SERVICE_BASE}/sandbox` },
  { key: 'qt_key', becomes: `${SERVICE_BASE}/v1/qt_key` },
  { key: 'qt_key', flash: true, becomes: `${SERVICE_BASE}/v1/qt_key/flash` },
  ...['http://localhost:3000', 'http://localhost:3000/v1/qt_old/flash', 'http://localhost:3000/sandbox/'].flatMap((url) => [
    { key: 'qt_key', url, becomes: 'http://localhost:3000/v1/qt_key' },
    { url, becomes: 'http://localhost:3000/sandbox' },
  ]),
  { key: 'qt/../x', becomes: null },
  { key: 'qt_key\n', becomes: null },
  { key: 'qt_key', url: 'pay.example', becomes: null },
  { flash: true, becomes: null },
]
