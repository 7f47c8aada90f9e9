import { describe, expect, test } from 'vitest'
import { alertsOf } from './attention'
import type { OperationsStatus, Sender } from './operations-status'

const BASE = 'eip155:8453'
const endpoint = { status: 'fit', calls: 9, failed: 0, medianMs: 12 } as const
const healthy: OperationsStatus['networks'][number] = {
  network: BASE,
  tiers: ['standard'],
  nodes: 'answers',
  block: null,
  queue: null,
  signers: 1,
  contradiction: null,
  mints: [],
  factories: [],
  endpoints: [endpoint, endpoint],
}
const calm: OperationsStatus = {
  networks: [healthy],
  stuck: [],
  quarantined: 0,
  webhooks: [],
  channels: [],
  screening: { production: 'answers', sandbox: 'off' },
}
const signer: Sender = {
  network: BASE,
  address: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  laneClass: 'production',
  status: 'ready',
  balance: '1',
  runwayDays: 40,
  topUp: '0',
}

describe('what needs care', () => {
  test('is what merchants charged of channels and may lose', () => {
    const channels = [{ network: BASE, unclaimed: 9, withdrawing: 2, unclaimable: 1 }]
    expect(alertsOf({ ...calm, channels }, []).map(({ tone, text }) => [tone, text])).toEqual([
      ['bad', 'What was charged of 1 channel of Base cannot be claimed.'],
      ['warn', '2 payers of Base withdraw from channels with unclaimed vouchers.'],
    ])
  })

  test('is a network that is refused, with the way to the reason', () => {
    const refused = { ...healthy, nodes: 'silent', contradiction: 'no contract at USDC 0xabc: set the address' } as const
    expect(alertsOf({ ...calm, networks: [refused] }, [])).toMatchObject([
      { tone: 'bad', text: 'Base is refused: nothing settles there.', href: `/console/networks#${BASE}` },
    ])
  })

  test('is nothing while all is well, screening is off and nothing was spent', () => {
    expect(alertsOf(calm, [signer, { ...signer, runwayDays: null }])).toEqual([])
  })

  test('is what refuses payments first, each with the way to where it is mended', () => {
    const stuck = {
      id: 'a',
      network: BASE,
      state: 'CLAIMED',
      tenantId: 'b',
      payer: '0x1',
      amount: '1',
      symbol: 'USDC',
      createdAt: '',
    } as const
    const webhook = { id: 'w', ownerId: 'acme', host: 'hooks.acme.com', waiting: 1, since: '' }
    const operations: OperationsStatus = {
      stuck: [stuck, stuck],
      channels: [],
      quarantined: 1,
      webhooks: [webhook],
      networks: [{ ...healthy, endpoints: [endpoint, { ...endpoint, status: 'silent' }] }],
      screening: { production: 'silent', sandbox: 'off' },
    }
    const signers: Sender[] = [
      { ...signer, runwayDays: 2, topUp: '51234567890123456' },
      { ...signer, status: 'low balance', topUp: null },
    ]
    expect(alertsOf(operations, signers).map(({ tone, text, href }) => [tone, text, href])).toEqual([
      ['bad', 'Screening is unreachable: production payments are refused.', '/console/networks#screening'],
      ['bad', 'The signer 0x2096…287C on Base has too little gas to send. Fund it:', `/console/networks#${BASE}`],
      ['bad', '1 signer is quarantined: it signs nothing until you release it.', '/console/networks#quarantined'],
      ['warn', '1 of 2 RPC endpoints of Base cannot be used.', `/console/networks#${BASE}`],
      ['warn', 'The signer 0x2096…287C on Base has gas for 2 days. For 30 days, send 0.052 ETH to', `/console/networks#${BASE}`],
      ['warn', '2 settlements are pending for over a minute.', '/console/networks#pending'],
      ['warn', 'The webhook hooks.acme.com of acme fails: 1 delivery is being retried.', '/console/tenants?search=acme'],
    ])
  })

  test('names a signer once for the same trouble, with all its networks', () => {
    const POLYGON = 'eip155:137'
    const low = { ...signer, status: 'low balance', topUp: '2000000000000000000' } as const
    const signers: Sender[] = [
      low,
      { ...signer, runwayDays: 2 },
      { ...low, network: POLYGON, topUp: '3100000000000000000' },
      { ...low, address: `0x${'ab'.repeat(20)}` },
    ]
    const other = `0x${'ab'.repeat(20)}`
    const ofBoth = 'For 30 days, send 2 ETH on Base and 3.1 ETH on Polygon to'
    expect(alertsOf(calm, signers).map(({ text, copies }) => [text, copies])).toEqual([
      [`The signer 0x2096…287C on Base and Polygon has too little gas to send. ${ofBoth}`, signer.address],
      ['The signer 0xabab…abab on Base has too little gas to send. For 30 days, send 2 ETH to', other],
      ['The signer 0x2096…287C on Base has gas for 2 days. Fund it:', signer.address],
    ])
  })

  test('says once that a network without an answering endpoint settles nothing', () => {
    const networks: OperationsStatus['networks'] = [
      { ...healthy, nodes: 'silent', endpoints: [{ ...endpoint, status: 'silent' }] },
    ]
    expect(alertsOf({ ...calm, networks }, []).map(({ text }) => text)).toEqual([
      'No RPC endpoint of Base answers: no payment settles there.',
    ])
  })
})
