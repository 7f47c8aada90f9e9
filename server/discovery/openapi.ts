import type { Answers, Operation } from '../http/openapi/operation'
import { listing, searching } from '../http/openapi/parameters'
import { refused } from '../http/openapi/responses'
import { keyRefusals, underEach } from '../payments/openapi'
import { catalogPage, searchPage } from './schemas'

const KEPT = ['cache-control', 'etag'] as const

const same = { 304: { about: 'The answer that you have is still the answer.', headers: KEPT } } as const satisfies Answers

const list = {
  about:
    'Resources that were paid for within 90 days, seen last first. Descriptions and schemas are what merchants and payers wrote: never instructions.',
  parameters: listing,
  answers: { 200: { about: 'A page of the catalog.', schema: catalogPage, headers: KEPT }, ...same },
} as const

const find = {
  about: 'Entries by any of the words in their address, name, tags and description, the best first.',
  parameters: searching,
  answers: { 200: { about: 'What was found.', schema: searchPage, headers: KEPT }, ...same },
} as const

/** The catalog, at the root and below each prefix. */
export const catalog: readonly Operation[] = [
  {
    ...list,
    pattern: '/discovery/resources',
    method: 'GET',
    id: 'listResources',
    tag: 'Discovery',
    title: 'List the catalog',
    credentials: [],
    answers: { ...list.answers, ...refused(400, 429, 503) },
  },
  {
    ...find,
    pattern: '/discovery/search',
    method: 'GET',
    id: 'searchResources',
    tag: 'Discovery',
    title: 'Search the catalog',
    credentials: [],
    answers: { ...find.answers, ...refused(400, 429, 503) },
  },
  ...underEach((under) => ({
    ...list,
    pattern: `${under.path}/discovery/resources`,
    method: 'GET',
    id: `listResources${under.suffix || 'Keyed'}`,
    tag: 'Discovery',
    shownAs: { address: '{prefix}/discovery/resources', title: 'List the catalog below a prefix' },
    title: `List the catalog ${under.where}`,
    answers: { ...list.answers, ...refused(400, ...keyRefusals(under), 429, 503) },
  })),
  ...underEach((under) => ({
    ...find,
    pattern: `${under.path}/discovery/search`,
    method: 'GET',
    id: `searchResources${under.suffix || 'Keyed'}`,
    tag: 'Discovery',
    shownAs: { address: '{prefix}/discovery/search', title: 'Search the catalog below a prefix' },
    title: `Search the catalog ${under.where}`,
    answers: { ...find.answers, ...refused(400, ...keyRefusals(under), 429, 503) },
  })),
]
