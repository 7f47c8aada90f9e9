import { expect } from 'vitest'
import { RECEIPT_SCHEMA } from '../../../server/x402/receipt-extension'

const HASH = /^0x[0-9a-f]{64}$/

/** The signed receipt that every landed answer carries. */
export const RECEIPT = expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/)

/** The body of a landed payment of 1,000 atomic units on an EVM network. */
export const landedBody = (of: { network: string; payer: string; transaction?: unknown }) => ({
  transaction: expect.stringMatching(HASH),
  ...of,
  success: true,
  amount: '1000',
  extra: {
    blockNumber: expect.any(Number),
    logIndex: expect.any(Number),
    payer: of.payer,
    nonce: expect.stringMatching(HASH),
    finality: 'included',
  },
  extensions: { 'settlement-receipt': { info: { receipt: RECEIPT }, schema: RECEIPT_SCHEMA } },
})

/** Where a landed settlement is, as lookups say it. */
export const PLACE = {
  nonce: expect.stringMatching(HASH),
  block_number: expect.any(Number),
  log_index: expect.any(Number),
  finality: 'included',
  receipt: RECEIPT,
}
