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

test.each(['/docs/0%7', '/docs/nothing', '/docs/nothing-here'])('%s is like no page', (path) => {
  expect(nearestPages(pages, path, 3)).toEqual([])
})
