import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { agentRegistry } from './registry'

const WALLET = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'

/** A registry with this response; it records the requested URLs. */
async function registry(answer: (response: ServerResponse) => void): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const saying = (body: unknown) =>
  registry((response) => void response.end(typeof body === 'string' ? body : JSON.stringify(body)))

test('requests the agents of a wallet on a network and reads their fields', async () => {
  const data = [
    { token_id: '42', name: 'Weather\u202e Bot', url: 'https://agents.test/42', owner: 'x' },
    { token_id: 43, name: null },
    { token_id: '44', name: '', url: 'javascript:alert(1)' },
    { token_id: 'a:b', url: 'https://user@evil.com/' },
  ]
  const { url, asked } = await saying({ data, next: null })
  expect(await agentRegistry(`${url}/api/`, 'https://8004.test/')(WALLET, 'base')).toEqual([
    { tokenId: '42', name: 'Weather Bot', url: 'https://agents.test/42' },
    { tokenId: '43', name: null, url: 'https://8004.test/agents/base/43' },
    { tokenId: '44', name: null, url: 'https://8004.test/agents/base/44' },
    { tokenId: 'a:b', name: null, url: 'https://8004.test/agents/base/a%3Ab' },
  ])
  expect(asked).toEqual([`/api/agents?owner=${WALLET}&network=base`])
})

test("without a configured website, links lead to the registry's origin", async () => {
  const { url } = await saying({ data: [{ token_id: '1' }] })
  expect(await agentRegistry(`${url}/api`)(WALLET, 'base')).toMatchObject([{ url: `${url}/agents/base/1` }])
})

test('limits the number of agents of a wallet and the length of their names', async () => {
  const { url } = await saying({ data: Array.from({ length: 50 }, (_, at) => ({ token_id: at, name: 'x'.repeat(500) })) })
  const agents = await agentRegistry(url)(WALLET, 'base')
  expect(agents).toHaveLength(20)
  expect(agents[0]?.name).toHaveLength(100)
})

test.each<[string, (response: ServerResponse) => void]>([
  ['a status other than 200', (response) => response.writeHead(500).end('{"data":[]}')],
  ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end('{"data":[]}')],
  ['no JSON', (response) => response.end('<html>')],
  ['no list', (response) => response.end('{"data":{}}')],
  ['an agent without a token', (response) => response.end('{"data":[{"name":"x"}]}')],
  ['a token that is no id', (response) => response.end('{"data":[{"token_id":"../x"}]}')],
  ['too much', (response) => response.end(`{"data":[]${' '.repeat(300 * 1_024)}}`)],
  ['a closed socket', (response) => response.destroy()],
])('%s is an error, which names no wallet and no URL', async (_, answer) => {
  const { url } = await registry(answer)
  const error: unknown = await agentRegistry(`${url}/secret-path`)(WALLET, 'base').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).toMatch(/^Error: the agent registry /)
  expect(String(error)).not.toMatch(/secret-path|0x2096|127\.0\.0\.1/)
})

test('a registry that never answers times out', async () => {
  const { url } = await registry(() => {})
  await expect(agentRegistry(url, undefined, 50)(WALLET, 'base')).rejects.toThrow('the agent registry does not answer')
})

test('an unusable URL throws at the start', () => {
  expect(() => agentRegistry('ftp://registry.test')).toThrow('the URL of the agent registry cannot be used in a request')
})
