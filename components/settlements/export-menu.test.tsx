import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExportMenu } from './export-menu'

const FILTER = { status: 'failed', reason: ['unknown', 'network_mismatch'], from: '2026-11-01T00:00:00.000Z' } as const

test('each export link states its row limit, and has every filter and the zone', () => {
  const page = renderToStaticMarkup(
    <ExportMenu reader="merchant" filter={{ ...FILTER, reason: [...FILTER.reason] }} zone="Europe/Berlin" />,
  )
  const links = [...page.matchAll(/<a [^>]*>/g)].map(([link]) => link)
  expect(links).toHaveLength(2)
  for (const link of links) {
    expect(link).toContain('title="Up to 50,000 of the newest settlements in this list"')
    for (const part of [
      'status=failed',
      'reason=unknown%2Cnetwork_mismatch',
      'from=2026-11-01T00%3A00%3A00.000Z',
      'zone=Europe%2FBerlin',
    ]) {
      expect(link).toContain(part)
    }
  }
})
