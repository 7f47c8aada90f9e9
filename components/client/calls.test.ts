import { initTRPC, TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { expect, test } from 'vitest'
import { type Call, type CallError, createCalls, isCallError } from './calls'

const { procedure, router } = initTRPC.create()

const api = router({
  echo: procedure.input((input: unknown) => input).query(({ input }) => ({ heard: input })),
  refuse: procedure.query(() => {
    throw new TRPCError({ code: 'NOT_FOUND', message: 'nothing has this id' })
  }),
  change: procedure.input((input: unknown) => input).mutation(({ input }) => ({ changed: input })),
})

/** A service that speaks tRPC, and what it was asked. */
function service() {
  const asked: string[] = []
  const fetch = (url: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'GET'} ${new URL(url).pathname}`)
    return fetchRequestHandler({ endpoint: '/api', req: new Request(url, init), router: api, maxBatchSize: 10 })
  }
  return { asked, make: createCalls('http://localhost/api', fetch) }
}

const call = (path: string, input: unknown, more: Partial<Call> = {}): Call => ({
  type: 'query',
  path,
  input,
  alone: false,
  ...more,
})

const errorOf = (made: Promise<unknown>): Promise<CallError> =>
  made.then(
    () => expect.unreachable('the call did not fail'),
    (error) => (isCallError(error) ? error : expect.unreachable('it failed otherwise')),
  )

test('calls of one turn share a request, and each gets its own answer', async () => {
  const { asked, make } = service()
  const made = Promise.all([make(call('echo', { text: 'a,b & ü' })), make(call('echo', undefined)), make(call('echo', [0]))])
  expect(await made).toEqual([{ heard: { text: 'a,b & ü' } }, {}, { heard: [0] }])
  expect(asked).toEqual(['GET /api/echo,echo,echo'])
})

test('a request has ten calls, of one kind; a slow call waits for no other', async () => {
  const { asked, make } = service()
  const made = [
    ...Array.from({ length: 11 }, (_, no) => make(call('echo', no))),
    make(call('change', 1, { type: 'mutation' })),
    make(call('echo', 'slow', { alone: true })),
  ]
  expect(await Promise.all(made)).toHaveLength(13)
  expect(asked.map((one) => [one.split(' ')[0], one.split(',').length])).toEqual([
    ['GET', 10],
    ['GET', 1],
    ['POST', 1],
    ['GET', 1],
  ])
})

test('a change names the account that it is made for', async () => {
  const sent: unknown[] = []
  const make = createCalls('/api', async (_, init) => {
    sent.push(init?.headers)
    return Response.json([{ result: { data: 1 } }])
  })
  await make(call('change', 1, { type: 'mutation', account: 'alice' }))
  await make(call('change', 1, { type: 'mutation', account: null }))
  expect(sent).toEqual([{ 'content-type': 'application/json', 'x-account': 'alice' }, { 'content-type': 'application/json' }])
})

test('a refused call fails with what the service said, and those beside it succeed', async () => {
  const { make } = service()
  const [refused, heard] = [errorOf(make(call('refuse', undefined))), make(call('echo', 1))]
  expect(await heard).toEqual({ heard: 1 })
  expect(await refused).toMatchObject({ message: 'nothing has this id', data: { code: 'NOT_FOUND', httpStatus: 404 } })
})

test('a refusal of the server before the procedures keeps its message', async () => {
  const make = createCalls('/api', async () => Response.json({ error: 'the body exceeds 64 KB' }, { status: 413 }))
  const failed = await errorOf(make(call('change', 1, { type: 'mutation' })))
  expect(failed).toMatchObject({ message: 'the body exceeds 64 KB', data: { httpStatus: 413 } })
})

test.each([
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a page of a proxy', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['another form', async () => Response.json({ status: 'down' })],
  ['too few answers', async () => Response.json([{ result: { data: 1 } }])],
])('%s fails the calls without data', async (_, fetch) => {
  const make = createCalls('/api', fetch)
  const [, last] = await Promise.all([make(call('echo', 1)).catch(() => null), errorOf(make(call('echo', 2)))])
  expect(last.data).toBeUndefined()
})
