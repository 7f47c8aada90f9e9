import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { callError, type MakeCall } from './calls'
import { heldWhileSignedOut } from './held-calls'
import { createProcedures } from './procedures'

const KEY = [['session', 'get'], { type: 'query' }]

/** A page with its session, and a service that refuses calls without one. */
function page(account: string | null) {
  const service = { account, calls: 0, madeFor: new Set<string | null | undefined>() }
  const queries = new QueryClient()
  const read = () => ({ who: service.account === null ? null : { account: service.account } })
  const session = new QueryObserver(queries, { queryKey: KEY, queryFn: read })
  session.subscribe(() => {})
  const answer: MakeCall = async ({ path, account: madeFor }) => {
    service.calls++
    service.madeFor.add(madeFor)
    if (service.account !== null && path !== 'agent.balance') return { keys: [] }
    throw callError('sign in', { code: 'UNAUTHORIZED', httpStatus: 401, field: null })
  }
  const client = createProcedures(heldWhileSignedOut(queries, answer))
  const signIn = async (name: string) => {
    service.account = name
    await session.refetch()
  }
  return { service, client, session, signIn }
}

const settled = async (call: Promise<unknown>) => Promise.race([call.then(String, String), tick(20).then(() => 'waits')])
const tick = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms))

test('calls of a page whose session ended wait, and are made again once the same account is signed in', async () => {
  const { service, client, signIn } = page('alice')
  await tick()
  service.account = null
  const [one, other] = [client.keys.list.query(), client.keys.list.query()]
  expect([await settled(one), await settled(other), service.calls]).toEqual(['waits', 'waits', 2])
  await signIn('alice')
  expect(await Promise.all([one, other])).toEqual([{ keys: [] }, { keys: [] }])
  expect(service.calls).toBe(4)
  expect([...service.madeFor]).toEqual(['alice'])
})

test('they fail if another account signs in', async () => {
  const { service, client, signIn } = page('alice')
  await tick()
  service.account = null
  const call = client.keys.list.query()
  expect(await settled(call)).toBe('waits')
  await signIn('bob')
  await expect(call).rejects.toThrow('sign in')
  expect(service.calls).toBe(1)
})

test('a call that its account may not make fails at once, and so does one of a page without an account', async () => {
  const signedIn = page('alice')
  await tick()
  await expect(signedIn.client.agent.balance.query({})).rejects.toThrow('sign in')
  await expect(signedIn.client.keys.list.query()).resolves.toBeDefined()
  const visitor = page(null)
  await tick()
  await expect(visitor.client.keys.list.query()).rejects.toThrow('sign in')
})
