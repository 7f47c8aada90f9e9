import { displayAddress } from '../../../server/x402/addresses'
import { mainAsset } from '../../../server/x402/networks/networks'
import { RECEIPT_EXTENSION, RECEIPT_SCHEMA } from '../../../server/x402/receipt-extension'
import type { Sale } from './merchants'

// What a reader sees after each step of the quick start. A test compares it with what a running program and service send.

/** The characters of a long header that the page shows. */
const SHOWN = 44

const shortened = (value: object): string => `${btoa(JSON.stringify(value)).slice(0, SHOWN)}…`

/** The offer that the middleware sends in PAYMENT-REQUIRED. */
export function shownOffer({ network, payTo }: Sale, url: string): object {
  const { address: asset, domain } = mainAsset(network)
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'The weather, for a tenth of a cent', mimeType: '' },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount: '1000',
        asset: displayAddress(asset),
        payTo,
        maxTimeoutSeconds: 300,
        extra: { name: domain.name, version: domain.version },
      },
    ],
  }
}

/** The receipt that the middleware sends in PAYMENT-RESPONSE, with an example payer and transaction. */
export function shownReceipt({ network }: Sale) {
  return {
    success: true,
    payer: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    transaction: '0x5cde1b4c1d1f0a4b3e9f3a4c2d4e66c3f0c19b7a5d0be1d3a36b1c9f2a7e8d01',
    network,
    amount: '1000',
    extensions: {
      [RECEIPT_EXTENSION]: {
        info: { receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwIn0.c2lnbmF0dXJl' },
        schema: RECEIPT_SCHEMA,
      },
    },
    extra: {
      blockNumber: 38_412_077,
      logIndex: 12,
      payer: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      nonce: '0x5f0c19b7a5d0be1d3a36b1c9f2a7e8d015cde1b4c1d1f0a4b3e9f3a4c2d4e66c',
      finality: 'included',
    },
  }
}

/** The first fields of that receipt, which say what was paid. */
export function shownOutcome(sale: Sale): object {
  const { extensions: _, extra: __, ...outcome } = shownReceipt(sale)
  return outcome
}

/** The answer to a request without a payment: its status line, the offer and its body. */
export function unpaidAnswer(sale: Sale, url: string): string {
  return `HTTP/1.1 402 Payment Required
Content-Type: application/json; charset=utf-8
PAYMENT-REQUIRED: ${shortened(shownOffer(sale, url))}

{}`
}

/** The answer to the paid request. */
export function paidAnswer(sale: Sale): string {
  return `HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8
PAYMENT-RESPONSE: ${shortened(shownReceipt(sale))}

{"weather":"sunny"}`
}
