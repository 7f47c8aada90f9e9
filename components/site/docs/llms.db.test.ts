import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../server/endpoints'
import { errorCatalog } from '../../../server/http/documented-codes'
import { openApiDocument } from '../../../server/http/openapi/document'
import { routesOf, routeTable } from '../../../server/http/route-table'
import { getOpenApi } from '../../../server/operations/endpoints'
import { documentedMessages } from '../../../server/webhooks/example'
import { documented } from '../../../test/support/service/documented'
import { asked, startReading } from '../../../test/support/service/history'
import { pythonProgram, sandboxSale, settleCommands } from '../../client/programs/merchants'
import { agentCommands, agentProgram } from '../../client/programs/snippets'
import { getLlmsText, llmsText } from './llms'
import { guides } from './pages'

const BASE = 'https://pay.example'
const text = llmsText(BASE)
const sale = sandboxSale(BASE)
const programs = [agentProgram(BASE), agentCommands(BASE), pythonProgram(sale), settleCommands(sale)]

const pages = new Set(['/docs', ...Object.keys(guides).map((name) => `/docs/${name}`)])
const find = routeTable(routesOf(endpoints))
const isServed = (path: string) => pages.has(path) || find(path.split('/').filter(Boolean)) !== undefined

/** The paths of our API in a text, with keys and ids filled in. */
function addressesIn(written: string): string[] {
  const named = [
    ...written.matchAll(/(?:GET|POST|PATCH|DELETE) (\/[\w/.{}<>-]*)/g),
    ...written.matchAll(/https:\/\/pay\.example(\/[\w/.{}<>-]+)/g),
    ...written.matchAll(/(?:\$BASE|base \+ ')(\/[\w/.{}<>-]+)/g),
  ]
  return named.map(([, path = '']) => path.replace(/<API_KEY>/g, 'key').replace(/{id}/g, 'id'))
}

describe('/llms.txt', () => {
  test('names only paths that the router serves', () => {
    const paths = [text, ...programs].flatMap(addressesIn)
    expect(paths).toEqual(expect.arrayContaining(['/sandbox', '/api/v1/agent/balance', '/docs', '/openapi.json']))
    const facilitatorUrls = ['/sandbox', '/v1/key']
    expect(paths.filter((path) => !isServed(path) && !facilitatorUrls.some((url) => url === path))).toEqual([])
  })

  test('names only fields of /openapi.json', () => {
    const { schemas } = openApiDocument(BASE, endpoints).components
    const fields = new Set([...JSON.stringify(schemas).matchAll(/"(\w+)":/g)].map(([, name]) => name))
    const parameters = new Set(
      endpoints.flatMap(({ params, query, headers }) => [params, query, headers].flatMap((one) => Object.keys(one?.shape ?? {}))),
    )
    const codes = new Set(errorCatalog.map(({ code }) => code))
    const said = [...text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([word]) => word)
    expect(said.length).toBeGreaterThan(10)
    expect(said.filter((word) => !fields.has(word) && !parameters.has(word) && !codes.has(word))).toEqual([])
  })

  test('shows the host and the origin of this service in the sign-in message', () => {
    expect(llmsText('http://localhost:3210')).toContain('localhost:3210 wants you to sign in with your Solana account:')
  })
})

test('/llms.txt and /openapi.json are cacheable for five minutes, and the same each time', async () => {
  const { app, close } = await startReading({ BASE_URL: BASE })
  const [first, again] = [await getOpenApi.handle(app, asked('/')), await getOpenApi.handle(app, asked('/'))]
  const json = documented('GET /openapi.json', { status: first.status, headers: first.headers, body: await first.json() })
  expect([json.body, await again.json()]).toEqual(
    Array(2).fill(JSON.parse(JSON.stringify(openApiDocument(BASE, endpoints, documentedMessages())))),
  )
  const plain = await getLlmsText.handle(app, asked('/'))
  expect([await plain.text(), plain.headers.get('content-type')]).toEqual([text, 'text/plain; charset=utf-8'])
  for (const { headers } of [first, plain]) expect(headers.get('cache-control')).toBe('public, max-age=300')
  await close()
})
