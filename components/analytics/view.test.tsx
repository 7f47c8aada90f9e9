import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AnalyticsView } from './view'

const of = (resource: string) => ({
  ...{ resource, pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', network: 'eip155:8453' },
  ...{ settlement_count: 2, success_count: 2, total_volume_atomic: '2000' },
})

const page = renderToStaticMarkup(
  <AnalyticsView
    analytics={{
      summary: {
        ...{
          total_settlements: 4,
          successful_settlements: 4,
          failed_settlements: 0,
          success_rate: 1,
          total_volume_atomic: '4000',
          unique_payers: 1,
        },
        ...{ prev_total_settlements: null, prev_success_rate: null, prev_total_volume_atomic: null, prev_unique_payers: null },
      },
      period: { start_date: '2026-11-14', end_date: '2026-11-21', days: 7, timezone: 'UTC' },
      ...{ timeseries: [], errors: [], networks: [] },
      top_resources: [of('https://shop.com/a&b'), of('')],
    }}
    resources="/console/history"
    of={{ owner: 'alice' }}
    start={null}
  />,
)

test('a resource links to the settlements that its row counts; unnamed resources have no link', () => {
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(links).toEqual(['/console/history?owner=alice&amp;resource=https%3A%2F%2Fshop.com%2Fa%26b&amp;network=eip155%3A8453'])
  expect(page).toContain('Unnamed')
})
