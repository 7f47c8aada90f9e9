import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { wrapFetchWithPayment } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express from 'express'
import { jsonOf } from './answer'
import type { Wallet } from './wallet'

/** The agent as a merchant: it sells one answer at one price. */
export type Merchant = {
  url: string
  price: string
  /** Resolves with the first settled sale. */
  sold: Promise<Sale>
  close: () => Promise<void>
}

export type Sale = { payer: string; transaction: string }

const PRICE = '$0.001'
const FORTUNE = { fortune: 'What you sell today will be paid for today.' }

/** Serves `GET /fortune` for a payment to the agent's wallet, through its facilitator URL. Throws when the facilitator refuses the key. */
export async function startMerchant(facilitatorUrl: string, wallet: Wallet, port: number): Promise<Merchant> {
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl })).register(
    wallet.network,
    wallet.account === 'Ethereum' ? new ExactEvmScheme() : new ExactSvmScheme(),
  )
  const sold = new Promise<Sale>((resolve) => {
    resources.onAfterSettle(async ({ result }) => {
      if (result.success) resolve({ payer: result.payer ?? '', transaction: result.transaction })
    })
  })
  // Reads the facilitator's supported networks now, not at the first sale.
  await resources.initialize()

  const accepts = { scheme: 'exact', price: PRICE, network: wallet.network, payTo: wallet.address }
  const app = express()
  app.use(paymentMiddleware({ 'GET /fortune': { accepts, description: 'A fortune' } }, resources, undefined, undefined, false))
  app.get('/fortune', (_request, response) => {
    response.json(FORTUNE)
  })
  const server = app.listen(port)
  await once(server, 'listening')
  const url = `http://localhost:${portOf(server.address())}/fortune`
  return {
    url,
    price: PRICE,
    sold,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Buys from a merchant as any customer does. Throws when the payment fails. */
export async function buyFrom(url: string, customer: Wallet): Promise<void> {
  await jsonOf(await wrapFetchWithPayment(fetch, customer.client)(url))
}

// A server on a port has an address with a port.
const portOf = (address: string | AddressInfo | null): number => (address as AddressInfo).port
