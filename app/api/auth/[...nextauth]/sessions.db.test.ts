import { randomUUID } from 'node:crypto'
import { decode, encode } from 'next-auth/jwt'
import { describe, expect, test } from 'vitest'
import type { App } from '@/server/app'
import { HOUR_MS } from '@/server/base/durations'
import { connect } from '@/server/db/database'
import { exportHistory } from '@/server/history/exports'
import { sessionCookieName } from '@/server/sign-in/session-cookie'
import { pruneEndedSessions } from '@/server/sign-in/session-queries'
import { authBrowser } from '@/test/support/service/auth-browser'
import { askProcedure, dataOf } from '@/test/support/service/dashboard'
import { asked, newIp, startReading } from '@/test/support/service/history'
import { fixture } from '../../../../test/support/fixture'

const harness = fixture(startReading)

const later = (hours: number): App => ({ ...harness.app, now: () => new Date(Date.now() + hours * HOUR_MS) })
type Cookie = { cookie: string }

/** The signed-in user of a cookie, for pages and for exports. */
async function whoIs({ cookie }: Cookie, app: App = harness.app): Promise<[kind: string | null, exported: number]> {
  const { who } = dataOf<{ who: { kind: string } | null }>(
    await askProcedure(app, asked('/api/trpc/session.get', { headers: { cookie } })),
  )
  const file = await exportHistory.handle(app, asked('/api/export?reader=admin&format=json', { headers: { cookie } }))
  await file.text()
  return [who?.kind ?? null, file.status]
}
const OPEN = ['admin', 200]
const OVER = [null, 401]

async function signedIn() {
  const browser = authBrowser(harness.app)
  expect((await browser.signInAsAdmin()).status).toBe(200)
  return browser
}

/** The cookie with a changed token, encrypted again for another twelve hours. */
async function encryptedAgain({ cookie }: Cookie, changed: Record<string, unknown>): Promise<Cookie> {
  const name = sessionCookieName(harness.app)
  const encrypted = cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  const secret = harness.app.config.sessionSecret
  const token = await decode({ token: encrypted?.slice(name.length + 1) ?? '', secret })
  return { cookie: `${name}=${await encode({ token: { ...token, ...changed }, secret, maxAge: 12 * 3_600 })}` }
}

describe('a session of the dashboard', () => {
  test('lasts twelve hours from the sign-in', async () => {
    const { header } = await signedIn()
    expect(await whoIs(header())).toEqual(OPEN)
    expect(await whoIs(header(), later(11.9))).toEqual(OPEN)
    expect(await whoIs(header(), later(12))).toEqual(OVER)
  })

  test('is not extended by requests', async () => {
    const browser = await signedIn()
    const before = browser.header()
    for (const method of ['GET', 'POST']) {
      const { status, headers, body } = await browser.ask(method, 'session')
      expect([status, headers.getSetCookie().filter((line) => line.includes('session='))]).toEqual([200, []])
      expect(body).toEqual({ expires: expect.stringMatching(/Z$/) })
    }
    expect(browser.header()).toEqual(before)
  })

  test('ends after twelve hours, even if its cookie is valid for longer', async () => {
    const { header } = await signedIn()
    expect(await whoIs(await encryptedAgain(header(), {}))).toEqual(OPEN)
    const hoursAgo = (hours: number) => Math.floor(Date.now() / 1_000) - hours * 3_600
    expect(await whoIs(await encryptedAgain(header(), { signedInAt: hoursAgo(11) }))).toEqual(OPEN)
    for (const signedInAt of [hoursAgo(12), hoursAgo(-1), undefined, null, 'today']) {
      expect([signedInAt, ...(await whoIs(await encryptedAgain(header(), { signedInAt })))]).toEqual([signedInAt, ...OVER])
    }
    for (const sessionId of [undefined, 7, 'one']) {
      expect([sessionId, ...(await whoIs(await encryptedAgain(header(), { sessionId })))]).toEqual([sessionId, ...OVER])
    }
  })
})

describe('a sign-out', () => {
  test('ends the session for every copy of its cookie, at once and on every instance', async () => {
    const browser = await signedIn()
    const stolen = browser.header()
    const neighbour = await startReading()
    try {
      const other: App = { ...neighbour.app, config: harness.app.config, db: harness.app.db }
      expect(await whoIs(stolen, other)).toEqual(OPEN)
      expect((await browser.signOut()).status).toBe(200)
      expect(browser.cookies().map(({ name }) => name)).not.toContain(sessionCookieName(harness.app))
      expect([await whoIs(stolen), await whoIs(stolen, other)]).toEqual([OVER, OVER])
    } finally {
      await neighbour.close()
    }
    expect(await whoIs(await encryptedAgain(stolen, {}))).toEqual(OVER)
  })

  test('does not end other sessions', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    await one.signOut()
    expect(await whoIs(other.header())).toEqual(OPEN)
    await one.signInAsAdmin()
    expect(await whoIs(one.header())).toEqual(OPEN)
  })

  test('that cannot be stored is an error, and can be retried', async () => {
    const browser = await signedIn()
    const before = browser.header()
    const { db, close } = connect({ url: 'postgresql://user@127.0.0.1:1/none' })
    try {
      const { status, headers, body } = await authBrowser({ ...harness.app, db }, newIp(), browser.header()).signOut()
      expect([status, headers.getSetCookie()]).toEqual([503, []])
      expect(body).toMatchObject({ url: `${harness.app.config.baseUrl}/sign-in?error=Unavailable` })
    } finally {
      await close()
    }
    expect(await whoIs(before)).toEqual(OPEN)
  })

  test('is stored for as long as a cookie lasts', async () => {
    const { db } = harness.app
    await db.endedSession.deleteMany()
    const ago = (hours: number) => ({ id: randomUUID(), expiresAt: new Date(Date.now() - hours * HOUR_MS) })
    await db.endedSession.createMany({ data: [ago(3), ago(2), ago(1.1), ago(0.9), ago(-11)] })
    expect(await pruneEndedSessions(db, 2)).toBe(2)
    expect(await pruneEndedSessions(db, 2)).toBe(1)
    expect(await db.endedSession.count()).toBe(2)
  })
})

test('while the database is down the pages get an error without details', async () => {
  const { header } = await signedIn()
  const { db, close } = connect({ url: 'postgresql://user@127.0.0.1:1/none' })
  try {
    const app = { ...harness.app, db }
    const headers = header()
    expect(await askProcedure(app, asked('/api/trpc/session.get', { headers }))).toEqual({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      message: 'the service cannot reach its database; try again in a moment',
    })
    expect((await askProcedure(app, asked('/api/trpc/session.get'))).status).toBe(200)
    expect((await authBrowser(app, newIp(), headers).ask('GET', 'session')).status).toBe(503)
  } finally {
    await close()
  }
})
