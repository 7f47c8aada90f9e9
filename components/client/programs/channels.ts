import type { Variant } from '../../ui/code/tabs'
import type { Sale } from './merchants'

/** Servers that sell through channels, which the service keeps, as tabs. */
export const channelVariants = (sale: Sale): readonly Variant[] => [
  {
    label: 'Express',
    name: 'stream.mjs',
    language: 'typescript',
    code: channelProgram(sale),
    commands: `npm install --prefix ../quittance && npm pack ../quittance/packages/quittance
npm install ./quittance-x402-*.tgz express @x402/core @x402/evm @x402/express
FACILITATOR_URL=${keyed(sale.url)} node stream.mjs`,
  },
  {
    label: 'Python',
    name: 'stream.py',
    language: 'python',
    code: pythonChannelProgram(sale),
    commands: `pip install ../quittance/packages/python "x402[evm]" fastapi uvicorn
FACILITATOR_URL=${keyed(sale.url)} uvicorn stream:app --port 8402 --workers 4`,
  },
]

function channelProgram({ network, payTo }: Sale): string {
  return `import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import {
  paymentMiddleware,
  setSettlementOverrides,
  x402ResourceServer,
} from '@x402/express'
import express from 'express'
import { QuittanceChannels } from '@quittance/x402'

const url = process.env.FACILITATOR_URL
const network = '${network}'
const payTo = '${payTo}'

const storage = new QuittanceChannels({ url, network })
const payments = new x402ResourceServer(new HTTPFacilitatorClient({ url }))
  .register(network, new BatchSettlementEvmScheme(payTo, { storage }))

const prices = {
  'GET /stream': {
    // The highest price of one request.
    accepts: { scheme: 'batch-settlement', price: '$0.001', network, payTo },
    description: 'A part of a stream',
  },
}

const app = express()
app.use(paymentMiddleware(prices, payments))
app.get('/stream', (_req, res) => {
  // In atomic units: 100 is $0.0001.
  setSettlementOverrides(res, { amount: '100' })
  res.json({ part: 1 })
})

const port = process.env.PORT ?? 8402
app.listen(port, (error) => {
  if (error) throw error
  console.log('Selling /stream on port ' + port)
})`
}

const pythonChannelProgram = ({ network, payTo }: Sale): string => `import os

from fastapi import FastAPI, Response
from quittance_x402 import QuittanceChannels
from x402 import x402ResourceServer
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware, set_settlement_overrides
from x402.http.types import PaymentOption, RouteConfig
from x402.mechanisms.evm.batch_settlement import server as batch

url = os.environ["FACILITATOR_URL"]
network, pay_to = "${network}", "${payTo}"

# A call of the storage blocks its thread: run several processes.
storage = QuittanceChannels(url=url, network=network)
config = batch.BatchSettlementEvmSchemeServerConfig(storage=storage)
payments = x402ResourceServer(HTTPFacilitatorClient(FacilitatorConfig(url=url)))
payments.register(network, batch.BatchSettlementEvmScheme(pay_to, config))

# The highest price of one request.
price = PaymentOption(scheme="batch-settlement", network=network, price="$0.001", pay_to=pay_to)
app = FastAPI()
app.middleware("http")(payment_middleware({"GET /stream": RouteConfig(accepts=price)}, payments))

@app.get("/stream")
async def stream(response: Response):
    # In atomic units: 100 is $0.0001.
    set_settlement_overrides(response, {"amount": "100"})
    return {"part": 1}`

const keyed = (url: string) => url.replace(/\/sandbox$/, '/v1/<API_KEY>')

/** A payer with the official client that buys ten answers through a channel, and takes the rest back. */
export function channelPayerProgram(url: string): string {
  return `// npm install @x402/evm @x402/fetch viem
// PRIVATE_KEY=0x… node pay-by-channel.mjs
import { toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
// A node tells what a channel holds that was opened before.
const node = createPublicClient({ chain: baseSepolia, transport: http() })
const channels = new BatchSettlementEvmScheme(toClientEvmSigner(account, node))
const client = new x402Client().register('eip155:*', channels)
const pay = wrapFetchWithPayment(fetch, client)

for (let part = 1; part <= 10; part++) {
  const response = await pay('${url}')
  console.log(response.status, await response.json())
}
console.log(await channels.refund('${url}'))`
}
