import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Proofs } from './proofs'
import type { SlipFacts } from './slip-facts'

const facts: SlipFacts = {
  amount: '1000',
  maximum: null,
  symbol: 'USDC',
  decimals: 6,
  asset: null,
  network: 'eip155:8453',
  payer: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  resource: 'https://shop.test/weather',
  transaction: `0x${'ab'.repeat(32)}`,
  block: '12',
  logIndex: 1,
  state: 'finalized',
  at: '2026-11-23T14:05:09.123Z',
  settlementId: null,
}
const shown = (change: Partial<SlipFacts>) =>
  renderToStaticMarkup(<Proofs receipt="a.b.c" issuer="https://pay.example" facts={{ ...facts, ...change }} />)

test('only the check calls a signature valid, and it names the host that signed', () => {
  const page = shown({})
  expect(page).toContain('Checking the signature…')
  expect(page).toContain('Signed by pay.example')
  expect(page).not.toContain('Signature valid')
})

test('only what is in a block is called on the chain, and test money has no real value', () => {
  expect(shown({})).toMatch(/Final.*Block 12\..*This payment is on the chain/s)
  expect(shown({ state: 'reversed' })).not.toContain('This payment is on the chain')
  expect(shown({ state: 'preconfirmed', block: null })).not.toContain('This payment is on the chain')
  expect(shown({})).not.toContain('Test money')
  expect(shown({ network: 'eip155:84532' })).toContain('no real value')
})
