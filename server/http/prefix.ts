import type { App } from '../services/app'
import { type Caller, keyHolder, keyHolderNow, visitor } from '../services/caller'
import type { Prefix } from '../services/prefixes'
import { clientIp } from './request'

/** How a request below a prefix says who it is. `now` asks the database itself, past what is remembered for a few seconds. */
export type Identity = { caller(): Promise<Caller>; now(): Promise<Caller> }

/** The parameters of an address, by name. */
export type Params = Record<string, string>

/** Who asks below this prefix: the address of the socket in the sandbox, the key in the path elsewhere. Rejects with the one `unauthorized` for bad keys. */
export function identify(app: App, prefix: Prefix, request: Request, { key = '' }: Params): Identity {
  if (prefix === 'sandbox') {
    const known = async () => visitor(clientIp(request))
    return { caller: known, now: known }
  }
  return { caller: () => keyHolder(app, prefix, key, clientIp(request)), now: () => keyHolderNow(app, prefix, key) }
}
