import { createPageRate } from '../accounts/page-rate'
import type { App } from '../app'
import { createReadSlots } from '../base/read-slots'
import { sharedDocuments } from '../endpoints'
import type { BrowserPolicy } from '../http/browser-policy'
import type { Render } from '../http/captured-response'
import { documentRenderer, type Pages } from '../http/pages'
import { createSharedDocuments } from '../http/shared-documents'
import { sessionCookieName } from '../sign-in/session-cookie'

/** How many pages are rendered at once, of all addresses and of one, and how many wait. Some pages wait for the database. */
const PAGE_SLOTS = { what: 'pages', atOnce: 4, eachAtOnce: 2, waiting: 64, each: 16 }
const DOCUMENTATION_SLOTS = { what: 'pages of the documentation', atOnce: 1, waiting: 16, each: 4 }

/** The pages of a service, and what it lets strangers spend on them. */
export function createPages(
  app: Pick<App, 'api' | 'config'>,
  { show, table }: { show: Render; table: Pages['table'] },
  policy: BrowserPolicy,
): Pages {
  // The list of endpoints is made at its first use.
  let shared: Pages['sharedAt'] | undefined
  return {
    table,
    sharedAt(path) {
      shared ??= sharedDocuments(app.api())
      return shared(path)
    },
    documents: createSharedDocuments(documentRenderer(show, policy)),
    sessionCookie: sessionCookieName(app),
    rate: createPageRate(),
    slots: { page: createReadSlots(PAGE_SLOTS), documentation: createReadSlots(DOCUMENTATION_SLOTS) },
  }
}
