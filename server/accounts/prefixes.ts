import { z } from 'zod'
import type { App } from '../app'
import type { Credentials, Params } from '../http/endpoint'
import { clientIp } from '../http/request'
import type { Prefix } from '../x402/networks/networks'
import { type Caller, keyHolder, keyHolderNow, sandboxCaller } from './caller'

/** How to identify the caller of a request. `now` reads the database instead of the cache. */
export type Identity = { caller(): Promise<Caller>; now(): Promise<Caller> }

/** A prefix for endpoint declarations: its operation id suffix, summary text and path parameters. */
export type Under = {
  prefix: Prefix
  suffix: string
  where: string
  params: { key?: z.ZodString }
  /** The statuses of a refused credential. */
  errors: readonly (401 | 403)[]
  /** The caller, not looked up yet. */
  identity: Credentials<Identity>
  /** The caller. */
  caller: Credentials<Caller>
}

const key = z
  .string()
  .meta({ description: 'Your API key, from the dashboard or from a purchase of credits.', examples: ['qt_EXAMPLE-of-a-key'] })

const unders = {
  sandbox: { suffix: 'Sandbox', where: 'in the sandbox', params: {}, errors: [] },
  v1: { suffix: '', where: 'with an API key', params: { key }, errors: [401] },
  flash: { suffix: 'Flash', where: 'with an API key, at preconfirmation', params: { key }, errors: [401, 403] },
} as const satisfies Record<Prefix, Omit<Under, 'prefix' | 'identity' | 'caller'>>

/** Declares an endpoint once per prefix. */
export function underEachPrefix<T>(declare: (under: Under) => T): Record<Prefix, T> {
  const of = (prefix: Prefix) => {
    const names = prefix === 'sandbox' ? [] : (['key'] as const)
    return declare({
      prefix,
      ...unders[prefix],
      identity: { names, prove: (app, request, params) => identify(app, prefix, request, params) },
      caller: { names, prove: (app, request, params) => identify(app, prefix, request, params).caller() },
    })
  }
  return { sandbox: of('sandbox'), v1: of('v1'), flash: of('flash') }
}

// The sandbox identifies callers by the socket's address, the other prefixes by the key in the path.
function identify(app: App, prefix: Prefix, request: Request, { key = '' }: Params): Identity {
  if (prefix === 'sandbox') {
    const known = async () => sandboxCaller(clientIp(request))
    return { caller: known, now: known }
  }
  return { caller: () => keyHolder(app, prefix, key, clientIp(request)), now: () => keyHolderNow(app, prefix, key) }
}
