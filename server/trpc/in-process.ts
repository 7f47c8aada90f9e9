type Serve = (request: Request) => Promise<Response>

// Next bundles hold their own copies of every module; importing the router there would load the service twice.
const KEY = Symbol.for('quittance procedures')

/** Lets pages of this process call procedures without a connection. */
export function installProcedures(serve: Serve): void {
  Object.assign(globalThis, { [KEY]: serve })
}

/** Serves a request for procedures in this process. Throws before `installProcedures`. */
export function serveInProcess(request: Request): Promise<Response> {
  const serve: unknown = Reflect.get(globalThis, KEY)
  if (!serve) throw new Error('no procedures are installed; start the service with server/main.ts')
  return (serve as Serve)(request)
}
