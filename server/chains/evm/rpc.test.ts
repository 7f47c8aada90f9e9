import { describe, expect, test } from 'vitest'
import { testLog } from '../../../test/support/logs'
import { type Answering, echo, fakeNode, hexOf, rpcTo, say } from '../../../test/support/nodes/scripted-node'
import { until } from '../../../test/support/until'
import { asRecord, rejectionOf } from '../json-rpc'
import { unreachable } from '../rpc'
import { asHex, createNodes, isExecutionFailure } from './rpc'

async function errorOf(answer: Answering): Promise<unknown> {
  const { url } = await fakeNode(answer)
  return rpcTo(url)('eth_call', []).then(
    () => undefined,
    (error: unknown) => error,
  )
}

const refuses =
  (error: object): Answering =>
  (questions, response) =>
    say(
      response,
      questions.map(({ id }) => ({ jsonrpc: '2.0', id, error })),
    )

test("each endpoint tells how its recent calls went; a node's own error is a response", async () => {
  const broken = await fakeNode((_, response) => response.writeHead(502).end('<html>'))
  const refusing = await fakeNode(refuses({ code: -32_601, message: 'no such method' }))
  const { rpc, endpoints } = createNodes([broken.url, refusing.url], 'eip155:84532', testLog())
  expect(endpoints()).toMatchObject([
    { status: 'fit', calls: 0, failed: 0, medianMs: null },
    { calls: 0, medianMs: null },
  ])
  await expect(rpc('eth_sendRawTransaction', ['0x'])).rejects.toThrow()
  expect(endpoints()).toMatchObject([
    { calls: 1, failed: 1, medianMs: null },
    { calls: 1, failed: 0, medianMs: expect.any(Number) },
  ])
})

describe('calls to a node', () => {
  test('of the same turn leave as one HTTP request, the first time with the chain id, and each gets its own response', async () => {
    const { url, requests } = await fakeNode((questions, response) => echo(questions.toReversed(), response))
    const rpc = rpcTo(url)
    const names = Array.from({ length: 20 }, (_, at) => `eth_${at}`)
    expect(await Promise.all(names.map((name) => rpc(name, [])))).toEqual(names.map(hexOf))
    expect(requests.map((questions) => questions.length)).toEqual([20 + 1])
    await rpc('eth_later', [1])
    expect(requests.map((questions) => questions.length)).toEqual([20 + 1, 1])
  })

  test('go to the next endpoint when one does not answer', async () => {
    const broken = await fakeNode((_, response) => response.writeHead(502).end('<html>'))
    const healthy = await fakeNode(echo)
    expect(await rpcTo(broken.url, healthy.url)('eth_blockNumber', [])).toBe(hexOf('eth_blockNumber'))
    expect([broken.requests.length, healthy.requests.length]).toEqual([1, 1])
  })

  test('are never retried when they send', async () => {
    const { url, requests } = await fakeNode((_, response) => response.writeHead(503).end())
    await expect(rpcTo(url)('eth_sendRawTransaction', ['0x'])).rejects.toThrow()
    expect(requests).toHaveLength(1)
  })

  test('are retried once when they read and no node answered', async () => {
    const node = await fakeNode((_, response) => response.destroy())
    const rpc = rpcTo(node.url)
    const answer = rpc('eth_call', [])
    await until(() => node.requests.length === 1, 'the first request', undefined, 1)
    node.turn(echo)
    expect(await answer).toBe(hexOf('eth_call'))
    expect(node.requests).toHaveLength(2)
    node.turn((_, response) => response.writeHead(502).end())
    await expect(rpc('eth_call', [])).rejects.toThrow()
    expect(node.requests).toHaveLength(4)
  })

  test('are made once when the node is known to be down, or returned an error', async () => {
    const node = await fakeNode((_, response) => response.writeHead(502).end())
    const rpc = rpcTo(node.url)
    for (let call = 0; call < 3; call++) await rpc('eth_call', []).catch(() => {})
    const before = node.requests.length
    await expect(rpc('eth_call', [])).rejects.toThrow()
    expect(node.requests).toHaveLength(before + 1)
    const speaking = await fakeNode(refuses({ code: -32_603, message: 'internal error' }))
    await expect(rpcTo(speaking.url)('eth_call', [])).rejects.toThrow()
    expect(speaking.requests).toHaveLength(1)
  })

  test('never take the answer to another call for theirs when one is missing', async () => {
    const { url } = await fakeNode((questions, response) => echo(questions.slice(1), response))
    const rpc = rpcTo(url)
    const answers = await Promise.allSettled(['a', 'b', 'c'].map((name) => rpc(name, [])))
    expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected', 'rejected'])
  })
})

describe('what a node said', () => {
  test('is returned when it answered with a JSON-RPC error', async () => {
    const reverted = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
    expect(rejectionOf(await errorOf(refuses(reverted)))).toEqual({
      code: 3,
      message: 'execution reverted: no',
      data: '0x08c379a0',
    })
    const tooLow = { code: -32_000, message: 'nonce too low' }
    expect(rejectionOf(await errorOf(refuses(tooLow)))).toEqual({ code: -32_000, message: 'nonce too low', data: undefined })
    const nested = { code: -32_603, message: 'internal', data: { data: '0x1234' } }
    expect(rejectionOf(await errorOf(refuses(nested)))).toMatchObject({ data: { data: '0x1234' } })
  })

  const silence: [string, Answering][] = [
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
  ])('is not one that it could not run: %i %s', async (code, message) => {
    expect(isExecutionFailure(await errorOf(refuses({ code, message })))).toBe(false)
  })
})

test('an unreachable node is a refusal whose public message holds no address', async () => {
  const cause = await errorOf((_, response) => response.writeHead(502).end('<html>'))
  expect(String(cause)).not.toContain('secret-key')
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
