import { expect, test } from 'vitest'
import { endpoints } from '@/server/endpoints'
import { publishedApi } from '@/server/http/openapi/document'
import { newAddressOf, newPageOf } from './old-anchors'
import { chaptersOf, routePages } from './reference/chapters'

const routes = routePages(chaptersOf(publishedApi('https://pay.example', endpoints)()))

test('links to the former single page lead to the text where it is now', () => {
  const moved = [
    'reason-settlement_pending',
    'merchants',
    'agents',
    'tag-sign-in',
    'getBalance',
    'schema-Refusal',
    'header-etag',
    'reasons',
  ]
  expect(moved.map((anchor) => newAddressOf(anchor, routes))).toEqual([
    '/docs/errors#reason-settlement_pending',
    '/docs/merchants',
    '/docs/payers-and-agents#agents',
    '/docs/api/sign-in',
    '/docs/api/agents#getBalance',
    '/docs/api/objects#schema-Refusal',
    '/docs/headers#header-etag',
    '/docs/errors#reasons',
  ])
})

test('names of no page lead to the page that they stand for', () => {
  const names = ['start', 'getting-started', 'agents', 'reasons', 'webhook', 'constructor']
  expect(names.map(newPageOf)).toEqual([
    '/docs/quickstart',
    '/docs/quickstart',
    '/docs/payers-and-agents#agents',
    '/docs/errors#reasons',
    null,
    null,
  ])
})

test('an unknown or hostile anchor stays on the page', () => {
  for (const anchor of ['', 'else', 'tag-//evil.example', 'tag-../x', 'constructor', 'reason-"><']) {
    expect(newAddressOf(anchor, routes)).toBeNull()
  }
})
