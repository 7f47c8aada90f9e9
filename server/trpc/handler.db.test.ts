import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { askProcedure, cookieOf, dataOf, merchant, pagesOf } from '../../test/support/service/dashboard'
import { asked, newOwner, startReading } from '../../test/support/service/history'
import type { Principal } from '../sign-in/principal'
import { trpc } from './handler'

const harness = fixture(startReading)

const OWN = { origin: 'http://localhost:3000', 'content-type': 'application/json' }
const keysOf = async (who: Principal) =>
  dataOf<{ keys: unknown[] }>(await pagesOf(harness.app, who).query('keys.list')).keys.length

async function create(who: Principal, headers: Record<string, string>, body: unknown = { name: '' }) {
  const request = asked('/api/trpc/keys.create', {
    method: 'POST',
    body,
    headers: { ...(await cookieOf(harness.app, who)), ...headers },
  })
  return askProcedure(harness.app, request)
}

describe('a change', () => {
  test('is accepted from a page of the service', async () => {
    const who = merchant(newOwner())
    expect((await create(who, OWN)).status).toBe(200)
    expect(await keysOf(who)).toBe(1)
  })

  const FORGED: [string, Record<string, string>][] = [
    ['without an origin', { 'content-type': 'application/json' }],
    ['from no origin', { ...OWN, origin: 'null' }],
    ['from another website', { ...OWN, origin: 'https://elsewhere.example' }],
    ['from another port', { ...OWN, origin: 'http://localhost:3001' }],
    ['from the same host without TLS, or with', { ...OWN, origin: 'https://localhost:3000' }],
    ['from a host that begins like ours', { ...OWN, origin: 'http://localhost:3000.elsewhere.example' }],
    ['with a form', { ...OWN, 'content-type': 'application/x-www-form-urlencoded' }],
    ['with a text', { ...OWN, 'content-type': 'text/plain' }],
    ['with no type', { origin: OWN.origin, 'content-type': '' }],
  ]
  test.each(FORGED)('%s is refused, and nothing changes', async (_how, headers) => {
    const who = merchant(newOwner())
    const told = await create(who, headers)
    expect(told).toEqual({ status: 403, message: 'only the pages of this service can make changes' })
    expect(await keysOf(who)).toBe(0)
  })

  test('is not possible with GET', async () => {
    const who = merchant(newOwner())
    const { status } = await pagesOf(harness.app, who).query('keys.create', { name: '' })
    expect([status, await keysOf(who)]).toEqual([405, 0])
  })

  test('has a body of a bounded size', async () => {
    const told = await create(merchant(newOwner()), OWN, { name: 'x'.repeat(200_000) })
    expect(told.status).toBe(413)
  })
})

test('a request has a limited number of calls', async () => {
  const batch = (calls: number) => {
    const paths = Array.from({ length: calls }, () => 'session.get').join(',')
    return trpc.handle(harness.app, asked(`/api/trpc/${paths}?batch=1&input=%7B%7D`))
  }
  expect([(await batch(10)).status, (await batch(11)).status]).toEqual([200, 400])
})

test('responses are private and not cached', async () => {
  const { headers } = await trpc.handle(harness.app, asked('/api/trpc/session.get'))
  expect([headers.get('cache-control'), headers.get('vary'), headers.get('access-control-allow-origin')]).toEqual([
    'no-store',
    expect.stringMatching(/cookie/i),
    null,
  ])
})
