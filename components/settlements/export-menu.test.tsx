import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExportMenu } from './export-menu'

test('each export says how much of a long list it holds', () => {
  const page = renderToStaticMarkup(<ExportMenu reader="merchant" filter={{ status: 'success' }} />)
  const links = [...page.matchAll(/<a [^>]*>/g)].map(([link]) => link)
  expect(links).toHaveLength(2)
  for (const link of links) {
    expect(link).toContain('title="The newest 50,000 settlements of this list at most"')
    expect(link).toContain('status=success')
  }
})
