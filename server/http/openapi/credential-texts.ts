/** The credentials, each with the OpenAPI security schemes that it needs together. */
export const credentials = {
  key: {
    title: 'API key in the path',
    tag: 'API key',
    how: "The second segment of the path: `/v1/<API_KEY>/…`. Anyone with the URL can spend the key's quota.",
    schemes: [],
  },
  merchant: {
    title: "Merchant's JWT",
    tag: 'JWT',
    how: "`Authorization: Bearer <JWT>` with a token of the operator's identity provider. A `scope` that names some of ours limits it to these.",
    schemes: ['merchantToken'],
  },
  siwe: {
    title: 'Signed message',
    tag: 'Signature',
    how: 'The headers `X-SIWE-Message` (base64 of the message) and `X-SIWE-Signature`.',
    schemes: ['siweMessage', 'siweSignature'],
  },
  session: {
    title: 'Session token',
    tag: 'Session',
    how: '`Authorization: Bearer st_…` from `POST /api/v1/auth/siwe`, valid for 15 minutes.',
    schemes: ['sessionToken'],
  },
  admin: {
    title: 'Admin key',
    tag: 'Admin key',
    how: '`Authorization: Bearer <ADMIN_KEY>`.',
    schemes: ['adminKey'],
  },
  payment: {
    title: 'Payment',
    tag: 'Payment',
    how: 'The header `PAYMENT-SIGNATURE` (x402 version 2) or `X-PAYMENT` (version 1). Without it the response is a 402 with the offer.',
    schemes: [],
  },
} as const satisfies Record<string, { title: string; tag: string; how: string; schemes: readonly string[] }>

export type CredentialName = keyof typeof credentials

/** What a merchant's JWT may be limited to, by its claim `scope`. */
export const scopes = ['keys:read', 'keys:write', 'webhooks:read', 'webhooks:write', 'history:read', 'analytics:read'] as const

export type Scope = (typeof scopes)[number]
