// On Solana: a merchant and a payer of the first generation, buying once through a facilitator.
// node pay-svm.mjs <facilitator url> <payer's secret key, base58> <payTo> <network> <rpc url>  prints one line of JSON.
import express from 'express'
import { paymentMiddleware } from 'x402-express'
import { createSigner, decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch'

const [facilitatorUrl, secretKey, payTo, network, rpcUrl] = process.argv.slice(2)
const shop = express()
shop.use(paymentMiddleware(payTo, { 'GET /weather': { price: '$0.001', network } }, { url: facilitatorUrl }))
shop.get('/weather', (_req, res) => res.json({ weather: 'sunny' }))
const server = shop.listen(0, '127.0.0.1', async () => {
  const signer = await createSigner(network, secretKey)
  const pay = wrapFetchWithPayment(fetch, signer, undefined, undefined, { svmConfig: { rpcUrl } })
  const response = await pay(`http://127.0.0.1:${server.address().port}/weather`)
  const header = response.headers.get('x-payment-response')
  const receipt = header ? decodeXPaymentResponse(header) : null
  console.log(JSON.stringify({ status: response.status, body: await response.json(), receipt }))
  server.close()
  server.closeAllConnections()
})
