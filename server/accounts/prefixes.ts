import { z } from 'zod'
import type { App } from '../app'
import type { Credentials, Params } from '../http/endpoint'
import { clientIp } from '../http/request'
import type { Prefix } from '../x402/networks'
import { type Caller, keyHolder, keyHolderNow, visitor } from './caller'

/** How a request below a prefix says who it is. `now` asks the database itself, past what is remembered for a few seconds. */
export type Identity = { caller(): Promise<Caller>; now(): Promise<Caller> }

/** A prefix as declarations name it: its path, the end of its operation ids, its words in summaries, and the parameters of its path. */
export type Under = {
  prefix: Prefix
  path: string
  suffix: string
  where: string
  params: { key?: z.ZodString }
  /** Refusals of the credential. */
  errors: readonly (401 | 403)[]
  /** Who calls, not looked up yet. */
  identity: Credentials<Identity>
  /** Who calls. */
  caller: Credentials<Caller>
}

const key = z.string().meta({ description: 'The API key.', examples: ['qt_EXAMPLE-of-a-key'] })

const unders = {
  sandbox: { path: '/sandbox', suffix: 'Sandbox', where: 'in the sandbox', params: {}, errors: [] },
  v1: { path: '/v1/:key', suffix: '', where: 'with an API key', params: { key }, errors: [401] },
  flash: {
    path: '/v1/:key/flash',
    suffix: 'Flash',
    where: 'with an API key, at the preconfirmation',
    params: { key },
    errors: [401, 403],
  },
} as const satisfies Record<Prefix, Omit<Under, 'prefix' | 'identity' | 'caller'>>

/** One declaration for each prefix. */
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

// The address of the socket in the sandbox, the key in the path elsewhere. Rejects with the one `unauthorized` for bad keys.
function identify(app: App, prefix: Prefix, request: Request, { key = '' }: Params): Identity {
  if (prefix === 'sandbox') {
    const known = async () => visitor(clientIp(request))
    return { caller: known, now: known }
  }
  return { caller: () => keyHolder(app, prefix, key, clientIp(request)), now: () => keyHolderNow(app, prefix, key) }
}
