import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { wrapFetchWithPayment } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express from 'express'
import { answerOf } from './answer'
import type { Wallet } from './wallet'

/** What the agent sells: one answer, at one price. */
export type Shop = {
  url: string
  price: string
  /** Resolves with the first sale that was settled. */
  sold: Promise<Sale>
  close: () => Promise<void>
}

export type Sale = { payer: string; transaction: string }

const PRICE = '$0.001'
const FORTUNE = { fortune: 'What you sell today will be paid for today.' }

/** Serves `GET /fortune` for money that is paid to the agent's own wallet, through its facilitator URL. Throws when the facilitator refuses the key. */
export async function openShop(facilitatorUrl: string, wallet: Wallet, port: number): Promise<Shop> {
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorUrl })).register(
    wallet.network,
    wallet.account === 'Ethereum' ? new ExactEvmScheme() : new ExactSvmScheme(),
  )
  const sold = new Promise<Sale>((resolve) => {
    resources.onAfterSettle(async ({ result }) => {
      if (result.success) resolve({ payer: result.payer ?? '', transaction: result.transaction })
    })
  })
  // Asks the facilitator what it can settle, now rather than with the first customer.
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
    ...{ url, price: PRICE, sold },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Buys what a shop sells, as any customer would. Throws when it is not paid. */
export async function buyFrom(shopUrl: string, customer: Wallet): Promise<void> {
  await answerOf(await wrapFetchWithPayment(fetch, customer.client)(shopUrl))
}

// A server that listens on a port has an address with a port.
const portOf = (address: string | AddressInfo | null): number => (address as AddressInfo).port
