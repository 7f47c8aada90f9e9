import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { administrator, askProcedure, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { asked, newOwner, startReading } from '../../test/support/service/history'
import { OWN_KEYS_MAX } from '../accounts/own-keys'
import { connect } from '../db/database'

const harness = fixture(startReading)

const ID = '00000000-0000-4000-8000-000000000000'

describe('a refusal keeps its message and has its code', () => {
  test('401 without a sign-in', async () => {
    const told = await pagesOf(harness.app, null).query('keys.list')
    expect(told).toEqual({ status: 401, code: 'UNAUTHORIZED', message: 'sign in as a merchant or with a wallet' })
  })

  test('403 for a principal that is no administrator', async () => {
    const told = await pagesOf(harness.app, merchant(newOwner())).query('admin.tenants')
    expect(told).toEqual({ status: 403, code: 'FORBIDDEN', message: 'only administrators can see this' })
  })

  test("404 for an unknown id, and for another owner's", async () => {
    const told = await pagesOf(harness.app, merchant(newOwner())).mutate('keys.revoke', { id: ID })
    expect(told).toEqual({ status: 404, code: 'NOT_FOUND', message: 'none of your API keys has a tenant with this id' })
    expect(await pagesOf(harness.app, administrator).mutate('admin.changeTenant', { id: ID })).toMatchObject({ status: 404 })
    expect(
      await pagesOf(harness.app, wallet('0x1111111111111111111111111111111111111111')).mutate('agent.createKey'),
    ).toMatchObject({
      status: 404,
    })
  })

  test('400 for an invalid input, with the field', async () => {
    const told = await pagesOf(harness.app, merchant(newOwner())).mutate('keys.configure', { id: ID, maxAmount: '0' })
    expect(told).toEqual({ status: 400, code: 'BAD_REQUEST', message: 'maxAmount must be more than 0' })
  })

  test('400 for a text with a NUL character', async () => {
    const [own, all] = [pagesOf(harness.app, merchant(newOwner())), pagesOf(harness.app, administrator)]
    const told = await Promise.all([
      own.query('settlements.list', { reader: 'merchant', resource: 'a\0' }),
      own.mutate('keys.create', { name: 'a\0' }),
      ...['figures', 'money'].map((name) => all.query(`admin.${name}`, { within: 'mainnet', owner: 'a\0' })),
      all.query('admin.tenants', { search: 'a\0' }),
    ])
    for (const one of told) expect(one).toMatchObject({ status: 400, message: expect.stringContaining('holds a NUL character') })
  })

  test('409 for one key too many', async () => {
    const pages = pagesOf(harness.app, merchant(newOwner()))
    for (let made = 0; made < OWN_KEYS_MAX; made++)
      expect(await pages.mutate('keys.create', { name: '' })).toMatchObject({ status: 200 })
    expect(await pages.mutate('keys.create', { name: '' })).toEqual({
      status: 409,
      code: 'CONFLICT',
      message: 'you have 10 live keys; revoke one before you create another',
    })
  })

  test('429 beyond the rate limit, as a tRPC error', async () => {
    // A limit of 0 refuses at once, on a slow machine too.
    const rateLimit = (subject: string) => harness.app.rateLimit(subject, 0)
    const told = await askProcedure({ ...harness.app, rateLimit }, asked('/api/trpc/session.get'))
    expect(told).toMatchObject({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringContaining('requests per second'),
    })
  })
})

describe('an internal error', () => {
  test('is a 503 with a message while the database is unreachable', async () => {
    const gone = connect({ url: 'postgresql://user@127.0.0.1:1/gone' })
    const told = await pagesOf({ ...harness.app, db: gone.db }, merchant(newOwner())).query('keys.list')
    await gone.close()
    expect(told).toEqual({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      message: 'the service cannot reach its database; try again in a moment',
    })
  })

  test('is a 500 with the request id and without the cause', async () => {
    const broken = new Proxy(harness.app.db, {
      get() {
        throw new Error('a detail of the inside')
      },
    })
    const told = await pagesOf({ ...harness.app, db: broken }, merchant(newOwner())).query('keys.list')
    expect(told).toEqual({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'internal error; quote request id test' })
  })
})
