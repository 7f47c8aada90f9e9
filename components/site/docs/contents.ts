import { errorCatalog, reasonUrl } from '../../../server/http/documented-codes'
import type { PublishedApi } from '../../../server/http/openapi/document'
import { headers } from '../../../server/http/openapi/headers'
import type { Found } from '../../client/docs-find'
import { type DocsGroup, type DocsPage, GUIDE_GROUPS, guidePage, OPERATOR, START } from './pages'
import { type Chapter, COMMON_PARTS, chaptersOf, tagsFor } from './reference/chapters'
import { OBJECTS_PATH, schemaUrl } from './reference/schema-url'

type Api = Pick<PublishedApi, 'endpoints' | 'document'>

/** The place of the operator's routes on the overview. */
export const OPERATOR_ANCHOR = 'operator'

/** The overview of the API, below which each group of routes has a page. */
export const API: DocsPage = {
  path: '/docs/api',
  title: 'API overview',
  description: 'Every route and its credentials.',
  sections: [
    ...tagsFor('everyone').map((tag) => ({ id: overviewAnchor(tag), title: tag })),
    { id: OPERATOR_ANCHOR, title: OPERATOR },
    ...tagsFor('operator').map((tag) => ({ id: overviewAnchor(tag), title: tag, isInner: true })),
  ],
}

/** The place of a group of routes on the overview. */
export function overviewAnchor(tag: string): string {
  return `group-${tag.toLowerCase()}`
}

/** The groups of the menu: the guides, and the reference made from the endpoints, with the routes of the operator last. */
export function docsGroups(api: Api): DocsGroup[] {
  const guides = GUIDE_GROUPS.map(({ title, names }) => ({ title, pages: names.map((name) => guidePage(name)) }))
  const pagesFor = (audience: Chapter['audience']) => {
    return chaptersOf(api)
      .filter((chapter) => chapter.audience === audience)
      .map(chapterPage)
  }
  return [
    ...guides,
    { title: 'API reference', pages: [API, ...pagesFor('everyone'), objectsPage(api)] },
    { title: OPERATOR, pages: pagesFor('operator') },
  ]
}

/** The page of a group of routes. */
export function chapterPage({ tag, path, about, entries }: Chapter): DocsPage {
  const operations = entries.map(({ id, title }) => ({ id, title }))
  return { path, title: tag, description: about, sections: [...(entries.length > 1 ? [COMMON_PARTS] : []), ...operations] }
}

/** The page of the objects in bodies. */
export function objectsPage({ document }: Api): DocsPage {
  const sections = namesOf(document).map((name) => ({ id: `schema-${name}`, title: name }))
  return {
    path: OBJECTS_PATH,
    title: 'Objects',
    description: 'The objects in request and response bodies, as in the OpenAPI document.',
    sections,
  }
}

const namesOf = ({ components }: PublishedApi['document']) => Object.keys(components.schemas).sort()

/** All pages in their order, and the neighbours of one of them. */
export function neighboursOf(groups: readonly DocsGroup[], path: string): { before: DocsPage | null; after: DocsPage | null } {
  const pages = [START, ...groups.flatMap((group) => group.pages)]
  const at = pages.findIndex((page) => page.path === path)
  return { before: pages[at - 1] ?? null, after: at < 0 ? null : (pages[at + 1] ?? null) }
}

/** Everything that the search finds: pages, sections, routes, reason codes, headers and objects. */
export function searchIndex(api: Api): Found[] {
  const chapters = chaptersOf(api)
  const routes = chapters.flatMap(({ tag, path, entries }) =>
    entries.map(({ id, title, method, path: address, paths, spec }) => {
      const about = spec.description.replaceAll('`', '')
      return { title, page: tag, href: `${path}#${id}`, about, words: [method, address, ...paths, id].join(' ') }
    }),
  )
  const pages = docsGroups(api).flatMap((group) => group.pages.map((page) => ({ group: group.title, ...page })))
  const guides = pages.filter(({ path }) => !path.startsWith(API.path))
  return [
    ...pages.map(({ title, path, description, group }) => ({ title, page: group, href: path, about: description, words: '' })),
    ...guides.flatMap(({ title: page, path, sections }) =>
      sections
        .filter((section) => section.title !== page)
        .map(({ id, title, about }) => ({ title, page, href: `${path}#${id}`, words: '', ...(about ? { about } : {}) })),
    ),
    ...routes,
    ...errorCatalog.map(({ code, cause, statuses }) => {
      return { title: code, page: 'Errors', href: reasonUrl(code), about: cause, words: statuses.join(' ') }
    }),
    ...Object.keys(headers).map((name) => ({ title: name, page: 'Headers', href: `/docs/headers#header-${name}`, words: '' })),
    ...namesOf(api.document).map((name) => ({ title: name, page: 'Objects', href: schemaUrl(name), words: '' })),
  ]
}
