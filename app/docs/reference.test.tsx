import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { endpoints } from '@/server/endpoints'
import { errorCatalog } from '@/server/http/error-catalog'
import { listed, pathOf, publishedApi } from '@/server/http/openapi/document'
import { Reference } from './reference'

const BASE = 'https://pay.example'
const api = publishedApi(BASE, endpoints)()
const page = renderToStaticMarkup(<Reference baseUrl={BASE} tokens={null} api={api} />)
const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
const text = page.replace(/<[^>]+>/g, '')

describe('/docs', () => {
  test('links only to anchors on the page', () => {
    const known = new Set(ids)
    const anchors = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, anchor = '']) => anchor)
    expect(anchors.length).toBeGreaterThan(100)
    expect([...new Set(anchors.filter((anchor) => !known.has(anchor)))]).toEqual([])
  })

  test('has unique ids', () => {
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })

  test('shows every path', () => {
    const missing = listed(endpoints).filter((endpoint) => !text.includes(pathOf(endpoint)))
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  test('explains every reason under its anchor', () => {
    const known = new Set(ids)
    expect(errorCatalog.filter(({ code }) => !known.has(`reason-${code}`))).toEqual([])
  })

  test('shows the base URL of this service', () => {
    expect(text).toContain(`${BASE}/sandbox`)
    expect(text).not.toContain('localhost')
  })
})
