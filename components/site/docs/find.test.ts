import { describe, expect, test } from 'vitest'
import { endpoints } from '@/server/endpoints'
import { publishedApi } from '@/server/http/openapi/document'
import { find } from '../../client/docs-find'
import { searchIndex } from './contents'

const index = searchIndex(publishedApi('https://pay.example', endpoints)())
const hrefs = (query: string) => find(index, query).map(({ href }) => href)

describe('the search of the documentation', () => {
  test('finds a page by its title first', () => {
    expect(hrefs('webhooks')[0]).toBe('/docs/webhooks')
    expect(hrefs('Quick start')[0]).toBe('/docs/quickstart')
  })

  test('finds a reason code with spaces or underscores, and by a status', () => {
    expect(hrefs('settlement_pending')[0]).toBe('/docs/errors#reason-settlement_pending')
    expect(hrefs('settlement pending')[0]).toBe('/docs/errors#reason-settlement_pending')
    expect(hrefs('duplicate 409')).toContain('/docs/errors#reason-duplicate_settlement')
  })

  test('finds a route by its path and an object by its name', () => {
    expect(hrefs('/api/v1/agent/balance')).toContain('/docs/api/agents#getBalance')
    expect(hrefs('refusal')[0]).toMatch(/^\/docs\/api\/objects#schema-/)
  })

  test('needs every word, and shows nothing for none', () => {
    expect(hrefs('webhooks xyzzy')).toEqual([])
    expect(hrefs('  ')).toEqual([])
  })

  test('shows other places beside error codes that many words match', () => {
    const codes = hrefs('signature').filter((href) => href.includes('#reason-'))
    expect(codes).toHaveLength(5)
    expect(hrefs('signature').length).toBeGreaterThan(5)
    expect(hrefs('signature')).toContain('/docs/webhooks#receive')
    expect(hrefs('signature').filter((href) => href.startsWith('/docs/api/'))).not.toEqual([])
  })

  test('shows a dozen places at most', () => {
    expect(hrefs('a')).toHaveLength(12)
  })
})
