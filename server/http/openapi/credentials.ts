/** Who may ask, each as OpenAPI's security schemes that must be there together. */
export const credentials = {
  key: {
    title: 'API key in the path',
    how: 'The second segment of the path: `/v1/<API_KEY>/…`. Whoever has the URL can spend the key’s quota.',
    schemes: [],
  },
  merchant: {
    title: 'Merchant’s JWT',
    how: '`Authorization: Bearer <JWT>` of the identity provider that the operator configured.',
    schemes: ['merchantToken'],
  },
  siwe: {
    title: 'Signed message',
    how: 'The headers `X-SIWE-Message` (base64 of the message) and `X-SIWE-Signature`.',
    schemes: ['siweMessage', 'siweSignature'],
  },
  session: {
    title: 'Session token',
    how: '`Authorization: Bearer st_…` from `POST /api/v1/auth/siwe`, good for 15 minutes.',
    schemes: ['sessionToken'],
  },
  admin: {
    title: 'Admin key',
    how: '`Authorization: Bearer <ADMIN_KEY>`.',
    schemes: ['adminKey'],
  },
  payment: {
    title: 'Payment',
    how: 'The header `PAYMENT-SIGNATURE` (x402 version 2) or `X-PAYMENT` (version 1). Without it the answer is 402 with the offer.',
    schemes: [],
  },
} as const satisfies Record<string, { title: string; how: string; schemes: readonly string[] }>

export type CredentialName = keyof typeof credentials

const bearer = (description: string, bearerFormat?: string) => ({
  type: 'http',
  scheme: 'bearer',
  description,
  ...(bearerFormat === undefined ? {} : { bearerFormat }),
})
const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

/** `components.securitySchemes`. An API key is a part of the path, for which OpenAPI has no scheme: it is the parameter `key` only. */
export const securitySchemes = {
  merchantToken: bearer(credentials.merchant.how, 'JWT'),
  siweMessage: header('X-SIWE-Message', 'Base64 of the signed message (EIP-4361, or the same text with "Solana account:").'),
  siweSignature: header('X-SIWE-Signature', '0x and the hex digits of the signature; of Solana also base58.'),
  sessionToken: bearer(credentials.session.how),
  adminKey: bearer(credentials.admin.how),
} as const
