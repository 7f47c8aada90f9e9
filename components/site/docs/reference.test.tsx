import type { ReactNode } from 'react'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@/server/endpoints'
import { errorCatalog, reasonUrl } from '@/server/http/documented-codes'
import { listed, pathOf, publishedApi } from '@/server/http/openapi/document'
import { htmlOf } from '@/test/support/snippets'
import { cards, pictureUrl } from '../pictures/cards'
import { Article } from './article'
import { API, chapterPage, docsGroups, objectsPage, searchIndex } from './contents'
import { Guide } from './guides/guide'
import { Start } from './guides/start'
import { newAddressOf } from './old-anchors'
import { type DocsPage, guidePage, guides, isGuide, START } from './pages'
import { ChapterReference } from './reference/chapter'
import { chaptersOf } from './reference/chapters'
import { Overview } from './reference/overview'
import { Schemas } from './reference/schemas'

const BASE = 'https://pay.example'
const api = publishedApi(BASE, endpoints)()
const groups = docsGroups(api)
const parts = api.document.components
const chapters = chaptersOf(api)

const article = (page: DocsPage, body: ReactNode) => ({
  page,
  body: (
    <Article page={page} groups={groups}>
      {body}
    </Article>
  ),
})

const articles = [
  article(START, <Start baseUrl={BASE} />),
  ...Object.keys(guides)
    .filter(isGuide)
    .map((name) => article(guidePage(name), <Guide name={name} baseUrl={BASE} tokens={null} />)),
  article(API, <Overview chapters={chapters} baseUrl={BASE} />),
  ...chapters.map((chapter) =>
    article(chapterPage(chapter), <ChapterReference chapter={chapter} parts={parts} baseUrl={BASE} />),
  ),
  article(objectsPage(api), <Schemas parts={parts} />),
]

/** The HTML of each page, by path. */
const pages = new Map<string, string>()
beforeAll(async () => {
  for (const { page, body } of articles) pages.set(page.path, await htmlOf(body))
})

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
const whole = () => [...pages.values()].join('\n')

describe('/docs', () => {
  test('has a page for everything in its menu, and nothing else', () => {
    expect([...pages.keys()].sort()).toEqual(
      [START.path, ...groups.flatMap((group) => group.pages.map(({ path }) => path))].sort(),
    )
  })

  test('links only to pages and anchors that exist', () => {
    const links = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => (href.startsWith('#') ? path + href : href)),
    )
    const broken = links.filter((href) => {
      if (!/^\/docs(?:$|[/#?])/.test(href)) return false
      const [path = '', anchor] = href.split('#')
      const html = pages.get(path)
      return html === undefined || (anchor !== undefined && !idsIn(html).includes(anchor))
    })
    expect(links.length).toBeGreaterThan(300)
    expect([...new Set(broken)]).toEqual([])
  })

  test('has a preview picture for each page', () => {
    const missing = articles.filter(({ page }) => !cards.has(pictureUrl(page.path).slice('/pictures/'.length, -'.png'.length)))
    expect(missing.map(({ page }) => page.path)).toEqual([])
  })

  test('has unique ids on each page', () => {
    for (const [path, html] of pages) {
      const ids = idsIn(html)
      expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []])
    }
  })

  test('has the sections of its lists and of its search', () => {
    for (const { page } of articles) {
      const ids = idsIn(pages.get(page.path) ?? '')
      expect([page.path, page.sections.filter(({ id }) => !ids.includes(id))]).toEqual([page.path, []])
    }
    const missing = searchIndex(api).filter(({ href }) => {
      const [path = '', anchor] = href.split('#')
      return anchor !== undefined && !idsIn(pages.get(path) ?? '').includes(anchor)
    })
    expect(missing).toEqual([])
  })

  test('titles the sections of each guide as its list does', () => {
    for (const [name, { sections }] of Object.entries(guides)) {
      const html = pages.get(`/docs/${name}`) ?? ''
      const shown = html.matchAll(/<section class="docs-section" id="([^"]+)" aria-label(?:="|ledby.*?<h2.*?<a [^>]*>)([^"<]+)/g)
      expect([...shown].map(([, id, title]) => ({ id, title }))).toEqual(sections.map(({ id, title }) => ({ id, title })))
    }
  })

  test('shows every path', () => {
    const text = whole().replace(/<[^>]+>/g, '')
    const shown = (endpoint: Parameters<typeof pathOf>[0]) => pathOf(endpoint).replace('{key}', '&lt;API_KEY&gt;')
    expect(listed(endpoints).filter((endpoint) => !text.includes(shown(endpoint)))).toEqual([])
  })

  test('explains every reason under its anchor', () => {
    const known = new Set(idsIn(pages.get('/docs/errors') ?? ''))
    expect(errorCatalog.filter(({ code }) => !known.has(reasonUrl(code).split('#')[1] ?? ''))).toEqual([])
  })

  test('has each reason in one group, with the number of its reasons', () => {
    const html = pages.get('/docs/errors') ?? ''
    const shown = [...html.matchAll(/<details[^>]* id="reasons-.*?<\/details>/gs)].map(([group]) => group)
    const counted = shown.map((group) => [Number(/(\d+) reasons/.exec(group)?.[1]), group.split('<article').length - 1])
    for (const [said, actual] of counted) expect(said).toBe(actual)
    expect(counted.reduce((sum, [, actual = 0]) => sum + actual, 0)).toBe(errorCatalog.length)
  })

  test('lists the routes of the operator last, below a heading of their own', () => {
    expect(groups.at(-1)).toMatchObject({ title: 'Operator', pages: [{ title: 'Admin' }, { title: 'Service' }] })
    const html = pages.get(API.path) ?? ''
    const [before = '', after = ''] = html.split('>Operator</h2>')
    expect(before).toContain('id="group-settings"')
    expect(before).not.toContain('href="/docs/api/admin')
    expect(after).toContain('href="/docs/api/admin#')
    expect(after).toContain('href="/docs/api/service#')
  })

  test('names the credentials of a route where they are not those of its group', () => {
    const [, payments = ''] = (pages.get(API.path) ?? '').split('id="group-payments"')
    const rows = payments.split('</section>')[0]?.split('<li').slice(1) ?? []
    const open = rows.filter((row) => row.includes('No key')).map((row) => /#(\w+)"/.exec(row)?.[1])
    const free = chapters.find(({ tag }) => tag === 'Payments')?.entries.filter(({ credentials }) => credentials.length === 0)
    expect(open.length).toBeGreaterThan(0)
    expect(open).toEqual(free?.map(({ id }) => id))
  })

  test('explains a header that operations share once, above them', () => {
    const html = pages.get('/docs/api/payments') ?? ''
    const [common = '', operations = ''] = html.split('<section', 2)
    for (const name of ['x-request-id', 'x-quota-limit', 'retry-after']) {
      expect([name, common.includes(`#header-${name}"`), operations.includes(`#header-${name}"`)]).toEqual([name, true, false])
    }
    expect(html.split('#header-x-quota-limit"')).toHaveLength(2)
    expect(html).toContain('#header-idempotent-replayed"')
  })

  test('lists the fields of a body next to its forms, and says the body of errors once', () => {
    const html = pages.get('/docs/api/payments') ?? ''
    const [, verify = ''] = html.split('id="verify"')
    const [body = '', responses = ''] = verify.split('>Responses</h3>')
    for (const name of ['x402Version', 'paymentPayload', 'paymentRequirements']) expect(body).toContain(`>${name}</code>`)
    for (const form of ['V2', 'V1', 'Header']) expect(body).toContain(`#schema-PaymentRequest${form}"`)
    const [answers = ''] = responses.split('<section')
    expect(answers.split('#schema-VerifyRefusal"')).toHaveLength(2)
  })

  test('shows an icon in each card of the start page, drawn by the server', () => {
    const [tasks = ''] = /<section.*<\/section>/s.exec(pages.get('/docs') ?? '') ?? []
    expect(tasks.split('<svg')).toHaveLength(7)
    expect(tasks.split('href="/docs/')).toHaveLength(7)
  })

  test('shows the base URL of this service', () => {
    expect(whole()).toContain(`${BASE}/sandbox`)
    expect(whole()).not.toMatch(/localhost(?!:8402\/(weather|stream))/)
  })

  test('has no inline styles: the policy of the pages forbids them', () => {
    expect(whole()).not.toMatch(/ style="/)
    expect(whole()).toContain('class="c-string"')
  })

  test('is short enough to read: no guide has more than 1,200 words outside its programs, except the errors', () => {
    const long = Object.keys(guides).filter((name) => {
      const text = (pages.get(`/docs/${name}`) ?? '').replace(/<pre.*?<\/pre>/gs, '').replace(/<[^>]+>/g, ' ')
      return text.split(/\s+/).length > 1_200
    })
    expect(long).toEqual(['errors'])
  })
})

test('anchors of the former page lead to places that exist', () => {
  const routes = Object.fromEntries(chapters.flatMap(({ path, entries }) => entries.map(({ id }) => [id, path])))
  const anchors = ['start', 'agents', 'examples', 'reasons', 'headers', 'objects', 'tag-admin', ...Object.keys(routes)]
  for (const anchor of anchors) {
    const [path = '', id] = (newAddressOf(anchor, routes) ?? '').split('#')
    const ids = idsIn(pages.get(path) ?? '')
    expect([anchor, ids.length > 0 && (id === undefined || ids.includes(id))]).toEqual([anchor, true])
  }
})
