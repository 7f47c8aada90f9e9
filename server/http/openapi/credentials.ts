import { credentials } from './credential-texts'

const bearer = (description: string, bearerFormat?: string) => ({
  type: 'http',
  scheme: 'bearer',
  description,
  ...(bearerFormat === undefined ? {} : { bearerFormat }),
})
const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

/** `components.securitySchemes`. OpenAPI has no scheme for a key in the path, so the API key is only the parameter `key`. */
export const securitySchemes = {
  merchantToken: bearer(credentials.merchant.how, 'JWT'),
  siweMessage: header('X-SIWE-Message', 'Base64 of the signed message (EIP-4361, or the same text with "Solana account:").'),
  siweSignature: header('X-SIWE-Signature', 'The signature as 0x and hex digits; Solana signatures also in base58.'),
  sessionToken: bearer(credentials.session.how),
  adminKey: bearer(credentials.admin.how),
} as const
