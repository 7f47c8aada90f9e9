import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Card } from './cards'

const row = {
  id: '01a21418-36c4-7567-9c0c-104027f5f4ad',
  settlementId: null,
  createdAt: '2026-11-25T19:04:20.000Z',
  success: true,
  amount: '1000',
  maximum: null,
  asset: 'USDC',
  decimals: 6,
  network: 'eip155:8453',
  payer: '0x01',
  payTo: '0x02',
  payToName: null,
  resource: 'https://shop.test/weather',
  resourceName: null,
  txHash: '0x03',
  errorReason: null,
  reasonTitle: null,
  plan: 'growth',
  tenantId: '00000000-0000-4000-8000-000000000001',
  keyName: 'A key with a long name',
  agents: [],
}

const textOf = (owner: { kind: string; id: string } | null, changes: object = {}, withOutcome = true) =>
  renderToStaticMarkup(<Card row={{ ...row, owner, ...changes }} places={3} withOutcome={withOutcome} open={() => {}} href="#" />)

test('a narrow screen of the console names the owner and the network, and leaves the key to the details', () => {
  expect(textOf({ kind: 'oidc', id: 'alice' })).toContain('alice · Base<')
  expect(textOf(null)).toContain('>Base<')
})

test('a failure on a narrow screen says its reason first', () => {
  const failed = { success: false, reasonTitle: 'Insufficient funds', errorReason: 'insufficient_funds', txHash: '' }
  expect(textOf({ kind: 'system', id: 'quittance' }, failed)).toContain('Insufficient funds · Operator · Base<')
  expect(textOf(null, failed, false)).toMatch(/>Insufficient funds<.*>\/weather<.*>shop\.test · Base</)
})
