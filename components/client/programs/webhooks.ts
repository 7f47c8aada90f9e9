import type { Variant } from '../../ui/code/tabs'

/** Servers that receive webhooks and verify them with our packages, as tabs. */
export const webhookVariants: readonly Variant[] = [
  {
    label: 'Express',
    name: 'webhook.mjs, with the package',
    language: 'typescript',
    code: `import { InvalidWebhook, verifyWebhook } from '@quittance/x402'
import express from 'express'

const app = express()
app.use(express.raw({ type: 'application/json' }))
app.post('/webhook', (req, res) => {
  try {
    const { id, type, data } = verifyWebhook(req.body, req.headers, process.env.WEBHOOK_SECRET)
    // A message can arrive twice: store its id to detect this.
    console.log(id, type, data.id)
    res.status(204).end()
  } catch (error) {
    if (!(error instanceof InvalidWebhook)) throw error
    res.status(401).end()
  }
})
app.listen(process.env.PORT ?? 8080, () => console.log('Listening'))`,
    commands: `npm install --prefix ../quittance && npm pack ../quittance/packages/quittance
npm install ./quittance-x402-*.tgz express
WEBHOOK_SECRET=whsec_… node webhook.mjs`,
  },
  {
    label: 'Python',
    name: 'webhook.py, with the package',
    language: 'python',
    code: `import os

from fastapi import FastAPI, HTTPException, Request
from quittance_x402 import InvalidWebhook, verify_webhook

app = FastAPI()

@app.post("/webhook", status_code=204)
async def receive(request: Request) -> None:
    body, secret = await request.body(), os.environ["WEBHOOK_SECRET"]
    try:
        message = verify_webhook(body, request.headers, secret)
    except InvalidWebhook:
        raise HTTPException(401)
    # A message can arrive twice: store its id to detect this.
    print(message["id"], message["type"], message["data"].get("id"))`,
    commands: `pip install ../quittance/packages/python fastapi uvicorn
WEBHOOK_SECRET=whsec_… uvicorn webhook:app --port 8080`,
  },
]

/** The same without any package. */
export function webhookByHand(): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const written = process.env.WEBHOOK_SECRET ?? ''
const secret = Buffer.from(written.replace('whsec_', ''), 'base64')
// Anyone can sign with an empty secret.
if (secret.length < 24) throw new Error('WEBHOOK_SECRET is missing')

// Verify the received bytes first and parse them afterwards.
function isOurs(headers, body) {
  const id = headers['webhook-id']
  const at = headers['webhook-timestamp']
  const signatures = headers['webhook-signature'] ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false
  const expected = createHmac('sha256', secret)
    .update(\`\${id}.\${at}.\`)
    .update(body)
    .digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const server = createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces)
  if (!isOurs(request.headers, body)) return response.writeHead(401).end()
  const { type, data } = JSON.parse(body)
  // A message can arrive twice: store its webhook-id to detect this.
  console.log(request.headers['webhook-id'], type, data.id, data.tx_hash)
  response.writeHead(204).end()
})
server.listen(process.env.PORT ?? 8080, () => console.log('Listening'))`
}
