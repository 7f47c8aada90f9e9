import { inDecimals } from '../../../server/x402/networks/amounts'
import { type EvmNetworkId, isEvmNetwork, mainAsset, type NetworkId } from '../../../server/x402/networks/networks'

// Example programs that sell, for /docs and the quick start. A test runs each of them.

/** The values of a program: the facilitator URL with its key, the network, and the wallet to pay. */
export type Sale<Network extends NetworkId = EvmNetworkId> = { url: string; network: Network; payTo: string }

type AnySale = Sale<NetworkId>

/** The values for a reader without a key and an address. */
export const sandboxSale = (baseUrl: string): Sale => ({
  url: `${baseUrl}/sandbox`,
  network: 'eip155:84532',
  payTo: '0xYourAddress',
})

/** The official scheme of a network and its package. */
const schemeOf = ({ network }: AnySale) =>
  isEvmNetwork(network) ? { scheme: 'ExactEvmScheme', from: '@x402/evm' } : { scheme: 'ExactSvmScheme', from: '@x402/svm' }

const importScheme = (sale: AnySale) => `import { ${schemeOf(sale).scheme} } from '${schemeOf(sale).from}/exact/server'`

/** A tenth of a cent in atomic units of the main token of a network. */
const amountOn = (network: EvmNetworkId) => inDecimals(1_000n, mainAsset(network).decimals, 'up')

const OF_EVERY_CLIENT: readonly NetworkId[] = ['eip155:8453', 'eip155:84532']

// The official packages know a dollar on some networks only; elsewhere a price names its token.
function priceOn(network: NetworkId): string {
  if (!isEvmNetwork(network) || OF_EVERY_CLIENT.includes(network)) return `'$0.001'`
  const { address, symbol, domain, method } = mainAsset(network)
  const permit2 = method === 'permit2' ? `, assetTransferMethod: 'permit2'` : ''
  return `{
        amount: '${amountOn(network)}', // 0.001 ${symbol}
        asset: '${address}',
        extra: { name: '${domain.name}', version: '${domain.version}'${permit2} },
      }`
}

const accepts = ({ network, payTo }: AnySale) => `{
      scheme: 'exact',
      price: ${priceOn(network)},
      network: '${network}',
      payTo: '${payTo}',
    }`

/** The lines of a server that name its facilitator. */
export const facilitatorLines = ({ url }: { url: string }) => `const facilitator = new HTTPFacilitatorClient({
  url: '${url}',
})`

const paymentLines = (sale: AnySale) => `${facilitatorLines(sale)}
const payments = new x402ResourceServer(facilitator)
  .register('${sale.network}', new ${schemeOf(sale).scheme}())`

const prices = (sale: AnySale) => `const prices = {
  'GET /weather': {
    accepts: ${accepts(sale)},
    description: 'The weather, for a tenth of a cent',
  },
}`

/** A paid server with Express and the official middleware. */
export function expressProgram(sale: AnySale): string {
  return `// npm install express @x402/core ${schemeOf(sale).from} @x402/express
// node weather.mjs
import { HTTPFacilitatorClient } from '@x402/core/server'
${importScheme(sale)}
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'

${paymentLines(sale)}

${prices(sale)}

const app = express()
app.use(paymentMiddleware(prices, payments))
app.get('/weather', (_req, res) => res.json({ weather: 'sunny' }))

const port = process.env.PORT ?? 8402
app.listen(port, (error) => {
  if (error) throw error
  console.log('Selling /weather on port ' + port)
})`
}

/** A server that charges what an answer used of a maximum, with Express and the official middleware. */
export function usageProgram({ url, network, payTo }: Sale): string {
  return `// npm install express @x402/core @x402/evm @x402/express
// node tokens.mjs
import { HTTPFacilitatorClient } from '@x402/core/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import {
  paymentMiddleware,
  setSettlementOverrides,
  x402ResourceServer,
} from '@x402/express'
import express from 'express'

const facilitator = new HTTPFacilitatorClient({
  url: '${url}',
})
const payments = new x402ResourceServer(facilitator)
  .register('${network}', new UptoEvmScheme())

const prices = {
  'GET /tokens': {
    accepts: {
      scheme: 'upto',
      price: '$0.02', // at most
      network: '${network}',
      payTo: '${payTo}',
    },
    description: 'Text by the token',
  },
}

const app = express()
app.use(paymentMiddleware(prices, payments))
app.get('/tokens', (_req, res) => {
  const tokens = 765
  // Atomic units: a thousandth of a cent for each token.
  setSettlementOverrides(res, { amount: String(tokens * 10) })
  res.json({ text: 'Trust, but meter.', tokens })
})

const port = process.env.PORT ?? 8402
app.listen(port, (error) => {
  if (error) throw error
  console.log('Selling /tokens on port ' + port)
})`
}

/** The program of a merchant with Hono. */
function honoProgram(sale: AnySale): string {
  return `// npm install hono @hono/node-server @x402/core ${schemeOf(sale).from} @x402/hono
// node weather.mjs
import { serve } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
${importScheme(sale)}
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

${paymentLines(sale)}

${prices(sale)}

const app = new Hono()
app.use(paymentMiddleware(prices, payments))
app.get('/weather', (context) => context.json({ weather: 'sunny' }))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8402) }, ({ port }) => {
  console.log('Selling /weather on port ' + port)
})`
}

/** The program of a merchant as a Next.js route. Not as a proxy, which would settle before the route has responded. */
function nextProgram(sale: AnySale): string {
  return `// npm install @x402/core ${schemeOf(sale).from} @x402/next
// npx next dev --port 8402
import { HTTPFacilitatorClient } from '@x402/core/server'
${importScheme(sale)}
import { withX402, x402ResourceServer } from '@x402/next'
import { NextResponse } from 'next/server'

${paymentLines(sale)}

// Settles after the route has responded, and only if it succeeded.
export const GET = withX402(
  async () => NextResponse.json({ weather: 'sunny' }),
  {
    accepts: ${accepts(sale)},
    description: 'The weather, for a tenth of a cent',
  },
  payments,
)`
}

/** The program of a merchant in Python, with the standard library only. */
export function pythonProgram({ url, network, payTo }: Sale): string {
  const { address: asset, symbol, domain, method } = mainAsset(network)
  const permit2 = method === 'permit2' ? ', "assetTransferMethod": "permit2"' : ''
  return `# Nothing to install: Python 3.9 or later
# python3 weather.py
import base64
import json
import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FACILITATOR = "${url}"
PRICE = {
    "scheme": "exact",
    "network": "${network}",
    "amount": "${amountOn(network)}",  # atomic units: 0.001 ${symbol}
    "payTo": "${payTo}",
    "asset": "${asset}",
    "maxTimeoutSeconds": 300,
    "extra": {"name": "${domain.name}", "version": "${domain.version}"${permit2}},
}


def settle(payment):
    """Settles the payment header of a request. Deliver if the answer has success."""
    body = json.dumps({"paymentPayload": payment, "paymentRequirements": PRICE}).encode()
    request = urllib.request.Request(FACILITATOR + "/settle", body, {"Content-Type": "application/json"})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as refusal:
            answer = json.load(refusal)
        # The outcome is unknown: the identical request continues to wait.
        if answer.get("errorReason") != "settlement_pending":
            return answer


class WeatherHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/weather":
            return self.answer(404, {"error": "This server sells only /weather."})
        payment = self.headers.get("PAYMENT-SIGNATURE")
        if payment is None:
            return self.ask_for_payment("PAYMENT-SIGNATURE is missing")
        weather = {"weather": "sunny"}
        receipt = settle(payment)
        if not receipt.get("success"):
            return self.ask_for_payment(receipt.get("errorReason", "the payment failed"))
        self.answer(200, weather, "PAYMENT-RESPONSE", receipt)

    def ask_for_payment(self, why):
        url = f"http://{self.headers['Host']}{self.path}"
        resource = {"url": url, "description": "The weather, for a tenth of a cent", "mimeType": "application/json"}
        offer = {"x402Version": 2, "error": why, "resource": resource, "accepts": [PRICE]}
        self.answer(402, {"error": why}, "PAYMENT-REQUIRED", offer)

    def answer(self, status, body, header=None, content=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if header:
            self.send_header(header, base64.b64encode(json.dumps(content).encode()).decode())
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


port = int(os.environ.get("PORT", "8402"))
server = ThreadingHTTPServer(("", port), WeatherHandler)
print(f"Selling /weather on port {port}", flush=True)
server.serve_forever()`
}

/** Verify and settle by hand: the received payment header and the requirements. */
export function settleCommands({ url, network, payTo }: Sale): string {
  const { address: asset, domain, method } = mainAsset(network)
  const permit2 = method === 'permit2' ? ', "assetTransferMethod": "permit2"' : ''
  return `FACILITATOR='${url}'

# The supported networks and assets, with the data that clients need to sign.
curl -s "$FACILITATOR/supported"

# $HEADER is the PAYMENT-SIGNATURE or X-PAYMENT header that your client sent.
BODY='{
  "paymentPayload": "'"$HEADER"'",
  "paymentRequirements": {
    "scheme": "exact",
    "network": "${network}",
    "amount": "${amountOn(network)}",
    "payTo": "${payTo}",
    "asset": "${asset}",
    "maxTimeoutSeconds": 300,
    "extra": { "name": "${domain.name}", "version": "${domain.version}"${permit2} }
  }
}'
curl -s "$FACILITATOR/verify" \\
  -H 'content-type: application/json' -d "$BODY"
curl -s "$FACILITATOR/settle" -D settled.txt \\
  -H 'content-type: application/json' -H 'Idempotency-Key: order-4711' \\
  -d "$BODY"

# If the response is lost: retry the identical request,
# or look the settlement up by its x-settlement-id or its transaction.
SETTLEMENT_ID=$(grep -i '^x-settlement-id:' settled.txt | cut -d ' ' -f 2 | tr -d '\\r')
curl -s "$FACILITATOR/settlements/$SETTLEMENT_ID"`
}

/** The programs with the official middleware, which sell on Solana too. */
export const officialPrograms = [
  { name: 'Express', file: 'weather.mjs', text: expressProgram },
  { name: 'Hono', file: 'weather.mjs', text: honoProgram },
  { name: 'Next.js', file: 'app/weather/route.ts', text: nextProgram },
] as const

/** The ways to charge for a route, each as a complete program. */
export const merchantPrograms = [...officialPrograms, { name: 'Python', file: 'weather.py', text: pythonProgram }] as const
