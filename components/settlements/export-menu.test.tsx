import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExportMenu } from './export-menu'

test('each export link states its row limit', () => {
  const page = renderToStaticMarkup(<ExportMenu reader="merchant" filter={{ status: 'success' }} />)
  const links = [...page.matchAll(/<a [^>]*>/g)].map(([link]) => link)
  expect(links).toHaveLength(2)
  for (const link of links) {
    expect(link).toContain('title="Up to 50,000 of the newest settlements in this list"')
    expect(link).toContain('status=success')
  }
})
