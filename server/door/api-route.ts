/** A Next route handler: what a `route.ts` under `app/` exports for a method. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response> | Response

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** One address of the API: who serves each method, how long a body may be, and who may call it from a browser. */
export type ApiRoute = {
  /** `/v1/:key/settle`; a last segment `*` stands for one or more segments. */
  pattern: string
  /** A handler is called by the door itself; `next` hands the request to Next, which knows the same address. */
  methods: Partial<Record<Method, RouteHandler | 'next'>>
  bodyLimit: number
  /** `open`: any website may call it, without cookies. */
  cors: 'open' | 'closed'
}
