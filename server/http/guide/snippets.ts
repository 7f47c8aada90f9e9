// Programs and messages that are shown on /docs and in /llms.txt: one text each, with the base URL of the running service.

/** An agent that buys credits, signs in and reads its balance, with the official client. */
export function agentProgram(baseUrl: string): string {
  return `// npm install @x402/fetch @x402/evm viem
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'

const base = '${baseUrl}'
const account = privateKeyToAccount(process.env.PRIVATE_KEY)

// Buy: the client reads the 402, signs a transfer of 1 USDC and repeats the request with it.
const pay = wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer: account }))
const bought = await pay(base + '/api/v1/agent/purchase?credits=1000', { method: 'POST' })
const { endpoint, credits } = await bought.json() // endpoint holds the key: keep it secret

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

/** A server that is paid through this facilitator, with the official middleware. */
export function merchantProgram(facilitatorUrl: string, network = 'eip155:84532'): string {
  return `// npm install express @x402/core @x402/evm @x402/express
import express from 'express'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'

const facilitator = new HTTPFacilitatorClient({ url: '${facilitatorUrl}' })
const payments = new x402ResourceServer(facilitator).register('${network}', new ExactEvmScheme())

const prices = {
  'GET /weather': {
    accepts: { scheme: 'exact', price: '$0.001', network: '${network}', payTo: '0xYourAddress' },
    description: 'The weather, for a tenth of a cent',
  },
}

const app = express()
app.use(paymentMiddleware(prices, payments))
app.get('/weather', (_req, res) => res.json({ weather: 'sunny' }))
app.listen(4022)`
}

/** A client that pays whoever asks for it, with the official wrapper of fetch. */
export function payerProgram(): string {
  return `// npm install @x402/fetch @x402/evm viem
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const pay = wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer: account }))

const answer = await pay('https://merchant.example/weather')
console.log(answer.status, await answer.text())`
}

/** Verify and settle by hand: the payment header as it came, and the requirements that it answers. */
export function settleCommands(facilitatorUrl: string): string {
  return `FACILITATOR='${facilitatorUrl}'

# What is taken here: networks, assets, and what signing them needs.
curl -s "$FACILITATOR/supported"

# $HEADER is the PAYMENT-SIGNATURE or X-PAYMENT that your client sent.
BODY='{
  "paymentPayload": "'"$HEADER"'",
  "paymentRequirements": {
    "scheme": "exact",
    "network": "eip155:84532",
    "amount": "1000",
    "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    "maxTimeoutSeconds": 300,
    "extra": { "name": "USDC", "version": "2" }
  }
}'
curl -s "$FACILITATOR/verify" -H 'content-type: application/json' -d "$BODY"
curl -si "$FACILITATOR/settle" -H 'content-type: application/json' -H 'Idempotency-Key: order-4711' -d "$BODY"

# The answer was lost: look it up by the x-settlement-id, or repeat the identical request.
curl -s "$FACILITATOR/settlements/$SETTLEMENT_ID"`
}

/** The same in Python, as a server would do it. */
export function settleScript(facilitatorUrl: string): string {
  return `# pip install requests
import requests

FACILITATOR = "${facilitatorUrl}"
REQUIREMENTS = {
    "scheme": "exact",
    "network": "eip155:84532",
    "amount": "1000",  # atomic units: 0.001 USDC
    "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    "maxTimeoutSeconds": 300,
    "extra": {"name": "USDC", "version": "2"},
}


def settle(payment_header: str, order: str) -> dict:
    """Settles the payment of a request. Deliver when the answer says success."""
    body = {"paymentPayload": payment_header, "paymentRequirements": REQUIREMENTS}
    headers = {"Idempotency-Key": order}
    while True:
        answer = requests.post(f"{FACILITATOR}/settle", json=body, headers=headers, timeout=30).json()
        # Not known yet: the identical request waits on.
        if answer.get("errorReason") != "settlement_pending":
            return answer`
}

/** Buying, signing in and asking by hand. */
export function agentCommands(baseUrl: string): string {
  return `BASE='${baseUrl}'

# The offer: a 402. PAYMENT-REQUIRED holds it as base64 for clients of version 2, the body for all.
curl -si "$BASE/api/v1/agent/purchase?credits=1000"

# Sign one of accepts, and send the payment. The answer holds the key.
curl -si -X POST "$BASE/api/v1/agent/purchase" -H "PAYMENT-SIGNATURE: $PAYMENT"

# Sign in: $MESSAGE is the text below, $SIGNATURE its signature.
curl -s -X POST "$BASE/api/v1/auth/siwe" \\
  -H "X-SIWE-Message: $(printf %s "$MESSAGE" | base64 | tr -d '\\n')" -H "X-SIWE-Signature: $SIGNATURE"

# Ask, for fifteen minutes, with the token of that answer.
curl -s "$BASE/api/v1/agent/balance" -H "Authorization: Bearer $TOKEN"
curl -s "$BASE/api/v1/agent/history?limit=20" -H "Authorization: Bearer $TOKEN"
curl -s -X PATCH "$BASE/api/v1/agent/config" -H "Authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' -d '{"allowed_networks": ["eip155:8453"]}'`
}

/** The text that a wallet signs, with times of an example. */
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
