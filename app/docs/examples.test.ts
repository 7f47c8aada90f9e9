import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { beforeAll, expect, test } from 'vitest'
import { agentProgram } from '@/app/docs/programs/snippets'
import type { CredentialName } from '@/server/http/openapi/credentials'
import { endpoints } from '@/server/endpoints'
import { openApiDocument, pathOf } from '@/server/http/openapi/document'
import { formsOf } from '@/server/http/openapi/json-schema'
import type { Operation } from '@/server/http/openapi/operation'
import { operations } from '@/server/http/openapi/operations'
import { ADMIN_KEY } from '@/test/harness'
import { wallet } from '@/test/official-clients'
import { LONG, programHouse } from '@/test/program-house'
import { runModule } from '@/test/shown-programs'

const { paths, components } = openApiDocument('https://pay.example', endpoints)

/** Every example body of /docs with the operation at which it is shown. */
const examples = operations.flatMap((operation) => {
  const told = paths[pathOf(operation)]?.[operation.method.toLowerCase()]
  const schema = told?.requestBody?.content['application/json']?.schema
  const forms = schema ? formsOf(schema, components.schemas) : []
  return forms.map((form) => ({ asked: `${operation.method} ${operation.pattern}`, form, operation }))
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
async function addressOf({ pattern }: Operation): Promise<string> {
  if (pattern.startsWith('/admin/lanes/')) return pattern.replace(':id', await house().quarantined(20n))
  const { id, api_key } = await (await send('POST', '/admin/tenants', { owner_id: 'somebody', plan: 'growth' }, ADMIN_KEY)).json()
  return pattern.replace(':key', api_key).replace(':id', id)
}

const send = (method: string, path: string, body: unknown, token = '') =>
  fetch(`${house().baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

test.each(examples)('$asked takes the example body $form and answers as it is told there', async ({ asked, form, operation }) => {
  const path = await addressOf(operation)
  const [token] = operation.credentials.flatMap((name) => tokens[name] ?? [])
  house().witness.told()
  await send(operation.method, path, components.examples[form]?.value, token)
  const [good] = Object.keys(operation.answers)
  expect(house().witness.told()).toMatchObject([{ asked, status: Number(good) }])
})
