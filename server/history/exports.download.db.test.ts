import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { administrator, cookieOf, merchant, wallet } from '../../test/support/service/dashboard'
import { asked, newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import { until } from '../../test/support/until'
import type { Principal } from '../sign-in/principal'
import { createExportSlots } from './export-slots'
import { exportHistory } from './exports'

const harness = fixture(startReading)

const READERS = { merchant: 'merchant', wallet: 'payer', admin: 'admin' } as const

/** Requests files from a service with these slots; a refusal becomes a response, as in a process. */
function serviceWith(options: Parameters<typeof createExportSlots>[0]) {
  const app = { ...harness.app, exports: createExportSlots(options) }
  return async (who: Principal): Promise<Response> => {
    const request = asked(`/api/export?reader=${READERS[who.kind]}&format=csv`, { headers: await cookieOf(app, who) })
    return exportHistory.handle(app, request)
  }
}

async function merchantWithRows(): Promise<Principal> {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  await harness.app.db.history.createMany({ data: Array.from({ length: 5 }, () => newRow({ ownerId, tenantId })) })
  return merchant(ownerId)
}

describe('so many exports at once', () => {
  test('of one reader: the next must wait, and others need not', async () => {
    const ask = serviceWith({ each: 2 })
    const who = await merchantWithRows()
    const running = [await ask(who), await ask(who)]
    expect(running.map(({ status }) => status)).toEqual([200, 200])
    const refused = await ask(who)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await refused.json()).toEqual({
      error: '2 of your exports are still running; wait for one or cancel its download, then try again',
    })
    const others = [await merchantWithRows(), wallet('0x1111111111111111111111111111111111111111'), administrator]
    for (const other of others) expect((await ask(other)).status).toBe(200)
  })

  test('of four readers leave slots to all others', async () => {
    const ask = serviceWith({ all: 8 })
    const statusOf = async (who: Principal) => (await ask(who)).status
    const four = await Promise.all([1, 2, 3, 4].map(merchantWithRows))
    const taken = []
    for (const who of [...four, ...four]) taken.push(await statusOf(who))
    expect(taken).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
    for (const status of [200, 200, 200, 200, 429]) expect(await statusOf(await merchantWithRows())).toBe(status)
  })

  test('never block administrators', async () => {
    const ask = serviceWith({ all: 2 })
    for (const status of [200, 200, 429]) expect((await ask(await merchantWithRows())).status).toBe(status)
    for (const status of [200, 200, 200, 200, 429]) expect((await ask(administrator)).status).toBe(status)
  })

  test('read two pages at a time, however many there are', async () => {
    const places = createExportSlots()
    let [reading, most] = [0, 0]
    const page = async () => {
      most = Math.max(most, ++reading)
      await harness.app.db.history.count()
      reading--
    }
    await Promise.all(Array.from({ length: 36 }, () => places.read(page)))
    expect(most).toBe(2)
  })

  test('of all tenants', async () => {
    const ask = serviceWith({ all: 2 })
    for (const status of [200, 200, 429]) {
      const answer = await ask(await merchantWithRows())
      expect(answer.status).toBe(status)
      if (status === 429) expect(await answer.json()).toEqual({ error: expect.stringContaining('try again in 10 s') })
    }
  })
})

describe('the slot of an export is free again', () => {
  test('when it was read to its end', async () => {
    const ask = serviceWith({ each: 1 })
    const who = await merchantWithRows()
    for (const _ of [1, 2, 3]) expect((await (await ask(who)).text()).trimEnd().split('\r\n')).toHaveLength(6)
  })

  test('when its reader leaves', async () => {
    const ask = serviceWith({ each: 1 })
    const who = await merchantWithRows()
    const reader = (await ask(who)).body?.getReader()
    await reader?.read()
    expect((await ask(who)).status).toBe(429)
    await reader?.cancel()
    expect((await ask(who)).status).toBe(200)
  })

  test('when the download stalls, and a later read shows that the file is incomplete', async () => {
    const ask = serviceWith({ each: 1, stallMs: 1 })
    const who = await merchantWithRows()
    const stalled = await ask(who)
    await until(async () => {
      const next = await ask(who)
      await next.body?.cancel()
      return next.status === 200
    }, 'the slot to be free')
    await expect(stalled.text()).rejects.toThrow('the download stalled')
  })

  test('when it takes too long, even with a fast reader', async () => {
    const ask = serviceWith({ each: 1, totalMs: 1 })
    const who = await merchantWithRows()
    const slow = await ask(who)
    await until(async () => (await ask(who)).status === 200, 'the slot to be free')
    await expect(slow.text()).rejects.toThrow('the export took too long')
  })

  test('when it was refused for another reason, or cannot be written', async () => {
    const who = await merchantWithRows()
    const places = createExportSlots({ each: 1 })
    // It says that no session ended, and fails at all else.
    const db = {
      endedSession: { findUnique: () => Promise.resolve(null) },
      queryUnprepared: () => Promise.reject(new Error('broken')),
    }
    const broken = { ...harness.app, exports: places, db: db as never }
    const request = async (query: string) => asked(`/api/export?${query}`, { headers: await cookieOf(harness.app, who) })
    expect((await exportHistory.handle(broken, await request('reader=merchant&format=pdf'))).status).toBe(400)
    await expect((await exportHistory.handle(broken, await request('reader=merchant&format=csv'))).text()).rejects.toThrow()
    places.take('merchant another')()
    expect(
      (await exportHistory.handle({ ...harness.app, exports: places }, await request('reader=merchant&format=csv'))).status,
    ).toBe(200)
  })
})
