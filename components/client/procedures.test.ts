import { MutationObserver, QueryClient, skipToken } from '@tanstack/react-query'
import { createTRPCClient } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { expect, test } from 'vitest'
import type { Root } from '@/server/trpc/router'
import type { Call } from './calls'
import { createProcedures } from './procedures'

/** Procedures that note their calls. */
function noting() {
  const made: Call[] = []
  const trpc = createProcedures(async (call) => made.push(call))
  return { made, trpc }
}

test('keys are those of tRPC, so one kind of filter finds them all', () => {
  const { trpc } = noting()
  const own = createTRPCOptionsProxy<Root>({ client: createTRPCClient({ links: [] }), queryClient: new QueryClient() })
  const keysOf = (of: typeof own) => [
    of.keys.list.queryOptions().queryKey,
    of.agent.solanaTransfer.queryOptions({ network: 'solana' }).queryKey,
    of.agent.solanaTransfer.queryOptions(skipToken).queryKey,
    of.keys.revoke.mutationOptions().mutationKey,
    of.keys.pathFilter().queryKey,
    of.keys.list.pathFilter().queryKey,
  ]
  expect(keysOf(trpc)).toEqual(keysOf(own))
})

test('options and plain calls call their procedure with their input', async () => {
  const { made, trpc } = noting()
  const queries = new QueryClient()
  await queries.fetchQuery(trpc.keys.list.queryOptions())
  await queries.fetchQuery(trpc.agent.solanaTransfer.queryOptions({ network: 'a' }, { trpc: { context: { alone: true } } }))
  await trpc.agent.solanaTransfer.query({ network: 'b' })
  await trpc.keys.revoke.mutate({ id: 'c' })
  expect(made.map(({ type, path, input, alone }) => [type, path, input, alone])).toEqual([
    ['query', 'keys.list', undefined, false],
    ['query', 'agent.solanaTransfer', { network: 'a' }, true],
    ['query', 'agent.solanaTransfer', { network: 'b' }, false],
    ['mutation', 'keys.revoke', { id: 'c' }, false],
  ])
})

test('a mutation calls its procedure, then what its screen gave', async () => {
  const { made, trpc } = noting()
  const done: unknown[] = []
  const options = trpc.keys.revoke.mutationOptions({ onSuccess: (_, input) => done.push(input) })
  await new MutationObserver(new QueryClient(), options).mutate({ id: 'd' })
  expect(made).toEqual([{ type: 'mutation', path: 'keys.revoke', input: { id: 'd' }, alone: false }])
  expect(done).toEqual([{ id: 'd' }])
})

test('procedures are no promise', async () => {
  const { trpc } = noting()
  expect(await Promise.resolve(trpc)).toBe(trpc)
})
