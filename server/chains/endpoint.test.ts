import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type Answering,
  badGateway,
  echo,
  fakeNode,
  foreignEcho,
  hexOf,
  rpcTo,
  silence,
} from '../../test/support/nodes/scripted-node'
import { until } from '../../test/support/until'
import { unreachable } from './rpc'

const callsOf = (methods: string[]) => methods.filter((method) => method !== 'eth_chainId')

describe('an endpoint that never answers', () => {
  test('gets at most five HTTP requests, and the next endpoint answers every call', async () => {
    const [hole, healthy] = [await fakeNode(silence), await fakeNode(echo)]
    const rpc = rpcTo(hole.url, healthy.url)
    for (let call = 0; call < 10; call++) expect(await rpc(`eth_${call}`, [])).toBe(hexOf(`eth_${call}`))
    // Three, but for a call that leaves in the moment before the third is counted.
    expect(callsOf(hole.methods()).length).toBeLessThanOrEqual(5)
    expect(callsOf(healthy.methods())).toHaveLength(10)
  })

  test('is still called when there is no other', async () => {
    const only = await fakeNode(badGateway)
    const rpc = rpcTo(only.url)
    for (let call = 0; call < 5; call++) await expect(rpc('eth_call', [])).rejects.toThrow()
    only.turn(echo)
    expect(await rpc('eth_call', [])).toBe(hexOf('eth_call'))
    // five calls and the sixth, and one that was made again before the outage was known
    expect(callsOf(only.methods())).toHaveLength(7)
  })

  test('has missed once when a hundred calls leave in one request', async () => {
    const [broken, healthy] = [await fakeNode(badGateway), await fakeNode(echo)]
    const rpc = rpcTo(broken.url, healthy.url)
    await Promise.all(Array.from({ length: 50 }, (_, at) => rpc(`eth_${at}`, [])))
    broken.turn(echo)
    await rpc('eth_later', [])
    expect(broken.methods()).toContain('eth_later')
  })

  test('is used again soon after it answers its probe, which no call waits for', async () => {
    const [broken, healthy] = [await fakeNode(badGateway), await fakeNode(echo)]
    const rpc = rpcTo(broken.url, healthy.url)
    for (let call = 0; call < 4; call++) await rpc('eth_call', [])
    const before = callsOf(broken.methods()).length
    broken.turn(echo)
    await until(
      async () => {
        await rpc('eth_call', [])
        return callsOf(broken.methods()).length > before
      },
      'the first endpoint to be asked again',
      30_000,
      200,
    )
    expect(broken.requests.at(before)?.map(({ method }) => method)).toEqual(['eth_chainId'])
  })
})

describe('an endpoint of another chain', () => {
  test('is never believed: the next one answers, and it gets no further request', async () => {
    const [foreign, healthy] = [await fakeNode(foreignEcho), await fakeNode(echo)]
    const rpc = rpcTo(foreign.url, healthy.url)
    for (let call = 0; call < 5; call++) expect(await rpc('eth_call', [])).toBe(hexOf('eth_call'))
    expect(callsOf(foreign.methods())).toEqual(['eth_call'])
    expect(callsOf(healthy.methods())).toHaveLength(5)
  })

  test('that takes over from a failed one is noticed before any of its responses count', async () => {
    const [first, second] = [await fakeNode(echo), await fakeNode(foreignEcho)]
    const rpc = rpcTo(first.url, second.url)
    await rpc('eth_call', [])
    first.turn(badGateway)
    await expect(rpc('eth_call', [])).rejects.toThrow()
    first.turn(echo)
    expect(await rpc('eth_call', [])).toBe(hexOf('eth_call'))
  })

  test('behind the address of one that was right is noticed at the first failure', async () => {
    const only = await fakeNode(echo)
    const rpc = rpcTo(only.url)
    await rpc('eth_call', [])
    only.turn(badGateway)
    await expect(rpc('eth_call', [])).rejects.toThrow()
    only.turn(foreignEcho)
    await expect(rpc('eth_call', [])).rejects.toThrow('another chain')
    only.turn(echo)
    expect(await rpc('eth_call', [])).toBe(hexOf('eth_call'))
  })

  test('is a 503 when there is no other, and gets no payment', async () => {
    const only = await fakeNode(foreignEcho)
    const rpc = rpcTo(only.url)
    await rpc('eth_blockNumber', []).catch(() => {})
    const error: unknown = await rpc('eth_sendRawTransaction', ['0x']).catch((cause: unknown) => cause)
    expect(only.methods()).not.toContain('eth_sendRawTransaction')
    expect(unreachable('Base Sepolia', error)).toMatchObject({
      refusal: 'unavailable',
      facts: { reason: 'facilitator_unavailable', retryAfterSeconds: 2 },
    })
  })
})

test('a slow endpoint is not waited for alone: the next one gets the call too, and the first response counts', async () => {
  const slow = await fakeNode(silence)
  let release = () => {}
  slow.turn((questions, response) => {
    release = () => echo(questions, response)
  })
  const second = await fakeNode(silence)
  const answer = rpcTo(slow.url, second.url)('eth_call', [])
  await until(() => second.requests.length === 1, 'the second to be asked')
  release()
  expect(await answer).toBe(hexOf('eth_call'))
})

test('equal calls of one turn are sent once, and again in the next', async () => {
  const node = await fakeNode(echo)
  const rpc = rpcTo(node.url)
  const newest = () => rpc('eth_getBlockByNumber', ['latest', false])
  const answers = await Promise.all([
    newest(),
    rpc('eth_getCode', ['0x1', 'latest']),
    newest(),
    rpc('eth_getCode', ['0x2', 'latest']),
  ])
  expect(answers).toEqual(['eth_getBlockByNumber', 'eth_getCode', 'eth_getBlockByNumber', 'eth_getCode'].map(hexOf))
  expect(callsOf(node.methods()).sort()).toEqual(['eth_getBlockByNumber', 'eth_getCode', 'eth_getCode'])
  await newest()
  expect(callsOf(node.methods())).toHaveLength(4)
})

test('a call to a quiet node leaves with its turn of the event loop: no timer holds it back', async () => {
  const rpc = rpcTo((await fakeNode(echo)).url)
  await rpc('eth_first', [])
  const start = globalThis.setTimeout
  const stopped = (work: () => void, ms = 0) => start(work, ms < 100 ? 600_000 : ms)
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(stopped as typeof setTimeout)
  onTestFinished(() => spy.mockRestore())
  for (const method of ['eth_a', 'eth_b']) expect(await rpc(method, [])).toBe(hexOf(method))
})

describe('a call that runs untrusted code', () => {
  test('shares its HTTP request with no other call, and others go on sharing theirs', async () => {
    const node = await fakeNode(echo)
    const rpc = rpcTo(node.url)
    await rpc('eth_first', [])
    const answers = await Promise.all([
      rpc('eth_a', []),
      rpc('eth_strange', [1], 'alone'),
      rpc('eth_strange', [2], 'alone'),
      rpc('eth_b', []),
    ])
    expect(answers).toEqual(['eth_a', 'eth_strange', 'eth_strange', 'eth_b'].map(hexOf))
    const together = node.requests.map((questions) => questions.map(({ method }) => method).join()).slice(1)
    expect(together.toSorted()).toEqual(['eth_a,eth_b', 'eth_strange', 'eth_strange'])
  })

  test('by one client of an address never shares a request with another client of it', async () => {
    const node = await fakeNode(echo)
    const [payments, wallets] = [rpcTo(node.url), rpcTo(node.url)]
    await Promise.all([payments('eth_first', []), wallets('eth_first', [])])
    node.requests.length = 0
    await Promise.all([payments('eth_a', []), wallets('eth_b', [])])
    expect(node.requests.map((questions) => questions.length)).toEqual([1, 1])
  })
})

describe('an answer without an end', () => {
  const endless = () => {
    const cut = { bytes: 0, by: 0 }
    const answering: Answering = (_, response) => {
      const piece = 'x'.repeat(2 ** 14)
      response.once('close', () => cut.by++)
      const more = () => {
        while (!response.destroyed && response.write(piece)) cut.bytes += piece.length
        response.once('drain', more)
      }
      more()
    }
    return { cut, answering }
  }

  /** Has no deadline of a call pass before the test ends. A busy machine may take seconds to read 16 MB. */
  function withoutDeadlines(): void {
    const start = globalThis.setTimeout
    const patient = (work: () => void, ms = 0) => start(work, ms < 500 ? ms : 600_000)
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(patient as typeof setTimeout)
    onTestFinished(() => spy.mockRestore())
  }

  test.each([
    { how: undefined, bytes: 16 * 2 ** 20 },
    { how: 'alone' as const, bytes: 2 ** 16 },
  ])('is read to its bound and no further ($bytes bytes), and its node is not taken for silent', async ({ how, bytes }) => {
    withoutDeadlines()
    const [{ cut, answering }, healthy] = [endless(), await fakeNode(echo)]
    const long = await fakeNode(echo)
    const rpc = rpcTo(long.url, healthy.url)
    await rpc('eth_first', [])
    long.turn(answering)
    for (let call = 0; call < 4; call++) expect(await rpc('eth_call', [], how)).toBe(hexOf('eth_call'))
    await until(() => cut.by === 4, 'the connections to be cut')
    // Bytes sent before the bound was reached are still in buffers.
    expect(cut.bytes).toBeLessThan(4 * bytes + 16 * 2 ** 20)
    long.turn(echo)
    await rpc('eth_later', [])
    expect(long.methods()).toContain('eth_later')
  })
})
