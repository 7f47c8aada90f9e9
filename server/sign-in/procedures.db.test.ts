import { encode } from 'next-auth/jwt'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { administrator, askProcedure, cookieOf, dataOf, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { asked, startReading } from '../../test/support/service/history'
import { sha256 } from '../base/hash'
import { sessionCookieName } from './session-cookie'

const harness = fixture(() => startReading({ ADMIN_SUBJECTS: 'ada' }))

type Session = {
  walletConnectProjectId: string | null
  who: { account: string; kind: string; admin: boolean; name: string } | null
  canSignIn: { merchant: boolean; admin: boolean }
}

const sessionWith = async (headers: Record<string, string>) =>
  dataOf<Session>(await askProcedure(harness.app, asked('/api/trpc/session.get', { headers })))

describe('the session', () => {
  test('says who is signed in, as people write it, and how one can sign in', async () => {
    const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    const who = async (principal: Parameters<typeof pagesOf>[1]) =>
      dataOf<Session>(await pagesOf(harness.app, principal).query('session.get')).who
    expect(await who(null)).toBeNull()
    const account = expect.stringMatching(/^[\w-]{22}$/)
    expect(await who(merchant('alice'))).toEqual({ account, kind: 'merchant', admin: false, name: 'alice' })
    expect(await who(merchant('ada', { admin: true }))).toEqual({ account, kind: 'merchant', admin: true, name: 'ada' })
    expect(await who(wallet(address))).toEqual({
      account,
      kind: 'wallet',
      admin: false,
      name: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    })
    expect(await who(administrator)).toEqual({ account, kind: 'admin', admin: true, name: 'Administrator' })
    expect((await sessionWith({})).canSignIn).toEqual({ merchant: false, admin: true })
  })

  test('tells accounts apart that have one name, and shows no id of theirs', async () => {
    const accountOf = async (principal: Parameters<typeof pagesOf>[1]) =>
      dataOf<Session>(await pagesOf(harness.app, principal).query('session.get')).who?.account
    const named = (id: string) => ({ ...merchant(id), name: 'Ada' }) as const
    const [one, other, again] = [await accountOf(named('one')), await accountOf(named('other')), await accountOf(merchant('one'))]
    expect([one === other, one === again]).toEqual([false, true])
    expect(await accountOf(wallet('one'))).not.toBe(one)
  })

  test('carries the WalletConnect project id of the service, or null', async () => {
    expect((await sessionWith({})).walletConnectProjectId).toBeNull()
    const walletConnectProjectId = '0123456789abcdef0123456789abcdef'
    const app = { ...harness.app, config: { ...harness.app.config, walletConnectProjectId } }
    expect(dataOf<Session>(await askProcedure(app, asked('/api/trpc/session.get'))).walletConnectProjectId).toBe(
      walletConnectProjectId,
    )
  })

  test('is null for a cookie that is forged, expired, of another kind or broken', async () => {
    const principal = merchant('mallory', { admin: true })
    const { cookie = '' } = await cookieOf(harness.app, principal)
    const another = await cookieOf(harness.app, principal, { secret: 'another secret' })
    const name = sessionCookieName(harness.app)
    const plain = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ principal })).toString('base64url')}.`
    const cookies = [
      another.cookie ?? '',
      (await cookieOf(harness.app, principal, { maxAge: -60 })).cookie ?? '',
      cookie.replace(name, 'next-auth.session-token'),
      `${cookie.slice(0, -2)}xx`,
      `${name}=${plain}`,
      `${name}=`,
      name,
      ';;=;',
    ]
    for (const one of cookies) expect([one, (await sessionWith({ cookie: one })).who]).toEqual([one, null])
    expect((await sessionWith({ cookie: `theme=dark; ${cookie}; other` })).who).toMatchObject({ name: 'mallory' })
  })

  test('is null for a cookie of ours with an unknown principal', async () => {
    const strangers = [
      { kind: 'root' },
      { kind: 'merchant', id: '', admin: true, name: '' },
      { kind: 'wallet' },
      'admin',
      {},
      ['admin'],
    ]
    for (const who of strangers) expect([who, (await sessionWith(await cookieOf(harness.app, who))).who]).toEqual([who, null])
    const value = await encode({ token: { sub: 'alice', name: 'alice' }, secret: harness.app.config.sessionSecret })
    expect((await sessionWith({ cookie: `${sessionCookieName(harness.app)}=${value}` })).who).toBeNull()
  })
})

test('the session of the admin key ends with that key, and no other session does', async () => {
  const held = [await cookieOf(harness.app, administrator), await cookieOf(harness.app, merchant('alice'))]
  const kinds = async (adminKeyHash: Uint8Array | null) => {
    const app = { ...harness.app, config: { ...harness.app.config, adminKeyHash } }
    const told = held.map((headers) => askProcedure(app, asked('/api/trpc/session.get', { headers })))
    return (await Promise.all(told)).map((one) => dataOf<Session>(one).who?.kind ?? null)
  }
  expect(await kinds(harness.app.config.adminKeyHash)).toEqual(['admin', 'merchant'])
  expect(await kinds(sha256('another key of the administrator, 0123'))).toEqual([null, 'merchant'])
  expect(await kinds(null)).toEqual([null, 'merchant'])
  const token = { principal: administrator }
  const value = await encode({ token, secret: harness.app.config.sessionSecret })
  expect((await sessionWith({ cookie: `${sessionCookieName(harness.app)}=${value}` })).who).toBeNull()
})

test('a merchant administers for as long as the subject is on the list, with any cookie', async () => {
  const headers = await cookieOf(harness.app, merchant('ada', { admin: true }))
  const admin = async (adminSubjects: readonly string[]) => {
    const app = { ...harness.app, config: { ...harness.app.config, adminSubjects } }
    return dataOf<Session>(await askProcedure(app, asked('/api/trpc/session.get', { headers }))).who
  }
  expect(await admin(['ada'])).toMatchObject({ name: 'ada', admin: true })
  expect(await admin(['bob'])).toMatchObject({ name: 'ada', admin: false })
})

test('the cookie is limited to https where the service is reached by it', () => {
  const at = (baseUrl: string) => sessionCookieName({ config: { ...harness.app.config, baseUrl } })
  expect([at('https://pay.example.com'), at('http://localhost:3000')]).toEqual(['__Host-quittance.session', 'quittance.session'])
})
