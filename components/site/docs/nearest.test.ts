import { expect, test } from 'vitest'
import { nearestPages } from './nearest'
import { guidePage, guides, isGuide } from './pages'

const pages = Object.keys(guides).filter(isGuide).map(guidePage)

test.each([
  ['/docs/webhook', '/docs/webhooks'],
  ['/docs/guides/webhooks', '/docs/webhooks'],
  ['/docs/quick-start', '/docs/quickstart'],
  ['/docs/netwroks', '/docs/networks'],
  ['/docs/Agents', '/docs/payers-and-agents'],
])('the page that is most like %s is %s', (path, meant) => {
  expect(nearestPages(pages, path, 3)[0]?.path).toBe(meant)
})

test('a path like no page has no nearest page', () => {
  expect(nearestPages(pages, '/docs/0%7', 3)).toEqual([])
})
