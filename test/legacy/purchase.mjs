// An agent of the first generation buys credits, with the client's own limit on what it may spend.
// node purchase.mjs <purchase url> <private key> <network> <rpc url>  prints one line of JSON.
import { createSigner, decodeXPaymentResponse, wrapFetchWithPayment } from 'x402-fetch'

const [url, key, network, rpcUrl] = process.argv.slice(2)
const pay = wrapFetchWithPayment(fetch, await createSigner(network, key), undefined, undefined, { svmConfig: { rpcUrl } })
const response = await pay(url, { method: 'POST' })
const header = response.headers.get('x-payment-response')
const receipt = header ? decodeXPaymentResponse(header) : null
console.log(JSON.stringify({ status: response.status, body: await response.json(), receipt }))
