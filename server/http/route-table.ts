import type { Endpoint, Method, RouteHandler } from './endpoint'

export type RouteMatch = { route: ApiRoute; params: Record<string, string> }

type Branch = {
  literals: Map<string, Branch>
  name: string | undefined
  param: Branch | undefined
  rest: ApiRoute | undefined
  route: ApiRoute | undefined
}

// Every property from the start: branches have one shape, for which V8 compiles.
const newBranch = (name?: string): Branch => ({ literals: new Map(), name, param: undefined, rest: undefined, route: undefined })

/** A lookup of routes: literal segments win over parameters, parameters over `*`. Throws if two routes have the same path. */
export function routeTable(routes: ApiRoute[]): (segments: string[]) => RouteMatch | undefined {
  const root = newBranch()
  for (const route of routes) plant(root, route)
  return (segments) => climb(root, segments, 0, {})
}

/** The pattern of a folder of `app/` as Next names it: `/docs/[page]/[...rest]` is `/docs/:page/*`. */
export function patternOf(path: string): string {
  return path.replaceAll(/\[\.\.\.\w+\]/g, '*').replaceAll(/\[(\w+)\]/g, ':$1')
}

/** The value of a route's `Allow` header. */
export function allowedMethods({ methods }: ApiRoute): string {
  const named = Object.keys(methods).sort()
  return [...named, ...(methods.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function plant(root: Branch, route: ApiRoute): void {
  let branch = root
  for (const segment of route.pattern.split('/').filter(Boolean)) {
    if (segment === '*') {
      branch.rest = unique(branch.rest, route)
      return
    }
    branch = segment.startsWith(':') ? paramBranch(branch, segment.slice(1)) : literalBranch(branch, segment)
  }
  branch.route = unique(branch.route, route)
}

function paramBranch(branch: Branch, name: string): Branch {
  branch.param ??= newBranch(name)
  if (branch.param.name !== name) throw new Error(`Two routes call the same segment ":${branch.param.name}" and ":${name}".`)
  return branch.param
}

function literalBranch(branch: Branch, segment: string): Branch {
  const next = branch.literals.get(segment) ?? newBranch()
  branch.literals.set(segment, next)
  return next
}

function unique(taken: ApiRoute | undefined, route: ApiRoute): ApiRoute {
  if (taken) throw new Error(`Two routes have the path ${route.pattern}.`)
  return route
}

function climb(branch: Branch, segments: string[], index: number, params: Record<string, string>): RouteMatch | undefined {
  const segment = segments[index]
  if (segment === undefined) return branch.route && { route: branch.route, params }

  const literal = branch.literals.get(segment)
  const found = literal && climb(literal, segments, index + 1, params)
  if (found) return found

  const { param, rest } = branch
  if (param?.name !== undefined) {
    const deeper = climb(param, segments, index + 1, { ...params, [param.name]: decodeURIComponent(segment) })
    if (deeper) return deeper
  }
  return rest && { route: rest, params }
}

/** One path of the API: the handler of each method, the body limit, and the CORS policy. */
export type ApiRoute = {
  /** `/v1/:key/settle`; a last segment `*` stands for one or more segments. */
  pattern: string
  /** The server calls a handler itself; `next` passes the request to Next. */
  methods: Partial<Record<Method, RouteHandler | 'next'>>
  bodyLimit: number
  /** `open`: any website may call it, without cookies. */
  cors: 'open' | 'closed'
}

/** The routes of endpoints. Throws if methods of one path differ in their CORS policy or body limit. */
export function routesOf(endpoints: readonly Endpoint[]): ApiRoute[] {
  const routes = new Map<string, ApiRoute>()
  for (const endpoint of endpoints) {
    const { path: pattern, method, cors, bodyLimit, handler } = endpoint
    const known = routes.get(pattern) ?? { pattern, methods: {}, cors, bodyLimit }
    if (known.methods[method]) throw new Error(`Two endpoints answer ${method} ${pattern}.`)
    if (known.cors !== cors || known.bodyLimit !== bodyLimit)
      throw new Error(`The methods of ${pattern} have different CORS policies or body limits.`)
    known.methods[method] = handler
    routes.set(pattern, known)
  }
  return [...routes.values()]
}
