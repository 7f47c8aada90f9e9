import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReadOrigin, payeeOf, payeesAt, type ReadOrigin } from './origin'

const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const ACCEPTS = [
  { scheme: 'exact', network: 'eip155:84532', payTo: PAY_TO },
  { scheme: 'exact', network: 'base', payTo: PAY_TO },
  { scheme: 'exact', network: 'eip155:999999', payTo: PAY_TO },
  { network: 7, payTo: PAY_TO },
  'nothing',
]
const PAYEES = [payeeOf('eip155:84532', PAY_TO.toLowerCase()), payeeOf('eip155:8453', PAY_TO.toLowerCase())]
const OFFER = JSON.stringify({ accepts: ACCEPTS })
const header = { 'payment-required': Buffer.from(OFFER).toString('base64') }

type Page = (response: ServerResponse) => unknown
const pages: Record<string, Page> = {
  '/header': (response) => response.writeHead(402, header).end('{}'),
  '/body': (response) => response.writeHead(402).end(OFFER),
  '/free': (response) => response.writeHead(200, header).end(OFFER),
  '/moved': (response) => response.writeHead(302, { location: '/header' }).end(),
  '/long': (response) => response.writeHead(402).end(`${OFFER}${' '.repeat(65_536)}`),
  '/broken': (response) => response.writeHead(402).end('{"accepts":'),
  '/silent': () => undefined,
  '/cut': (response) => response.destroy(),
}

let server: Server
let origin: string
const asked: string[] = []
let file: Page
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const page = request.url === '/.well-known/x402' ? file : pages[request.url ?? '']
    if (page) page(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  file = (response) => response.writeHead(404).end()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const read = createReadOrigin({ privateHosts: true }, { timeoutMs: 300 })

test.each(['/header', '/body', '/header?payTo=0x3#part'])('the 402 of an origin at %s names whom it pays', async (path) => {
  expect([...(await payeesAt(read, `${origin}${path}`, false))]).toEqual(PAYEES)
})

test.each(['/free', '/moved', '/long', '/broken', '/silent', '/cut', '/missing'])(
  'its answer at %s names nobody',
  async (path) => {
    expect([...(await payeesAt(read, `${origin}${path}`, false))]).toEqual([])
  },
)

test('its file names whom it pays: where it has no 402, and alone for a route with a template', async () => {
  file = (response) => response.writeHead(200).end(OFFER)
  expect([...(await payeesAt(read, `${origin}/missing`, false))]).toEqual(PAYEES)
  file = (response) => response.writeHead(404).end()
  asked.length = 0
  expect([...(await payeesAt(read, `${origin}/header`, true))]).toEqual([])
  expect(asked).toEqual(['/.well-known/x402'])
})

test('no connection goes to a private address, whatever the name says', async () => {
  asked.length = 0
  const { port } = server.address() as AddressInfo
  const rebound = createReadOrigin(
    { privateHosts: false },
    { timeoutMs: 300, resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  )
  const nowhere: [ReadOrigin, string][] = [
    [rebound, `https://merchant.com:${port}/header`],
    [rebound, `http://merchant.com:${port}/header`],
    [rebound, `${origin}/header`],
    [rebound, `https://localhost:${port}/header`],
  ]
  for (const [reader, url] of nowhere) expect(await reader(url)).toBeNull()
  expect(asked).toEqual([])
})
