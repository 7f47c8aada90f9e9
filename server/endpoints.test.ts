import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from './endpoints'
import type { Endpoint } from './http/endpoint'
import { readTarget } from './http/request-target'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const app = path.join(import.meta.dirname, '..', 'app')

/** `app/v1/[key]/settle/route.ts` as endpoints write it: `/v1/:key/settle`. */
function addressOf(file: string): string {
  const segments = path
    .dirname(file)
    .split(path.sep)
    .filter((segment) => segment !== '.')
  return `/${segments.map((segment) => segment.replace(/^\[\.{3}\w+\]$/, '*').replace(/^\[(\w+)\]$/, ':$1')).join('/')}`
}

const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === 'route.ts')

/** What the route files export: a method, its address, and the endpoint that it was made of. */
const exported = await Promise.all(
  files.map(async (file) => {
    const handlers: Record<string, { endpoint?: Endpoint }> = await import(path.join(app, file))
    return METHODS.filter((method) => method in handlers).map((method) => ({
      address: `${method} ${addressOf(file)}`,
      endpoint: handlers[method]?.endpoint,
    }))
  }),
).then((all) => all.flat())

test('every route file has its endpoints, and every endpoint a route file', () => {
  const declared = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(exported.map(({ address }) => address).sort()).toEqual(declared.sort())
})

test('every route file serves the endpoint of its own address', () => {
  const wrong = exported.filter(({ address, endpoint }) => {
    const known = endpoints.find(({ method, path }) => `${method} ${path}` === address)
    return known?.handle === 'next' ? endpoint !== undefined : known === undefined || endpoint !== known
  })
  expect(wrong.map(({ address }) => address)).toEqual([])
})

test('the server answers every published endpoint itself, not by way of Next', () => {
  const published = endpoints.filter(({ operation, handle }) => operation !== null && handle !== 'next')
  expect(published.filter(({ path }) => readTarget(path).kind !== 'api').map(({ path }) => path)).toEqual([])
})
