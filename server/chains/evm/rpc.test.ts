import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asHex, asRecord, createRpc, isExecutionFailure, rejectionOf, unreachable } from './rpc'

const Question = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
type Question = z.infer<typeof Question>
type Answer = (questions: Question[], response: ServerResponse) => void

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A node that answers as told, and counts the HTTP requests it got. */
async function node(answer: Answer): Promise<{ url: string; requests: Question[][] }> {
  const requests: Question[][] = []
  const server = createServer(async (request, response) => {
    const questions = z.array(Question).parse(await json(request))
    requests.push(questions)
    answer(questions, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/secret-key`, requests }
}

const say = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
const echo: Answer = (questions, response) =>
  say(
    response,
    questions.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: `0x${Buffer.from(method).toString('hex')}` })),
  )
const hexOf = (text: string) => `0x${Buffer.from(text).toString('hex')}`

async function errorOf(answer: Answer): Promise<unknown> {
  const { url } = await node(answer)
  return createRpc([url])('eth_call', []).then(
    () => undefined,
    (error: unknown) => error,
  )
}

const refuses =
  (error: object): Answer =>
  (questions, response) =>
    say(
      response,
      questions.map(({ id }) => ({ jsonrpc: '2.0', id, error })),
    )

describe('calls to a node', () => {
  test('of the same turn leave as one HTTP request, and each gets its own answer', async () => {
    const { url, requests } = await node((questions, response) => echo(questions.toReversed(), response))
    const rpc = createRpc([url])
    const names = Array.from({ length: 20 }, (_, at) => `eth_${at}`)
    expect(await Promise.all(names.map((name) => rpc(name, [])))).toEqual(names.map(hexOf))
    expect(requests.map((questions) => questions.length)).toEqual([20])
    await rpc('eth_later', [1])
    expect(requests.map((questions) => questions.length)).toEqual([20, 1])
  })

  test('go to the next endpoint when one does not answer', async () => {
    const broken = await node((_, response) => response.writeHead(502).end('<html>'))
    const sound = await node(echo)
    expect(await createRpc([broken.url, sound.url])('eth_chainId', [])).toBe(hexOf('eth_chainId'))
    expect([broken.requests.length, sound.requests.length]).toEqual([1, 1])
  })

  test('are never repeated', async () => {
    const { url, requests } = await node((_, response) => response.writeHead(503).end())
    await expect(createRpc([url])('eth_sendRawTransaction', ['0x'])).rejects.toThrow()
    expect(requests).toHaveLength(1)
  })

  test('never take the answer to another call for theirs when one is missing', async () => {
    const { url } = await node((questions, response) => echo(questions.slice(1), response))
    const rpc = createRpc([url])
    const answers = await Promise.allSettled(['a', 'b', 'c'].map((name) => rpc(name, [])))
    expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected', 'rejected'])
  })
})

describe('what a node said', () => {
  test('is told when it answered with a JSON-RPC error', async () => {
    const reverted = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
    expect(rejectionOf(await errorOf(refuses(reverted)))).toEqual({
      code: 3,
      message: 'execution reverted: no',
      data: '0x08c379a0',
    })
    const tooLow = { code: -32_000, message: 'nonce too low' }
    expect(rejectionOf(await errorOf(refuses(tooLow)))).toEqual({ code: -32_000, message: 'nonce too low', data: null })
    const nested = { code: -32_603, message: 'internal', data: { data: '0x1234' } }
    expect(rejectionOf(await errorOf(refuses(nested)))).toMatchObject({ data: '0x1234' })
  })

  const silence: [string, Answer][] = [
    ['a 502 with HTML', (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway')],
    ['a 200 with HTML', (_, response) => response.end('<html>')],
    [
      'truncated JSON',
      (_, response) => response.setHeader('content-type', 'application/json').end('[{"jsonrpc":"2.0","id":1,"err'),
    ],
    ['nothing', (_, response) => response.end()],
    ['a closed socket', (_, response) => response.destroy()],
    [
      'a body that stops',
      (_, response) => response.writeHead(200, { 'content-length': '500' }).write('[', () => response.destroy()),
    ],
    [
      'an answer to another call',
      ([one], response) => say(response, [{ jsonrpc: '2.0', id: (one?.id ?? 0) + 1, result: '0x1' }]),
    ],
    [
      'an error about another call',
      ([one], response) =>
        say(response, [{ jsonrpc: '2.0', id: (one?.id ?? 0) + 1, error: { code: 3, message: 'execution reverted' } }]),
    ],
    [
      'one error for the whole batch',
      (_, response) => say(response, { jsonrpc: '2.0', id: null, error: { code: -32_005, message: 'limit' } }),
    ],
    ['an empty batch', (_, response) => say(response, [])],
    ['null', (_, response) => say(response, null)],
  ]
  test.each(silence)('is nothing when it sent %s', async (_, answer) => {
    const error = await errorOf(answer)
    expect(error).toBeInstanceOf(Error)
    expect(rejectionOf(error)).toBeNull()
  })

  test.each([[null], ['text'], [new Error('no')], [Object.assign(new Error('no'), { code: 3 })]])(
    'is nothing for %s',
    (error) => {
      expect(rejectionOf(error)).toBeNull()
    },
  )
})

describe('an execution that failed', () => {
  test.each([
    [3, 'execution reverted: no'],
    [-32_000, 'out of gas'],
    [-32_000, 'invalid opcode: INVALID'],
    [-32_003, 'EVM error: InvalidFEOpcode'],
    [-32_000, 'intrinsic gas too low'],
    [-32_000, 'stack underflow (0 <=> 1)'],
  ])('is one that the node ran: %i %s', async (code, message) => {
    expect(isExecutionFailure(await errorOf(refuses({ code, message })))).toBe(true)
  })

  test.each([
    [-32_005, 'daily request count exceeded, request rate limited'],
    [429, 'Too Many Requests'],
    [-32_603, 'internal error'],
    [-32_000, 'header not found'],
    [-32_601, 'the method eth_call does not exist'],
    [-32_602, 'BlockOutOfRangeError: block height is 49 but requested was 48'],
  ])('is none that it could not run: %i %s', async (code, message) => {
    expect(isExecutionFailure(await errorOf(refuses({ code, message })))).toBe(false)
  })
})

test('an unreachable node is a refusal whose public words hold no address', async () => {
  const cause = await errorOf((_, response) => response.writeHead(502).end('<html>'))
  expect(String(cause)).toContain('secret-key')
  const { refusal, message, facts } = unreachable('Base Sepolia', cause)
  expect({ refusal, message, facts }).toEqual({
    refusal: 'upstream',
    message: 'the Base Sepolia node did not answer; nothing was sent, try again',
    facts: { reason: 'upstream_unreachable' },
  })
})

describe('what a node must send', () => {
  test.each([null, undefined, 7, '', '12', '0xzz', {}])('hex, not %j', (value) => {
    expect(() => asHex(value, 'eth_call')).toThrow('node answered eth_call with something that is not hex')
    expect(asHex('0x0A', 'eth_call')).toBe('0x0A')
  })

  test.each([null, undefined, 7, 'text', []])('an object, not %j', (value) => {
    expect(() => asRecord(value, 'eth_getBlock')).toThrow('node answered eth_getBlock with something that is not an object')
    expect(asRecord({ a: 1 }, 'eth_getBlock')).toEqual({ a: 1 })
  })
})
