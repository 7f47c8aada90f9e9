import type { NetworkId } from '@/server/x402/networks/networks'

// Example programs for the catalog: listing a resource, and calling one.

/** A route that declares itself, with the official middleware. It replaces `prices` in the program of a merchant. */
export function discoverableRoute(network: NetworkId = 'eip155:8453'): string {
  return `import { declareDiscoveryExtension } from '@x402/extensions/bazaar'

const prices = {
  'GET /weather': {
    // New: how to call the route
    extensions: declareDiscoveryExtension({
      input: { city: 'Lisbon' },
      inputSchema: {
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
      output: { example: { weather: 'sunny' } },
    }),
    accepts: {
      scheme: 'exact',
      price: '$0.001',
      network: '${network}',
      payTo: '0xYourAddress',
    },
    description: 'The weather, for a tenth of a cent',
    mimeType: 'application/json',
  },
}`
}

/** A call of a resource, as its merchant declared it. `body` is null without one. */
type Call = { url: string; method: string; body: object | null }

/** A call by hand, which returns 402 and the price. Untrusted text is quoted for the shell. */
export function callCommand({ url, method, body }: Call): string {
  const sent = body === null ? '' : ` \\\n  -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`
  return `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}${sent}`
}

/** The client of a network's family, of payments up to a maximum, or through a channel: the first part of the purchase. */
export function payerSetup(kind: 'evm' | 'svm' | 'upto' | 'channel'): string {
  return PAYERS[kind]
}

/** The command that installs the packages of that client. */
export function payerInstall(family: 'evm' | 'svm'): string {
  return INSTALLS[family]
}

/**
 * The purchase with that client, the second part: our code and the text of the merchant in turns, because only ours may be colored.
 * Untrusted text is quoted here too.
 */
export function callProgram({ url, method, body }: Call): readonly [string, ...string[]] {
  const opening = '\n\nconst answer = await pay('
  const ending = ')\nconsole.log(answer.status, await answer.text())'
  const place = JSON.stringify(url)
  if (method === 'GET') return [opening, place, ending]
  const options = [', {\n  method: ', JSON.stringify(method)]
  if (body === null) return [opening, place, ...options, `,\n}${ending}`]
  return [opening, place, ...options, SENDING, JSON.stringify(body), `),\n}${ending}`]
}

const SENDING = `,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(`

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const INSTALLS = {
  evm: 'npm install @x402/fetch @x402/evm viem',
  svm: 'npm install @x402/fetch @x402/svm @solana/kit @scure/base',
} as const

const CLIENT = "import { wrapFetchWithPayment, x402Client } from '@x402/fetch'"

/** A program that pays by one scheme of the official package for EVM networks. */
const evmPayer = (name: string, scheme: string) => `import { ${name} } from '@x402/evm/${scheme}/client'
${CLIENT}
import { privateKeyToAccount } from 'viem/accounts'

const signer = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = new x402Client()
client.register('eip155:*', new ${name}(signer))
const pay = wrapFetchWithPayment(fetch, client)`

const PAYERS = {
  evm: `import { registerExactEvmScheme } from '@x402/evm/exact/client'
${CLIENT}
import { privateKeyToAccount } from 'viem/accounts'

const signer = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = new x402Client()
registerExactEvmScheme(client, { signer })
const pay = wrapFetchWithPayment(fetch, client)`,
  upto: evmPayer('UptoEvmScheme', 'upto'),
  channel: evmPayer('BatchSettlementEvmScheme', 'batch-settlement'),
  svm: `import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
${CLIENT}
import { registerExactSvmScheme } from '@x402/svm/exact/client'

const signer = await createKeyPairSignerFromBytes(base58.decode(process.env.PRIVATE_KEY))
const client = new x402Client()
registerExactSvmScheme(client, { signer })
const pay = wrapFetchWithPayment(fetch, client)`,
} as const
