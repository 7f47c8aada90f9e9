/** What a route is written with. */
type Sale = { payTo: string; network: string; price: string }

/** A paid route in one framework: its files, the packages that it needs, and how to run it. */
export type Template = {
  /** Each file with its text; the first has the route. */
  files: (sale: Sale) => Record<string, string>
  /** Packages to install beside ours, of npm or of Python. */
  packages: string[]
  by: 'npm' | 'pip'
  /** The command that serves it; `PORT` is its port. */
  start: (port: string) => string[]
}

const OFFICIAL = ['@x402/core', '@x402/evm', '@x402/extensions']

const facilitatorLines = (
  network: string,
  store = 'served.jsonl',
) => `// A payment that was settled before a crash is answered after it: see /docs/crash of the facilitator.
const client = new RecoveringFacilitatorClient(new HTTPFacilitatorClient(facilitator), { store: fileStore('${store}') })
const payments = new x402ResourceServer(client).register('${network}', new ExactEvmScheme())`

const routeOf = ({ payTo, network, price }: Sale) => `{
  accepts: { scheme: 'exact', network: '${network}', price: '${price}', payTo: '${payTo}' },
  description: 'The weather',
  mimeType: 'application/json',
  // For the catalog of the facilitator.
  extensions: declareDiscoveryExtension({ output: { example: { weather: 'sunny' } } }),
}`

const OURS = `import { facilitator, fileStore, RecoveringFacilitatorClient } from '@quittance/x402'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'`

const DISCOVERY = `import { declareDiscoveryExtension } from '@x402/extensions/bazaar'`

const express = (sale: Sale) => `${OURS}
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
${DISCOVERY}
import express from 'express'

${facilitatorLines(sale.network)}

const app = express()
app.use(paymentMiddleware({ 'GET /weather': ${indented(routeOf(sale))} }, payments))
app.get('/weather', (_request, response) => response.json({ weather: 'sunny' }))

const port = process.env.PORT ?? 8402
app.listen(port, () => console.log(\`Selling http://localhost:\${port}/weather\`))
`

const hono = (sale: Sale) => `import { serve } from '@hono/node-server'
${OURS}
${DISCOVERY}
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

${facilitatorLines(sale.network)}

const app = new Hono()
app.use(paymentMiddleware({ 'GET /weather': ${indented(routeOf(sale))} }, payments))
app.get('/weather', (context) => context.json({ weather: 'sunny' }))

const port = Number(process.env.PORT ?? 8402)
serve({ fetch: app.fetch, port }, () => console.log(\`Selling http://localhost:\${port}/weather\`))
`

const next = (sale: Sale) => `${OURS}
${DISCOVERY}
import { withX402, x402ResourceServer } from '@x402/next'
import { NextResponse } from 'next/server'

${facilitatorLines(sale.network)}

// Settles after the route has responded, and only if it succeeded.
export const GET = withX402(
  async () => NextResponse.json({ weather: 'sunny' }),
  ${indented(routeOf(sale))},
  payments,
)
`

const fastapi = ({ payTo, network, price }: Sale) => `from fastapi import FastAPI
from quittance_x402 import FileStore, RecoveringFacilitatorClient, facilitator
from x402 import x402ResourceServer
from x402.extensions.bazaar import OutputConfig, declare_discovery_extension
from x402.http import HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware
from x402.http.types import PaymentOption, RouteConfig
from x402.mechanisms.evm.exact.server import ExactEvmScheme

# A payment that was settled before a crash is answered after it: see /docs/crash of the facilitator.
client = RecoveringFacilitatorClient(HTTPFacilitatorClient(facilitator), FileStore("served.jsonl"))
payments = x402ResourceServer(client)
payments.register("${network}", ExactEvmScheme())

weather_route = RouteConfig(
    accepts=PaymentOption(scheme="exact", network="${network}", price="${price}", pay_to="${payTo}"),
    description="The weather",
    mime_type="application/json",
    # For the catalog of the facilitator.
    extensions=declare_discovery_extension(output=OutputConfig(example={"weather": "sunny"})),
)
app = FastAPI()
app.middleware("http")(payment_middleware({"GET /weather": weather_route}, payments))


@app.get("/weather")
async def weather():
    return {"weather": "sunny"}
`

/** Every line but the first is two blanks further in. */
const indented = (text: string) => text.replaceAll('\n', '\n  ')

const LAYOUT = 'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n'

const ofNode = ['node', '--env-file=.env', 'server.mjs']

/** The frameworks that `init` knows. */
export const templates: Record<string, Template> = {
  express: {
    files: (sale) => ({ 'server.mjs': express(sale) }),
    packages: [...OFFICIAL, '@x402/express', 'express'],
    by: 'npm',
    start: () => ofNode,
  },
  hono: {
    files: (sale) => ({ 'server.mjs': hono(sale) }),
    packages: [...OFFICIAL, '@x402/hono', 'hono', '@hono/node-server'],
    by: 'npm',
    start: () => ofNode,
  },
  next: {
    files: (sale) => ({ 'app/weather/route.js': next(sale), 'app/layout.jsx': LAYOUT }),
    packages: [...OFFICIAL, '@x402/next', 'next', 'react', 'react-dom'],
    by: 'npm',
    start: (port) => ['npx', 'next', 'dev', '--port', port],
  },
  fastapi: {
    files: (sale) => ({ 'main.py': fastapi(sale) }),
    packages: ['x402[fastapi,evm,extensions]', 'uvicorn'],
    by: 'pip',
    start: (port) => ['.venv/bin/python', '-m', 'uvicorn', 'main:app', '--env-file', '.env', '--port', port],
  },
}
