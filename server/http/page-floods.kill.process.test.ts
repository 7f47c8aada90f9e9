import { expect, test } from 'vitest'
import { startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'

const setup = fixture(() => startKillSetup({ SETTLE_DEADLINE_MS: '20000' }))

/** Half of what the longest page of the documentation takes on a quiet machine. */
const PAGE_MS = '60'
const FLOOD = 150
/** Renders of the documentation that one address may cause at once, and a second. */
const [BURST, A_SECOND] = [20, 1]

async function get(url: string, ip: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { headers: { accept: 'text/html', 'x-forwarded-for': ip, ...headers } })
  return { status: answer.status, text: await answer.text() }
}

test.each([
  ['pages that are kept', '/docs/errors', {}, 0],
  ['pages that do not exist', '/no-such', {}, 0],
  ['pages that are rendered for each request', '/docs/errors', { rsc: '1' }, BURST],
])(
  'a flood of %s takes the thread for a few pages; a settle, health and other readers go on',
  async (_what, path, headers, burst) => {
    const { start, newCustomer, settle, clear } = setup
    const service = await start({ PAGE_MS })
    try {
      const customer = await newCustomer()
      const began = performance.now()
      const flood = Promise.all(
        Array.from({ length: FLOOD }, (_, at) => get(`${service.url}${path}?${at}`, '203.0.113.1', headers).catch(() => null)),
      )
      const [settled, health, page] = await Promise.all([
        settle(service, customer),
        get(`${service.url}/health`, '203.0.113.2'),
        get(`${service.url}/payments/1`, '203.0.113.2'),
      ])
      expect(settled).toMatchObject({ status: 200, body: { success: true } })
      expect([health.status, page.status]).toEqual([200, 200])
      // Each render has a text of its own.
      const texts = (await flood).flatMap((answer) => (answer?.status === 200 ? [answer.text] : []))
      const seconds = (performance.now() - began) / 1_000
      expect(new Set(texts).size).toBeLessThanOrEqual(Math.max(1, burst + (burst && seconds * A_SECOND + 1)))
      expect(texts.length).toBe(burst === 0 ? FLOOD : new Set(texts).size)
    } finally {
      await clear()
    }
  },
)
