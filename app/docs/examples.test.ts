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
import { LONG, programHouse } from '@/test/program-house'
import { runModule } from '@/test/shown-programs'

const { paths, components } = openApiDocument('https://pay.example', endpoints)

/** Every example body of /docs with the operation at which it is shown. */
const examples = listed(endpoints).flatMap((endpoint) => {
  const told = paths[pathOf(endpoint)]?.[endpoint.method.toLowerCase()]
  const schema = told?.requestBody?.content['application/json']?.schema
  const forms = schema ? formsOf(schema, components.schemas) : []
  return forms.map((form) => ({ asked: `${endpoint.method} ${endpoint.path}`, form, endpoint }))
})

const house = programHouse()
let tokens: Partial<Record<CredentialName, string>>
beforeAll(async () => {
  tokens = { admin: ADMIN_KEY, merchant: await house().issuer.token({ sub: 'somebody' }), session: await sessionOfAgent() }
}, LONG)

/** The session of a wallet that has bought credits. */
async function sessionOfAgent(): Promise<string> {
  const { baseUrl, networks } = house()
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

/** Where the operation is for a tenant made just now, with its key and its id in the path; for a lane, one that it may release. */
async function addressOf({ path }: ListedEndpoint): Promise<string> {
  if (path.startsWith('/admin/lanes/')) return path.replace(':id', await house().quarantined(20n))
  const { id, api_key } = await (await send('POST', '/admin/tenants', { owner_id: 'somebody', plan: 'growth' }, ADMIN_KEY)).json()
  return path.replace(':key', api_key).replace(':id', id)
}

const send = (method: string, path: string, body: unknown, token = '') =>
  fetch(`${house().baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

test.each(examples)('$asked takes the example body $form and answers as it is told there', async ({ asked, form, endpoint }) => {
  const path = await addressOf(endpoint)
  const [token] = endpoint.credentials.flatMap((name) => tokens[name] ?? [])
  house().witness.told()
  await send(endpoint.method, path, components.examples[form]?.value, token)
  const [good] = Object.keys(endpoint.responses)
  expect(house().witness.told()).toMatchObject([{ asked, status: Number(good) }])
})
