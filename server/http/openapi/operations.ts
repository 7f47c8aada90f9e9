import { admin } from '../../accounts/openapi'
import { agentSettings, agents } from '../../agents/openapi'
import { catalog } from '../../discovery/openapi'
import { service } from '../../operations/openapi'
import { payments } from '../../payments/openapi'
import type { Operation } from './operation'
import { signedIn } from './signed-in'

/** Every method of every address of the API. */
export const operations: readonly Operation[] = [
  ...payments,
  ...catalog,
  ...agents,
  ...agentSettings,
  ...signedIn,
  ...admin,
  ...service,
]

/** Addresses of keyed routes whose path holds no key. They answer 401 whatever is asked, so that nobody need be told of them. */
export const keylessPatterns: ReadonlySet<string> = new Set(
  ['', '/flash']
    .flatMap((middle) =>
      ['supported', 'verify', 'settle', 'discovery/resources', 'discovery/search'].map((last) => `/v1${middle}/${last}`),
    )
    .concat('/v1'),
)

/** What the pages of the service ask for themselves, with the cookie of their session: it changes with them. */
export const pagePatterns: ReadonlySet<string> = new Set(['/api/trpc/:procedure', '/api/auth/*', '/api/export'])
