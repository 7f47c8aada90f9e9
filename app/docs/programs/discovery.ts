// Example programs for the catalog: listing a resource, and calling one.

/** A route that declares itself, with the official middleware. */
export function discoverableRoute(): string {
  return `// npm install @x402/extensions
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'

const prices = {
  'GET /weather': {
    accepts: {
      scheme: 'exact',
      price: '$0.001',
      network: 'eip155:8453',
      payTo: '0xYourAddress',
    },
    description: 'The weather, for a tenth of a cent',
    mimeType: 'application/json',
    extensions: declareDiscoveryExtension({
      input: { city: 'Lisbon' },
      inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
      output: { example: { weather: 'sunny' } },
    }),
  },
}`
}

/** A call of a resource, as its merchant declared it. `body` is null without one. */
export type Call = { url: string; method: string; body: object | null }

/** A call by hand, which returns 402 and the price. Untrusted text is quoted for the shell. */
export function callCommand({ url, method, body }: Call): string {
  const sent = body === null ? '' : ` \\\n  -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`
  return `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}${sent}`
}

/** The client of a network's family, the first part of the purchase. */
export function payerSetup(family: 'evm' | 'svm'): string {
  return PAYERS[family]
}

/** The purchase with that client, the second part. Untrusted text is quoted here too. */
export function callProgram({ url, method, body }: Call): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(body === null
      ? []
      : [`headers: { 'content-type': 'application/json' }`, `body: JSON.stringify(${JSON.stringify(body)})`]),
  ]
  const written = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  return `

const answer = await pay(${JSON.stringify(url)}${written})
console.log(answer.status, await answer.text())`
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const PAYERS = {
  evm: `// npm install @x402/fetch @x402/evm viem
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const signer = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = registerExactEvmScheme(new x402Client(), { signer })
const pay = wrapFetchWithPayment(fetch, client)`,
  svm: `// npm install @x402/fetch @x402/svm @solana/kit @scure/base
import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { registerExactSvmScheme } from '@x402/svm/exact/client'

const signer = await createKeyPairSignerFromBytes(base58.decode(process.env.PRIVATE_KEY))
const client = registerExactSvmScheme(new x402Client(), { signer })
const pay = wrapFetchWithPayment(fetch, client)`,
} as const
