import { describe, expect, test } from 'vitest'
import { openServer, request } from '../../test/support/service/http-server'
import { endpoints } from '../endpoints'
import { headers } from './openapi/headers'
import { allowedMethods, routesOf } from './route-table'

const routes = routesOf(endpoints)

// Everything else is for programs, wherever they run.
const OURS_ALONE = ['/admin/', '/api/auth/', '/api/trpc/', '/api/explain', '/api/export', '/api/me/', '/metrics', '/docs/']
const isOurs = (pattern: string) => OURS_ALONE.some((start) => pattern.startsWith(start))
const addressOf = (pattern: string) => pattern.replace('*', 'session').replaceAll(/:\w+/g, 'x')

const ASKED = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' }

async function corsOf(target: string): Promise<Record<string, string>> {
  const { ask } = await openServer({ routes })
  const { headers } = await ask(request(target, ASKED))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')))
}

describe('which websites may call an address', () => {
  test.each(routes.filter(({ pattern }) => !isOurs(pattern)))('any: $pattern', async (route) => {
    expect(await corsOf(`OPTIONS ${addressOf(route.pattern)}`)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allowedMethods(route),
      'access-control-max-age': '86400',
    })
  })

  test.each(routes.filter(({ pattern }) => isOurs(pattern)))('none: $pattern', async ({ pattern }) => {
    expect(await corsOf(`OPTIONS ${addressOf(pattern)}`)).toEqual({})
    expect(await corsOf(`DELETE ${addressOf(pattern)}`)).toEqual({})
  })

  test.each(['/home', '/dashboard', '/sign-in', '/no/such/page'])('none: the page %s', async (path) => {
    expect(await corsOf(`GET ${path}`)).toEqual({})
    expect(await corsOf(`OPTIONS ${path}`)).toEqual({})
  })
})

test('no response allows credentials', async () => {
  for (const { pattern } of routes)
    expect(await corsOf(`OPTIONS ${addressOf(pattern)}`)).not.toHaveProperty('access-control-allow-credentials')
})

test('the official client of browsers may send its own headers', async () => {
  const allowed = (await corsOf('OPTIONS /api/v1/agent/purchase'))['access-control-allow-headers']?.split(', ')
  expect(allowed).toEqual(
    expect.arrayContaining(['payment-signature', 'x-payment', 'content-type', 'access-control-expose-headers']),
  )
})

test('a website can read a refusal like any response', async () => {
  expect(await corsOf('PUT /sandbox/settle')).toHaveProperty('access-control-allow-origin', '*')
})

test('scripts of other websites can read the documented response headers', async () => {
  const exposed = (await corsOf('OPTIONS /sandbox/settle'))['access-control-expose-headers']?.split(', ')
  // These two need no permission, or are followed by the browser itself.
  const readable = Object.keys(headers).filter((name) => !['cache-control', 'location'].includes(name))
  expect(exposed?.toSorted()).toEqual(readable.toSorted())
})
