import { expect, test } from 'vitest'
import { sourcesBelow } from '../support/source-files'

test('screens, guides and errors have one apostrophe, the straight one', () => {
  const sources = sourcesBelow('server', 'app', 'components', 'devnet', 'e2e', 'examples', 'scripts')
  const typographic = String.fromCharCode(0x2019)
  expect(sources.filter(({ text }) => text.includes(typographic)).map(({ file }) => file)).toEqual([])
})
