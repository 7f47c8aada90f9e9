import { randomUUID } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { beforeAll, expect, test } from 'vitest'
import { createPayer } from '@/devnet/payer'
import { endpoints } from '@/server/endpoints'
import type { CredentialName } from '@/server/http/openapi/credential-texts'
import { type ListedEndpoint, listed, openApiDocument, pathOf } from '@/server/http/openapi/document'
import { formsOf } from '@/server/http/openapi/json-schema'
import { wallet } from '@/test/interop/official-clients'
import { ADMIN_KEY } from '@/test/support/service/harness'
import { LONG, newAddress, programHarness } from '@/test/support/service/program-harness'
import { openMerchant, runCommands, runModule } from '@/test/support/service/shown-programs'
import { paidAnswer, shownOffer, shownReceipt, unpaidAnswer } from '../../client/programs/answers'
import { expressProgram, sandboxSale } from '../../client/programs/merchants'
import { agentProgram, payerProgram } from '../../client/programs/snippets'

const { paths, components } = openApiDocument('https://pay.example', endpoints)

/** Every example body of /docs with its operation. */
const examples = listed(endpoints).flatMap((endpoint) => {
  const told = paths[pathOf(endpoint)]?.[endpoint.method.toLowerCase()]
  const schema = told?.requestBody?.content['application/json']?.schema
  const forms = schema ? formsOf(schema, components.schemas) : []
  return forms.map((form) => ({ asked: `${endpoint.method} ${endpoint.path}`, form, endpoint }))
})

const service = programHarness()
let session: string
beforeAll(async () => {
  session = await sessionOfAgent()
}, LONG)

/** A session of a wallet with credits. */
async function sessionOfAgent(): Promise<string> {
  const { baseUrl, networks } = service()
  const key = await wallet(networks.sepolia.chain)
  await runModule(agentProgram(baseUrl), { PRIVATE_KEY: key })
  const account = privateKeyToAccount(key)
  const message = createSiweMessage({
    domain: new URL(baseUrl).host,
    uri: baseUrl,
    address: account.address,
    version: '1',
    chainId: 8453,
    nonce: generateSiweNonce(),
    issuedAt: new Date(),
    expirationTime: new Date(Date.now() + 600_000),
  })
  const headers = {
    'X-SIWE-Message': Buffer.from(message).toString('base64'),
    'X-SIWE-Signature': await account.signMessage({ message }),
  }
  const answer = await fetch(`${baseUrl}/api/v1/auth/siwe`, { method: 'POST', headers })
  return (await answer.json()).token
}

/** The path of an operation for a new tenant or webhook of a merchant, or for a releasable lane. */
async function addressOf({ path }: ListedEndpoint, owner: string, merchant: string): Promise<string> {
  if (path.startsWith('/admin/lanes/')) return path.replace(':id', await service().quarantined(20n))
  if (path.startsWith('/api/me/webhooks/')) {
    const made = await send('POST', '/api/me/webhooks', components.examples.NewWebhook?.value, merchant)
    return path.replace(':id', (await made.json()).id)
  }
  const { id, api_key } = await (await send('POST', '/admin/tenants', { owner_id: owner, plan: 'growth' }, ADMIN_KEY)).json()
  return path.replace(':key', api_key).replace(':id', id)
}

const send = (method: string, path: string, body: unknown, token = '') =>
  fetch(`${service().baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

/** Examples that cannot succeed: the payment is not settled, the channel is not signed. */
const UNSETTLED = [
  ['/settlements/lookup', 404],
  ['/channels/:network/:id', 400],
] as const

test.each(examples)(
  '$asked accepts the example body $form and answers with the documented status',
  async ({ asked, form, endpoint }) => {
    const owner = randomUUID()
    const merchant = await service().issuer.token({ sub: owner })
    const path = await addressOf(endpoint, owner, merchant)
    const tokens: Partial<Record<CredentialName, string>> = { admin: ADMIN_KEY, merchant, session }
    const [token] = endpoint.credentials.flatMap((name) => tokens[name] ?? [])
    service().recorder.take()
    await send(endpoint.method, path, components.examples[form]?.value, token)
    const [good] = UNSETTLED.find(([end]) => endpoint.path.endsWith(end))?.slice(1) ?? Object.keys(endpoint.responses)
    expect(service().recorder.take()).toMatchObject([{ asked, status: Number(good) }])
  },
)

/** The status line, the headers by name, and the body of an HTTP answer as curl prints it. */
function readAnswer(text: string) {
  const [head = '', body = ''] = text.replaceAll('\r', '').split('\n\n')
  const [status, ...lines] = head.split('\n')
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
  )
  return { status, headers: new Map(headers), body: body.trim() }
}

test(
  'the answers that the quick start shows are those of its server',
  async () => {
    const sale = { ...sandboxSale(service().baseUrl), payTo: newAddress() }
    const server = await openMerchant('Express', expressProgram(sale))
    try {
      const unpaid = readAnswer(await runCommands(`curl -si ${server.url}`, {}))
      const shown = readAnswer(unpaidAnswer(sale, server.url))
      expect({ status: shown.status, body: shown.body }).toEqual({ status: unpaid.status, body: unpaid.body })
      for (const [name, value] of shown.headers) {
        expect([name, unpaid.headers.get(name)]).toEqual([name, expect.stringContaining(value.replace('…', ''))])
      }
      const offer = Buffer.from(unpaid.headers.get('payment-required') ?? '', 'base64').toString()
      expect(offer).toBe(JSON.stringify(shownOffer(sale, server.url)))

      const { status, body, receipt } = await createPayer(await wallet(service().networks.sepolia.chain)).pay(server.url)
      const paid = readAnswer(paidAnswer(sale))
      expect([paid.status, paid.body]).toEqual([`HTTP/1.1 ${status} OK`, JSON.stringify(body)])
      expect([...paid.headers.keys()]).toContain('payment-response')
      const { payer, transaction, extra, extensions } = receipt ?? {}
      expect(JSON.stringify(receipt)).toBe(JSON.stringify({ ...shownReceipt(sale), payer, transaction, extensions, extra }))
      expect(Object.keys(extra ?? {})).toEqual(Object.keys(Object(shownReceipt(sale)).extra))
      expect(transaction).toMatch(/^0x[0-9a-f]{64}$/)

      const key = await wallet(service().networks.sepolia.chain)
      expect(await runModule(payerProgram(server.url), { PRIVATE_KEY: key })).toBe('200 {"weather":"sunny"}\n')
    } finally {
      await server.close()
    }
    service().recorder.take()
  },
  LONG,
)
