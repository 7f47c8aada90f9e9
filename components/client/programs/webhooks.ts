/** A server that receives webhooks and verifies their signature, without any package. */
export function webhookProgram(): string {
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
