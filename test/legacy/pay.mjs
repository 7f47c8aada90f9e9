// A merchant and a payer of the first generation, as their own documents write them, buying once through a facilitator.
// node pay.mjs <facilitator url> <payer's private key> <payTo> <network>  prints one line of JSON.
import express from 'express'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base, baseSepolia, polygon } from 'viem/chains'
import { paymentMiddleware } from 'x402-express'
import { decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch'

const [facilitatorUrl, privateKey, payTo, network] = process.argv.slice(2)
const chain = { base, polygon }[network] ?? baseSepolia
const shop = express()
shop.use(paymentMiddleware(payTo, { 'GET /weather': { price: '$0.001', network } }, { url: facilitatorUrl }))
shop.get('/weather', (_req, res) => res.json({ weather: 'sunny' }))
const server = shop.listen(0, '127.0.0.1', async () => {
  const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport: http() })
  const response = await wrapFetchWithPayment(fetch, wallet)(`http://127.0.0.1:${server.address().port}/weather`)
  const header = response.headers.get('x-payment-response')
  const receipt = header ? decodeXPaymentResponse(header) : null
  console.log(JSON.stringify({ status: response.status, body: await response.json(), receipt }))
  server.close()
  server.closeAllConnections()
})
