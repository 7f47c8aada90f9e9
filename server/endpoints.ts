import { sharedDocuments } from '../components/site/docs/documents'
import type { Endpoint, Method, RouteHandler, Unaddressed } from './http/endpoint'
import { endpoint } from './http/endpoint'
import { surfaceOf } from './http/errors'
import { inReadingOrder } from './http/openapi/reading-order'
import { patternOf } from './http/route-table'
import { loadRouteModules } from './route-modules.mjs'

export { sharedDocuments }

const METHODS: readonly string[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] satisfies Method[]

/** Sign-in with the identity provider: next-auth serves it and needs Next. */
const auth = (['GET', 'POST'] as const).map((method): Endpoint => {
  const { handle: _, ...declared } = endpoint({ unlisted: 'own pages', handler: async () => ({}) })
  return { ...declared, method, path: '/api/auth/*', handler: 'next' }
})

/**
 * Every endpoint at its address, in the order of the reference. The files `app/…/route.ts` are the table: the path comes from the folder,
 * the method from the export. Server, OpenAPI document and reference all read it.
 */
export const endpoints: readonly Endpoint[] = inReadingOrder([...addressed(await loadRouteModules()), ...auth])

/** The endpoints of route modules, by the address of each. Throws if a file does not fit its address. */
export function addressed(modules: Record<string, Record<string, unknown>>): Endpoint[] {
  return Object.entries(modules).flatMap(([address, exported]) => {
    const path = patternOf(address)
    return Object.entries(exported).map(([method, handler]) => endpointAt(path, method, handler))
  })
}

function endpointAt(path: string, method: string, handler: unknown): Endpoint {
  if (!isMethod(method)) throw new Error(`The route file of ${path} exports "${method}", which is no method.`)
  if (!isRoute(handler)) throw new Error(`${method} of the route file of ${path} is not made by route().`)
  const { handle: _, ...declared } = handler.endpoint
  const surface = surfaceOf(path.split('/'))
  if (declared.surface !== surface)
    throw new Error(`${method} ${path} has errors for "${declared.surface}", not for "${surface}".`)
  const inPath = path.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []))
  const read = Object.keys(declared.params?.shape ?? {})
  if (declared.params && `${read}` !== `${inPath}`)
    throw new Error(`${method} ${path} reads ${named(read)} from its path, which has ${named(inPath)}.`)
  return { ...declared, method, path, handler }
}

const named = (parameters: string[]) => (parameters.length === 0 ? 'none' : parameters.map((name) => `"${name}"`).join(', '))

function isMethod(name: string): name is Method {
  return METHODS.includes(name)
}

function isRoute(exported: unknown): exported is RouteHandler & { endpoint: Unaddressed } {
  return typeof exported === 'function' && Object.hasOwn(exported, 'endpoint')
}
