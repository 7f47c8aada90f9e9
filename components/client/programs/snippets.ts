// Example programs and messages for clients, for /docs and /llms.txt, with the base URL of the running service.

/** An agent that buys credits, signs in and reads its balance, with the official client. */
export function agentProgram(baseUrl: string): string {
  return `// npm install @x402/fetch @x402/evm viem
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'

const base = '${baseUrl}'
const account = privateKeyToAccount(process.env.PRIVATE_KEY)

// Buy: the client reads the 402, signs a transfer of 1 test USDC and retries.
// Real money: environment=mainnet.
const client = registerExactEvmScheme(new x402Client(), { signer: account })
const pay = wrapFetchWithPayment(fetch, client)
const bought = await pay(base + '/api/v1/agent/purchase?credits=1000&environment=testnet', { method: 'POST' })
const { endpoint, credits } = await bought.json() // endpoint contains the key: keep it secret

// Call: endpoint is the facilitator URL of any x402 server.
const supported = await (await fetch(endpoint + '/supported')).json()

// Check: a signed message proves the wallet.
const message = createSiweMessage({
  domain: new URL(base).host,
  address: account.address,
  statement: 'Show my balance.',
  uri: base,
  version: '1',
  chainId: 8453,
  nonce: generateSiweNonce(),
  issuedAt: new Date(),
  expirationTime: new Date(Date.now() + 600_000),
})
const headers = {
  'X-SIWE-Message': Buffer.from(message).toString('base64'),
  'X-SIWE-Signature': await account.signMessage({ message }),
}
const balance = await (await fetch(base + '/api/v1/agent/balance', { headers })).json()
console.log(credits, balance.credits_remaining, supported.kinds)`
}

/** A client that pays for a request to a URL, with the official fetch wrapper. */
export function payerProgram(url: string): string {
  return `import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = registerExactEvmScheme(new x402Client(), { signer: account })
const pay = wrapFetchWithPayment(fetch, client)

const answer = await pay('${url}')
console.log(answer.status, await answer.text())`
}

/** A client that signs a maximum, and reads what was charged. */
export function usagePayerProgram(url: string): string {
  return `// npm install @x402/fetch @x402/evm viem
import { UptoEvmScheme } from '@x402/evm/upto/client'
import {
  decodePaymentResponseHeader,
  wrapFetchWithPayment,
  x402Client,
} from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const client = new x402Client()
  .register('eip155:*', new UptoEvmScheme(account))
const pay = wrapFetchWithPayment(fetch, client)

const answer = await pay('${url}')
const paid = decodePaymentResponseHeader(
  answer.headers.get('PAYMENT-RESPONSE'),
)
console.log(paid.amount, await answer.text())`
}

/** Buying credits, signing in and reading the balance by hand. */
export function agentCommands(baseUrl: string): string {
  return `BASE='${baseUrl}'

# The offer: a 402. The body has it for all clients,
# PAYMENT-REQUIRED as base64 for clients of version 2.
curl -si "$BASE/api/v1/agent/purchase?credits=1000&environment=testnet"

# Sign one of accepts and send the payment. The response contains the key.
curl -si -X POST "$BASE/api/v1/agent/purchase" \\
  -H "PAYMENT-SIGNATURE: $PAYMENT"

# Sign in: $MESSAGE is the signed text from above, $SIGNATURE its signature.
# The response contains the token.
TOKEN=$(curl -s -X POST "$BASE/api/v1/auth/siwe" \\
  -H "X-SIWE-Message: $(printf %s "$MESSAGE" | base64 | tr -d '\\n')" \\
  -H "X-SIWE-Signature: $SIGNATURE" \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')

# Use the token for 15 minutes.
curl -s "$BASE/api/v1/agent/balance" -H "Authorization: Bearer $TOKEN"
curl -s "$BASE/api/v1/agent/history?limit=20" -H "Authorization: Bearer $TOKEN"
curl -s -X PATCH "$BASE/api/v1/agent/config" \\
  -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"allowed_networks": ["eip155:8453"]}'`
}

/** A merchant's history and analytics by hand. */
export function merchantCommands(baseUrl: string): string {
  return `BASE='${baseUrl}'
# $TOKEN is a JWT of the identity provider.

# The settlements of your keys, newest first.
curl -s "$BASE/api/me/history?limit=20" -H "Authorization: Bearer $TOKEN"

# Sums of the last 30 completed UTC days.
curl -s "$BASE/api/me/analytics?days=30" -H "Authorization: Bearer $TOKEN"`
}

/** Makes a merchant's key as it is described, also when it is there already. */
export function keyCommands(baseUrl: string): string {
  return `# Makes the key "shop" or changes it: run it as often as you like. $TOKEN as above, or the headers of a wallet.
KEYS='${baseUrl}/api/me/keys'
SETTINGS='{
  "name": "shop",
  "allowed_networks": ["eip155:84532"],
  "max_amount": "5000000",
  "second_charge_seconds": 60
}'
send() { curl -fsS -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' "$@"; }
find='({ keys }) => keys.find(({ name, revoked_at }) => name === "shop" && !revoked_at)?.id ?? ""'

ID=$(send "$KEYS" | node -p "($find)(JSON.parse(require('fs').readFileSync(0, 'utf8')))")
if [ -z "$ID" ]; then
  # Its api_key is in this answer and nowhere else.
  send "$KEYS" -d "$SETTINGS"
else
  send "$KEYS/$ID" -X PATCH -d "$SETTINGS"
fi`
}

/** All settlements of a merchant's keys, page by page. */
export function historyProgram(baseUrl: string): string {
  return `// TOKEN=… node settlements.mjs
import { setTimeout as delay } from 'node:timers/promises'

const history = new URL('${baseUrl}/api/me/history?limit=100')
const headers = { Authorization: 'Bearer ' + process.env.TOKEN }

for (;;) {
  const answer = await fetch(history, { headers })
  // Too many requests: later it goes on.
  if (answer.status === 429) {
    await delay(1_000 * answer.headers.get('retry-after'))
    continue
  }
  if (!answer.ok) throw new Error(await answer.text())
  const { settlements, cursor, has_more } = await answer.json()
  for (const { created_at, success, payer_amount, network, tx_hash } of settlements) {
    console.log(created_at, success ? 'paid' : 'failed', payer_amount, network, tx_hash)
  }
  if (!has_more) break
  history.searchParams.set('cursor', cursor)
}`
}

/** The text that a wallet signs, with example times. */
export function signInMessage(baseUrl: string, wallet: 'Ethereum' | 'Solana'): string {
  const { host, origin } = new URL(baseUrl)
  const [address, chain] =
    wallet === 'Ethereum'
      ? ['0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', '8453']
      : ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', 'mainnet']
  return `${host} wants you to sign in with your ${wallet} account:
${address}

Show my balance.

URI: ${origin}
Version: 1
Chain ID: ${chain}
Nonce: 32891756abcd
Issued At: 2026-11-21T12:00:00Z
Expiration Time: 2026-11-21T12:10:00Z`
}
