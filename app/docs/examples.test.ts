import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { beforeAll, expect, test } from 'vitest'
import { agentProgram } from '@/app/docs/programs/snippets'
import { endpoints } from '@/server/endpoints'
import type { CredentialName } from '@/server/http/openapi/credentials'
import { type ListedEndpoint, listed, openApiDocument, pathOf } from '@/server/http/openapi/document'
import { formsOf } from '@/server/http/openapi/json-schema'
import { ADMIN_KEY } from '@/test/harness'
import { wallet } from '@/test/official-clients'
import { LONG, programHarness } from '@/test/program-harness'
import { runModule } from '@/test/shown-programs'

const { paths, components } = openApiDocument('https://pay.example', endpoints)

/** Every example body of /docs with its operation. */
const examples = listed(endpoints).flatMap((endpoint) => {
  const told = paths[pathOf(endpoint)]?.[endpoint.method.toLowerCase()]
  const schema = told?.requestBody?.content['application/json']?.schema
  const forms = schema ? formsOf(schema, components.schemas) : []
  return forms.map((form) => ({ asked: `${endpoint.method} ${endpoint.path}`, form, endpoint }))
})

const service = programHarness()
let tokens: Partial<Record<CredentialName, string>>
beforeAll(async () => {
  tokens = { admin: ADMIN_KEY, merchant: await service().issuer.token({ sub: 'somebody' }), session: await sessionOfAgent() }
}, LONG)

/** A session of a wallet with credits. */
async function sessionOfAgent(): Promise<string> {
  const { baseUrl, networks } = service()
  const key = await wallet(networks.sepolia.chain)
  await runModule(agentProgram(baseUrl), { PRIVATE_KEY: key })
  const account = privateKeyToAccount(key)
  const message = createSiweMessage({
    ...{ domain: new URL(baseUrl).host, uri: baseUrl, address: account.address, version: '1', chainId: 8453 },
    ...{ nonce: generateSiweNonce(), issuedAt: new Date(), expirationTime: new Date(Date.now() + 600_000) },
  })
  const headers = {
    'X-SIWE-Message': Buffer.from(message).toString('base64'),
    'X-SIWE-Signature': await account.signMessage({ message }),
  }
  const answer = await fetch(`${baseUrl}/api/v1/auth/siwe`, { method: 'POST', headers })
  return (await answer.json()).token
}

/** The path of an operation for a new tenant, or for a releasable lane. */
async function addressOf({ path }: ListedEndpoint): Promise<string> {
  if (path.startsWith('/admin/lanes/')) return path.replace(':id', await service().quarantined(20n))
  const { id, api_key } = await (await send('POST', '/admin/tenants', { owner_id: 'somebody', plan: 'growth' }, ADMIN_KEY)).json()
  return path.replace(':key', api_key).replace(':id', id)
}

const send = (method: string, path: string, body: unknown, token = '') =>
  fetch(`${service().baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

test.each(examples)(
  '$asked accepts the example body $form and answers with the documented status',
  async ({ asked, form, endpoint }) => {
    const path = await addressOf(endpoint)
    const [token] = endpoint.credentials.flatMap((name) => tokens[name] ?? [])
    service().recorder.take()
    await send(endpoint.method, path, components.examples[form]?.value, token)
    const [good] = Object.keys(endpoint.responses)
    expect(service().recorder.take()).toMatchObject([{ asked, status: Number(good) }])
  },
)
