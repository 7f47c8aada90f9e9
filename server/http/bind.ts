import type { App } from '../app'
import { refuse } from './errors'
import { requestId } from './request'

// Next bundles hold their own copies of every module, so the one App is found by a name the whole process shares.
const KEY = Symbol.for('quittance')

type Handler = (app: App, request: Request, params: Record<string, string>) => Promise<Response>

/** Makes this the App of the process. */
export function installApp(app: App): void {
  Object.assign(globalThis, { [KEY]: app })
}

/** The App of the process. Throws before `installApp`: nothing but server/main.ts may serve requests. */
export function currentApp(): App {
  const app: unknown = Reflect.get(globalThis, KEY)
  if (!app) throw new Error('no App is installed; start the service with server/main.ts')
  return app as App
}

/** Binds a transport function to the App as a Next route handler. Whatever it throws becomes a JSON answer. */
export function bind(handler: Handler) {
  return async (request: Request, context: { params: Promise<Record<string, string>> }): Promise<Response> => {
    const app = currentApp()
    try {
      return await handler(app, request, await context.params)
    } catch (error) {
      return refuse('plain', error, app.log, requestId(request))
    }
  }
}
