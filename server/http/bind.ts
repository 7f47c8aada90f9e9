import type { App } from '../app'
import type { Endpoint } from './endpoint'

// Next bundles hold their own copies of every module, so the one App is found by a name the whole process shares.
const KEY = Symbol.for('quittance')

/** Makes this the App of the process. */
export function installApp(app: App): void {
  Object.assign(globalThis, { [KEY]: app })
}

/** The App of the process. Throws before `installApp`: only server/main.ts may serve requests. */
export function currentApp(): App {
  const app: unknown = Reflect.get(globalThis, KEY)
  if (!app) throw new Error('no App is installed; start the service with server/main.ts')
  return app as App
}

/** A route handler of Next for an endpoint; it carries the endpoint, so that a test can compare addresses. */
export function route<E extends Endpoint>(endpoint: E) {
  const handler = async (request: Request, context: { params: Promise<Record<string, string>> }): Promise<Response> => {
    const { handle } = endpoint
    if (handle === 'next') throw new Error(`${endpoint.path} is served by a route handler of its own`)
    return handle(currentApp(), request, await context.params)
  }
  return Object.assign(handler, { endpoint })
}
