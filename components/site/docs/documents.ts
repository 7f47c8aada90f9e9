import type { PublishedApi } from '../../../server/http/openapi/document'
import { docsGroups } from './contents'
import { newPageOf } from './old-anchors'
import { START } from './pages'

/** A path below the documentation that has no page. */
const MISSING = '/docs/404/404'

/** Pages besides the documentation that show every visitor without a session the same. */
const ALIKE = ['/home', '/explain']

/**
 * The path at which the document of a page is rendered for all visitors alike; undefined if each request has its own. All missing pages
 * of the documentation have one document.
 */
export function sharedDocuments(api: Pick<PublishedApi, 'endpoints' | 'document'>): (path: string) => string | undefined {
  const pages = docsGroups(api).flatMap((group) => group.pages.map(({ path }) => path))
  const known = new Set([...ALIKE, START.path, ...pages])
  return (path) => {
    if (known.has(path)) return path
    const [, name] = /^\/docs\/(.+)$/.exec(path) ?? []
    const isRedirected = name === undefined || newPageOf(name) !== null
    return isRedirected || name === 'search.json' ? undefined : MISSING
  }
}
