import type { Sale } from './merchants'

// Example programs of a merchant that answers a paid request after its own crash.

const serverOf = ({ network, payTo }: Sale) => `const payments = new x402ResourceServer(facilitator)
  .register('${network}', new ExactEvmScheme())

const accepts = { scheme: 'exact', price: '$0.001', network: '${network}', payTo: '${payTo}' }
const app = express()
app.use(paymentMiddleware({ 'GET /weather': { accepts } }, payments))
app.get('/weather', (_req, res) => res.json({ weather: 'sunny' }))
app.listen(process.env.PORT ?? 8402, () => console.log('Selling'))`

const IMPORTS = `import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'`

/** A server that recovers with our package. */
export function recoveryProgram(sale: Sale): string {
  return `// npm install ./quittance-x402-*.tgz express @x402/core @x402/evm @x402/express
// node weather.mjs
import { fileStore, RecoveringFacilitatorClient } from '@quittance/x402'
${IMPORTS}

const facilitator = new RecoveringFacilitatorClient(
  new HTTPFacilitatorClient({ url: '${sale.url}' }),
  { store: fileStore('served.jsonl') },
)
${serverOf(sale)}`
}

/** The same without the package. */
export function recoveryByHand(sale: Sale): string {
  return `// npm install express @x402/core @x402/evm @x402/express
// node weather.mjs
import { existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
${IMPORTS}

const FILE = 'served.txt'
const served = new Set(existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\\n') : [])
const file = openSync(FILE, 'a')
const RECOVERED_MS = 15 * 60_000

class Recovering extends HTTPFacilitatorClient {
  // Valid if we settled it lately and did not serve it.
  async verify(payload, requirements) {
    const answer = await super.verify(payload, requirements)
    if (answer.invalidReason !== 'duplicate_settlement') return answer
    const settled = await this.find(payload, requirements, '?peek=true')
    return settled && !served.has(settled.id) ? { isValid: true, payer: settled.payer } : answer
  }

  async settle(payload, requirements) {
    const answer = await super.settle(payload, requirements).catch((error) => error)
    const settled = await this.find(payload, requirements)
    if (!settled && answer instanceof Error) throw answer
    if (!settled) return answer
    const { transaction, payer, id } = settled
    const { network } = requirements
    if (served.has(id)) return { success: false, errorReason: 'duplicate_settlement', transaction: '', network }
    // On the disk before the answer leaves.
    served.add(id)
    writeSync(file, id + '\\n')
    fsyncSync(file)
    return answer.success ? answer : { success: true, transaction, network, payer }
  }

  // Only your own settlements have an id. To peek is no answer yet.
  async find(paymentPayload, paymentRequirements, query = '') {
    const response = await fetch(this.url + '/settlements/lookup' + query, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ x402Version: paymentPayload.x402Version, paymentPayload, paymentRequirements }),
    })
    if (!response.ok) return undefined
    const { settlements } = await response.json()
    const { payTo, amount, network } = paymentRequirements
    return settlements.find((one) =>
      one.id !== undefined && one.state === 'succeeded' && Date.now() - Date.parse(one.created_at) < RECOVERED_MS &&
      one.pay_to === payTo && one.amount === amount && one.network === network)
  }
}

const facilitator = new Recovering({ url: '${sale.url}' })
${serverOf(sale)}`
}

/** A server that fails over to a second facilitator. */
export function failoverProgram({ url, network }: Sale): string {
  return `import { evmAuthorizations, FailoverFacilitatorClient, fileStore } from '@quittance/x402'
import { HTTPFacilitatorClient } from '@x402/core/server'

const facilitator = new FailoverFacilitatorClient(
  [
    new HTTPFacilitatorClient({ url: '${url}' }),
    new HTTPFacilitatorClient({ url: 'https://other.example/facilitator' }),
  ],
  {
    store: fileStore('served.jsonl'),
    authorizations: evmAuthorizations({ '${network}': 'https://your-node.example' }),
  },
)`
}
