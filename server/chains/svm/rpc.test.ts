import { describe, expect, test } from 'vitest'
import { type Answering, badGateway, type FakeNode, fakeNode, say, silence } from '../../../test/support/nodes/scripted-node'
import { cluster, MAINNET_GENESIS, refusal, svmRpcTo } from '../../../test/support/svm/fake-cluster'
import { rejectionOf } from '../json-rpc'
import { unreachable } from '../rpc'

const healthy = cluster({ getSlot: 7, getBlockHeight: (params: unknown[]) => params })
const foreign = cluster({ getSlot: 8 }, MAINNET_GENESIS)
const callsOf = (node: FakeNode) => node.methods().filter((method) => method !== 'getGenesisHash')

async function errorOf(answer: Answering): Promise<unknown> {
  const { url } = await fakeNode(answer)
  return svmRpcTo(url)('getSlot', []).then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('calls to a Solana node', () => {
  test('leave one by one, the first with a question for the genesis hash, and each gets its own answer', async () => {
    const node = await fakeNode(healthy)
    const rpc = svmRpcTo(node.url)
    const numbers = Array.from({ length: 10 }, (_, at) => [at])
    expect(await Promise.all(numbers.map((params) => rpc('getBlockHeight', params)))).toEqual(numbers)
    expect(node.requests).toHaveLength(10 + 1)
    expect(await rpc('getSlot', [])).toBe(7)
    expect(node.requests).toHaveLength(10 + 1 + 1)
  })

  test('go to the next endpoint when one does not answer, a send too, with the same bytes', async () => {
    const [broken, next] = [
      await fakeNode(badGateway),
      await fakeNode(cluster({ sendTransaction: (params: unknown[]) => params })),
    ]
    expect(await svmRpcTo(broken.url, next.url)('sendTransaction', ['AQID', {}])).toEqual(['AQID', {}])
    expect([callsOf(broken), callsOf(next)]).toEqual([['sendTransaction'], ['sendTransaction']])
  })

  test('go to the next endpoint when one refuses, and return the error when all do', async () => {
    const [limited, next] = [
      await fakeNode(cluster({ getSlot: refusal(-32_005, 'Node is behind by 200 slots') })),
      await fakeNode(healthy),
    ]
    expect(await svmRpcTo(limited.url, next.url)('getSlot', [])).toBe(7)
    next.turn(badGateway)
    const error: unknown = await svmRpcTo(limited.url, next.url)('getSlot', []).catch((cause: unknown) => cause)
    expect(rejectionOf(error)).toMatchObject({ code: -32_005, message: 'Node is behind by 200 slots' })
  })

  test('stop at the first node that says the bytes are no transaction: no other could run them', async () => {
    const invalid = cluster({ simulateTransaction: refusal(-32_602, 'invalid transaction: index out of bounds') })
    const [first, second] = [await fakeNode(invalid), await fakeNode(healthy)]
    await expect(svmRpcTo(first.url, second.url)('simulateTransaction', [])).rejects.toThrow()
    expect(callsOf(second)).toEqual([])
  })

  test('are never retried', async () => {
    const node = await fakeNode(cluster({ getSlot: refusal(-32_000, 'Blockhash not found') }))
    await expect(svmRpcTo(node.url)('getSlot', [])).rejects.toThrow()
    expect(callsOf(node)).toEqual(['getSlot'])
  })
})

describe('an endpoint of another cluster', () => {
  test('is never believed: the next one answers, and it gets no further request', async () => {
    const [other, ours] = [await fakeNode(foreign), await fakeNode(healthy)]
    const rpc = svmRpcTo(other.url, ours.url)
    for (let call = 0; call < 3; call++) expect(await rpc('getSlot', [])).toBe(7)
    expect(callsOf(other)).toEqual(['getSlot'])
  })

  test('is a 503 when there is no other, and gets no payment', async () => {
    const node = await fakeNode(foreign)
    const rpc = svmRpcTo(node.url)
    await rpc('getSlot', []).catch(() => {})
    const error: unknown = await rpc('sendTransaction', ['AQID']).catch((cause: unknown) => cause)
    expect(node.methods()).not.toContain('sendTransaction')
    expect(unreachable('Solana devnet', error)).toMatchObject({
      refusal: 'unavailable',
      message: 'every Solana devnet node is on another chain; nothing was sent, try again shortly',
    })
  })

  test.each([[null], [7], [''], ['EtWT'], ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1'], [{}]])(
    'or of none: %j is no genesis hash, and the next one answers',
    async (genesis) => {
      const [odd, ours] = [await fakeNode(cluster({ getSlot: 8 }, genesis)), await fakeNode(healthy)]
      expect(await svmRpcTo(odd.url, ours.url)('getSlot', [])).toBe(7)
    },
  )
})

describe('an endpoint that never answers', () => {
  test('gets only a few requests, and the next endpoint answers every call', async () => {
    const [hole, ours] = [await fakeNode(silence), await fakeNode(healthy)]
    const rpc = svmRpcTo(hole.url, ours.url)
    for (let call = 0; call < 10; call++) expect(await rpc('getSlot', [])).toBe(7)
    expect(callsOf(hole).length).toBeLessThanOrEqual(5)
  })

  test('has missed once when many calls leave together', async () => {
    const [broken, ours] = [await fakeNode(badGateway), await fakeNode(healthy)]
    const rpc = svmRpcTo(broken.url, ours.url)
    await Promise.all(Array.from({ length: 20 }, () => rpc('getSlot', [])))
    broken.turn(healthy)
    await rpc('getBlockHeight', [])
    expect(callsOf(broken)).toContain('getBlockHeight')
  })
})

const silent: [string, Answering][] = [
  ['a 502 with HTML', badGateway],
  [
    'a 429',
    (_, response) => void response.writeHead(429).end('{"jsonrpc":"2.0","error":{"code":429,"message":"Too many requests"}}'),
  ],
  ['a 200 with HTML', (_, response) => void response.end('<html>')],
  ['nothing', (_, response) => void response.end()],
  ['a closed socket', (_, response) => void response.destroy()],
  ['an answer to another call', ([one], response) => say(response, { jsonrpc: '2.0', id: (one?.id ?? 0) + 1, result: 7 })],
  [
    'an answer to no call',
    (_, response) => say(response, { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } }),
  ],
  ['a batch', ([one], response) => say(response, [{ jsonrpc: '2.0', id: one?.id, result: 7 }])],
  ['null', (_, response) => say(response, null)],
]
test.each(silent)('a node said nothing when it sent %s', async (_, answer) => {
  const error = await errorOf(answer)
  expect(error).toBeInstanceOf(Error)
  expect(rejectionOf(error)).toBeNull()
})
