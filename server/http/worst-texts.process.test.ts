import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { type MainProcess, startMainProcess } from '../../test/support/service/main-process'

let database: FreshDatabase
let service: MainProcess
beforeAll(async () => {
  database = await freshDatabase()
  service = await startMainProcess({ DATABASE_URL: database.url, ADMIN_KEY, LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await service.kill('SIGTERM')
  await database.close()
})

const SIZE = 15_000
const filled = (part: string, size = SIZE) => part.repeat(size / part.length)

/** What one address sends, with how often a second it may. */
type Sent = { perSecond: number; path: string; body?: unknown; headers?: Record<string, string> }

const asPayload = (text: string) => ({ paymentPayload: text, paymentRequirements: {} })

/** Requests of the same sizes, of these texts. */
const sentWith = (padding: string, token: string, words: string): Sent[] => [
  { perSecond: 5, path: '/sandbox/verify', body: asPayload(`${filled(padding)}a`) },
  { perSecond: 5, path: '/sandbox/settle', body: asPayload(`${filled(padding)}a`) },
  { perSecond: 5, path: '/sandbox/explain', body: { input: `https://${filled(token)}` } },
  { perSecond: 5, path: '/api/explain', body: { input: { [filled(token)]: 1 } } },
  { perSecond: 20, path: '/api/v1/auth/siwe', headers: signed(`${filled(padding, 5_400)}a`) },
  { perSecond: 20, path: '/api/v1/auth/siwe', headers: signed(Buffer.from(filled(words, 4_000)).toString('base64')) },
]
const signed = (message: string) => ({ 'x-siwe-message': message, 'x-siwe-signature': '0x00' })

const WORST = sentWith('=', '-eyJ', 'a.')
const HARMLESS = sentWith('A', 'word', 'b ')

const SECONDS = 4
const PAUSE_MS = 20

/** The times of `/health` in milliseconds until the work beside it ends, the longest of a hundred left out. */
async function healthBeside(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver) {
    const start = performance.now()
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await ended
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** Sends one request, and gives its status. */
async function send({ path, body, headers = {} }: Sent): Promise<number> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  return response.status
}

/** Each request as often as one address may send it, for some seconds. Gives the statuses. */
async function flood(requests: Sent[]): Promise<Set<number>> {
  const sent = requests.flatMap((one) =>
    Array.from({ length: one.perSecond * SECONDS }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, (at * 1_000) / one.perSecond))
      return send(one)
    }),
  )
  return new Set(await Promise.all(sent))
}

test('the worst texts of one address, as often as it may send them, leave /health below 100 ms', async () => {
  // The first of each loads code.
  await Promise.all([...WORST, ...HARMLESS].map(send))
  const usual = await healthBeside(flood(HARMLESS))
  const attack = flood(WORST)
  const hostile = await healthBeside(attack)
  const statuses = await attack
  expect(statuses).toContain(400)
  expect(statuses).not.toContain(500)
  // A busy machine makes both slow. Before the readers were linear, most of these requests took half a second each.
  expect(hostile).toBeLessThan(Math.max(100, 4 * usual))
})
