import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { envSchema } from '../../server/env/env'
import { builtInNetworks } from '../../server/x402/networks/built-in-networks'
import { ROOT } from '../support/source-files'

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const read = (file: string) => textOf(file).replaceAll(/\s+/g, ' ')

// What a page says, and the constants behind it as the source has them: whoever changes one changes the other.
const said: [page: string, sentence: string, source: string, constants: string[]][] = [
  ['operations', 'Running ones are answered (22 s at most)', 'main.ts', ['DRAIN_MS = 22_000']],
  ['operations', 'leases released, exit within 25 s', 'main.ts', ['EXIT_MS = 25_000']],
  [
    'operations',
    'It takes two seconds at most and caches the result for half a second',
    'operations/readiness.ts',
    ['TIMEOUT_MS = 2_000', 'REMEMBERED_MS = { ready: 500,'],
  ],
  [
    'operations',
    'two per reader, 32 per process and four more for administrators',
    'history/export-slots.ts',
    ['EACH = 2', 'ALL = 32', 'OF_ADMINS = 4'],
  ],
  [
    'operations',
    'failures after 2 s, then at growing pauses up to an hour, for a day',
    'ledger/outbox-worker.ts',
    ['FIRST_RETRY_MS = 2_000', 'LAST_RETRY_MS = 3_600_000'],
  ],
  ['operations', 'An instance sends 32 at once, 4 per webhook', 'webhooks/worker.ts', ['AT_ONCE = 32']],
  ['operations', 'and 8 per merchant', 'webhooks/queue-queries.ts', ['OF_OWNER = sql`8`']],
  ['operations', '(500 good, 500 others)', 'webhooks/queue-queries.ts', ['ANSWERS_MAX = 500']],
  ['operations', 'Without a clear verdict in 2 s', 'screening/chainalysis.ts', ['TIMEOUT_MS = 2_000']],
  ['operations', 'We cache clear verdicts for a minute', 'screening/screening.ts', ['CLEAR_FOR_MS = 60_000']],
  [
    'operations',
    'After 5 failures in a row we stop calling for 5 s',
    'screening/budgets.ts',
    ['FAILURES_TO_OPEN = 5', 'OPEN_FOR_MS = 5_000'],
  ],
  [
    'operations',
    'for its `Retry-After` (1 to 60 s, default 2 s)',
    'screening/budgets.ts',
    ['PAUSE_MS = 2_000', 'PAUSE_LEAST_MS = 1_000', 'PAUSE_MOST_MS = 60_000'],
  ],
  ['operations', 'only its SHA-256 and 11 characters', 'accounts/keyring.ts', ['SHOWN_LENGTH = 11']],
  ['operations', 'or after 5 s without notices', 'accounts/keyring.ts', ['REMEMBERED_MS = 5_000']],
  ['operations', 'Dashboard sessions end 12 hours after sign-in', 'sign-in/session-cookie.ts', ['SESSION_SECONDS = 12 * 3_600']],
  ['operations', 'A dashboard message lasts 15 minutes', 'sign-in/messages.ts', ['BROWSER_MS = 15 * 60_000']],
  [
    'operations',
    'every ten minutes, and at most once in five seconds. Known keys work through 24 hours of an outage',
    'sign-in/issuer-keys.ts',
    ['FRESH_MS = 600_000', 'COOL_DOWN_MS = 5_000', 'FALLBACK_MS = 24 * 3_600_000'],
  ],
  ['operations', 'a failure alert at most once in six hours', 'webhooks/alerts.ts', ['FAILURES_EVERY_H = 6']],
  ['operations', 'counts at most 50,000 rows of today', 'analytics/figures.ts', ['COUNTED_MAX = 50_000']],
  ['operations', 'makes two RPC calls a minute on a cluster', 'ledger/svm/fee-payers.ts', ['IDLE_MS = 60_000']],
  ['costs', 'an instance makes two calls a minute on a Solana cluster', 'ledger/svm/fee-payers.ts', ['IDLE_MS = 60_000']],
  ['api', '200 to 299 within 10 seconds: delivered', 'webhooks/receiver.ts', ['TIMEOUT_MS = 10_000']],
  [
    'api',
    'after about 5 s, 15 s, 45 s and so on up to every 4 hours, for 24 hours',
    'webhooks/retries.ts',
    ['FIRST_PAUSE_MS = 5_000', 'LAST_PAUSE_MS = 4 * 3_600_000', 'TRIED_HOURS = 24', 'FIRST_PAUSE_MS * 3 **'],
  ],
  ['api', 'You can send 50 tests an hour', 'webhooks/deliveries.ts', ['TESTS_PER_HOUR = 50']],
  ['api', 'Merchants add at most ten', 'webhooks/own-endpoints.ts', ['ENDPOINTS_MAX = 10']],
  [
    'api',
    'in an hour a quarter of at least 20 payments failed',
    'webhooks/alerts.ts',
    ['FAILED_MIN_TOTAL = 20', 'FAILED_SHARE = 4'],
  ],
  ['api', 'Agent routes allow 20 requests per second', 'sign-in/credentials.ts', ['PROOFS_PER_SECOND = 20']],
  ['receipts', 'cut after 2,048 characters', 'payments/receipts.ts', ['RESOURCE_SHOWN = 2_048']],
  ['receipts', 'has at most 1,000 pages', 'history/receipt-links.ts', ['LINKS_MAX = 1_000']],
  [
    'upgrade',
    'gives up after three seconds of waiting for a lock, so that payments do not queue behind it. It tries again for four minutes',
    'db/migrate.ts',
    ["LOCK_TIMEOUT = '3s'", 'LOCK_TRIES = 60', 'PAUSE_MS = { lock: 1_000,'],
  ],
  ['scale', '10 requests, 8 engine', 'boot/databases.ts', ['REQUEST_LIMITS = { poolMax: 10,', 'ENGINE_LIMITS = { poolMax: 8,']],
  ['demo', 'at most 30 times a minute', '../devnet/playground.ts', ['GIFTS_A_MINUTE = 30', 'GIFT = 10_000n']],
]

test.each(said)('docs/%s.md: "%s"', (page, sentence, source, constants) => {
  expect(read(`docs/${page}.md`)).toContain(sentence)
  const text = textOf(path.join('server', source))
  for (const one of constants) expect(text).toContain(one)
})

test('README.md counts the EVM networks that an endpoint switches on', () => {
  const [, named = '', others = ''] = /serves it: ([^.]*) and (\d+) others/.exec(read('README.md')) ?? []
  expect(named.split(', ').length + Number(others)).toBe(builtInNetworks.length)
})

describe('.env.example', () => {
  const lines = textOf('.env.example').split('\n')

  /** The comment above a variable, which it may share with the variables between. */
  function commentOf(name: string): string {
    const at = lines.findIndex((line) => line.replace(/^# /, '').startsWith(`${name}=`))
    const above = lines.slice(0, at).toReversed()
    const begin = above.findIndex((line) => /^# /.test(line) && !/^# [A-Z0-9_]+=/.test(line))
    const comment = above.slice(begin)
    const end = comment.findIndex((line) => !line.startsWith('# '))
    return comment.slice(0, end).join(' ')
  }

  const defaults = Object.entries(envSchema.shape).flatMap(([name, schema]) => {
    const value: unknown = schema.safeParse('').data
    return typeof value === 'number' || typeof value === 'string' ? [[name, String(value)] as const] : []
  })

  test('has variables with a default', () => {
    expect(defaults.length).toBeGreaterThan(25)
  })

  test.each(defaults)('says that %s is %s by default', (name, value) => {
    const comment = commentOf(name)
    const spellings = [`(${value})`, `(${value};`, `(${value}:`, `(${value} `, `${value} (default)`]
    expect(
      spellings.some((one) => comment.includes(one)),
      `${comment}: ${value}`,
    ).toBe(true)
  })
})
