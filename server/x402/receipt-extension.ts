/** The name of the extension that carries a signed receipt in settle answers. */
export const RECEIPT_EXTENSION = 'settlement-receipt'

/** The JSON Schema of its `info`: every extension of x402 carries both, and strict parsers refuse one without. */
export const RECEIPT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    receipt: { type: 'string', description: 'A compact JWS (ES256) by a key of /.well-known/jwks.json.' },
    url: { type: 'string', format: 'uri', description: 'The public page of the receipt, for keys with public receipts.' },
  },
  required: ['receipt'],
} as const
