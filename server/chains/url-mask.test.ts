import { describe, expect, test } from 'vitest'
import { fakeNode, say } from '../../test/support/nodes/scripted-node'
import { createLog } from '../base/log'
import { createEvmChain } from './evm/chain'
import { createRpc } from './evm/rpc'
import { maskOf } from './url-mask'

describe('the mask of a URL', () => {
  test.each([
    ['https://S3cretKey.rpc.example/', 'getaddrinfo ENOTFOUND s3cretkey.rpc.example', 'getaddrinfo ENOTFOUND <url>'],
    ['https://s3cretkey.rpc.example/', 'the project S3CRETKEY is over its limit', 'the project <url> is over its limit'],
    ['https://rpc.test/v3/s3cret-key', 'no project s3cret-key (v3 of rpc)', 'no project <url> (v3 of rpc)'],
    ['https://user:s3cretkey@rpc.test/', 'the password s3cretkey is wrong', 'the password <url> is wrong'],
    ['https://rpc.test/?key=s3cret.key', 'not a key: s3cret.key, nor s3cretxkey', 'not a key: <url>, nor s3cretxkey'],
    ['https://rpc.test/s3cret%20key%', 's3cret%20key%', '<url>'],
    ['https://rpc.test/s3cret%2Fkey', 's3cret/key and s3cret%2fkey', '<url> and <url>'],
    ['http://node:8545/v2', 'execution reverted in node v2', 'execution reverted in node v2'],
  ])('of %s: %s', (url, text, masked) => {
    expect(maskOf(url)(text)).toBe(masked)
  })
})

describe('the key in the URL of an endpoint', () => {
  const NETWORK = 'eip155:84532'

  /** What a client of this URL logs about a failed call. */
  async function logged(url: string): Promise<string> {
    const lines: string[] = []
    const log = createLog('trace', { destination: { write: (line) => lines.push(line) } })
    await createRpc([url], NETWORK, log)('eth_call', []).catch((err: unknown) => log.error({ err }, 'failed'))
    return lines.join('')
  }

  test('is not logged when its host has no address', async () => {
    const line = await logged('https://s3cretkey.rpc.invalid/v2/s3cretkey')
    expect(line).toMatch(/getaddrinfo E\w+ <url>/)
    expect(line).not.toMatch(/s3cretkey/i)
  })

  test('is not logged when a proxy answers with a page that quotes it', async () => {
    const node = await fakeNode((_, response) => void response.end('no route /secret-key'))
    const line = await logged(node.url)
    expect(line).toContain('<url>')
    expect(line).not.toContain('secret-key')
  })

  test('is not in what a refused transaction tells, and the rest of the message is', async () => {
    const message = 'nonce too low; the project secret-key is over its limit, see /secret-key'
    const node = await fakeNode((questions, response) =>
      say(
        response,
        questions.map(({ id, method }) => ({
          jsonrpc: '2.0',
          id,
          ...(method === 'eth_chainId' ? { result: '0x14a34' } : { error: { code: -32_000, message, data: '0x08' } }),
        })),
      ),
    )
    const log = createLog('silent')
    const rpc = createRpc([node.url], NETWORK, log)
    const unread = () => Promise.reject(new Error('nothing is read'))
    const detail = 'nonce too low; the project <url> is over its limit, see /<url>'
    for (const chain of [createEvmChain(NETWORK, rpc), createEvmChain(NETWORK, unread, [], { sends: rpc })])
      expect(await chain.send('0x02')).toEqual({ answer: 'refused', detail })
  })
})
