import { beforeEach, expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { administrator, dataOf, pagesOf } from '../../../test/support/service/dashboard'
import { asked, documentedAnswer, startReading } from '../../../test/support/service/history'
import { DAY_MS } from '../../base/durations'
import { getStatus } from './endpoints'
import { createIncidents } from './incidents'
import type { Status } from './status'

const harness = fixture(startReading)
const BASE = 'eip155:8453'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** The published incidents, without those of ten seconds ago. */
async function published() {
  const app = { ...harness.app, incidents: createIncidents(harness.app.db, () => new Date()) }
  const { body } = await documentedAnswer('GET /status.json', getStatus.handle(app, asked('/status.json')))
  return (body as Status).incidents
}

const act = (what: string, input: unknown) => pagesOf(harness.app, administrator).mutate(`admin.incidents.${what}`, input)
const draft = { title: 'Slow settlements', impact: 'degraded', networks: [BASE], minutesAgo: 30, text: 'We look into it.' }
const open = async (changed: Partial<typeof draft> = {}) => dataOf<{ id: string }>(await act('open', { ...draft, ...changed })).id

beforeEach(async () => {
  await harness.app.db.$executeRaw`TRUNCATE "Incident" CASCADE`
})

test('an incident is published with its messages, newest first, until it is resolved, and afterwards', async () => {
  const id = await open()
  expect((await act('update', { id, text: 'We changed the nodes.' })).status).toBe(200)
  const [lasting] = (await published()) ?? []
  expect(lasting).toMatchObject({ id, title: draft.title, impact: 'degraded', networks: [BASE], resolved_at: null })
  expect(lasting?.updates.map(({ text }) => text)).toEqual(['We changed the nodes.', 'We look into it.'])
  expect(Math.round((Date.now() - Date.parse(lasting?.started_at ?? '')) / 60_000)).toBe(30)
  expect((await act('resolve', { id, text: 'All settle in time.' })).status).toBe(200)
  const [over] = (await published()) ?? []
  expect(over?.resolved_at).toBe(over?.updates[0]?.at)
  expect(over?.updates.map(({ text }) => text)).toEqual(['All settle in time.', 'We changed the nodes.', 'We look into it.'])
})

test('nothing is added to an incident that is over, also at the same moment', async () => {
  const id = await open()
  const answers = await Promise.all(['one', 'other'].map((text) => act('resolve', { id, text })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await act('update', { id, text: 'too late' })).toMatchObject({ code: 'CONFLICT' })
  expect(await act('update', { id: UNKNOWN, text: 'of none' })).toMatchObject({ code: 'CONFLICT' })
  expect((await published())?.[0]?.updates).toHaveLength(2)
})

test('an incident of more than 90 days ago leaves the page, one that lasts does not, and a deleted one is gone', async () => {
  const [old, lasting, deleted] = [await open(), await open(), await open()]
  const startedAt = new Date(Date.now() - 100 * DAY_MS)
  await act('resolve', { id: old, text: 'over' })
  await harness.app.db.incident.update({ where: { id: old }, data: { startedAt, resolvedAt: new Date(startedAt.getTime() + 1) } })
  await harness.app.db.incident.update({ where: { id: lasting }, data: { startedAt } })
  expect((await act('remove', { id: deleted })).status).toBe(200)
  expect(await act('remove', { id: deleted })).toMatchObject({ code: 'NOT_FOUND' })
  expect((await published())?.map(({ id }) => id)).toEqual([lasting])
  const listed = dataOf<{ incidents: { id: string }[] }>(await pagesOf(harness.app, administrator).query('admin.incidents.list'))
  expect(listed.incidents.map(({ id }) => id).toSorted()).toEqual([old, lasting].toSorted())
})

test('a form without a title, with an unknown network or a long text is refused at its field', async () => {
  const refused = [{ title: ' ' }, { networks: ['eip155:1999999'] }, { text: 'x'.repeat(2_001) }, { minutesAgo: -1 }]
  for (const changed of refused) expect(await act('open', { ...draft, ...changed })).toMatchObject({ code: 'BAD_REQUEST' })
  expect(await published()).toEqual([])
})

test('the status is served without incidents while they cannot be read', async () => {
  const app = { ...harness.app, incidents: () => Promise.reject(new Error('no database')) }
  const { body } = await documentedAnswer('GET /status.json', getStatus.handle(app, asked('/status.json')))
  expect(body).toMatchObject({ available: true, incidents: null })
})
