import { createHash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { type Admin, newAdmin } from '../../test/support/service/admin'
import { startHarness } from '../../test/support/service/harness'
import { type Answer, keyHolder } from '../../test/support/service/surface'

type Json = Record<string, unknown>

const harness = fixture(() => startHarness({ production: true }))
let admin: Admin
beforeAll(() => {
  admin = newAdmin(harness.app)
})

const WALLET = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const SOLANA = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const fieldOf = ({ body }: Answer, name: string) => String(Reflect.get(Object(body), name))
const made = (fields: Json = {}) => admin.create({ owner_id: 'merchant', plan: 'growth', ...fields })
const said = ({ status, body }: Answer) => [status, body]

describe('POST /admin/tenants', () => {
  test('201 with the whole tenant and its key, which only this response contains', async () => {
    const ownerId = randomUUID()
    const settings = {
      plan: 'scale',
      name: 'Weather 💶',
      history_enabled: false,
      rps: 7,
      settlement_quota: 0,
      verification_quota: 9,
      allowed_networks: ['eip155:84532'],
      pay_to_allow: [WALLET, SOLANA],
      max_amount: '5000000',
      share_transactions: false,
      wait_until: 'safe',
      public_receipts: true,
      second_charge_seconds: 600,
      claim_above: '5000000',
      claim_after_seconds: 60,
      claim_max_gas_price: '1000000000',
    }
    const answer = await admin.create({ owner_id: ownerId, ...settings })
    const shown = {
      id: expect.stringMatching(UUID),
      owner_kind: 'oidc',
      owner_id: ownerId,
      ...settings,
      created_at: expect.stringMatching(TIME),
      revoked_at: null,
    }
    const prefix = expect.stringMatching(/^qt_[\w-]{8}$/)
    const key = {
      id: expect.stringMatching(UUID),
      prefix,
      created_at: expect.stringMatching(TIME),
      last_used_at: null,
      grace_until: null,
    }
    expect(said(answer)).toEqual([201, { ...shown, keys: [key], api_key: expect.stringMatching(/^qt_[\w-]{43}$/), prefix }])
    expect(answer.headers.get('cache-control')).toBe('no-store')

    const secret = fieldOf(answer, 'api_key')
    expect(secret.startsWith(fieldOf(answer, 'prefix'))).toBe(true)
    const listed = await admin.list(`?owner_id=${ownerId}`)
    expect(said(listed)).toEqual([200, { tenants: [{ ...shown, keys: [key] }], cursor: expect.any(String), has_more: false }])
    const changed = await admin.change(fieldOf(answer, 'id'), { name: 'x' })
    expect(JSON.stringify([listed.body, changed.body])).not.toContain(secret)
    const rows = await harness.app.db.apiKey.findMany({ where: { tenantId: fieldOf(answer, 'id') } })
    expect(rows).toMatchObject([{ prefix: secret.slice(0, 11) }])
    expect(Buffer.from(rows[0]?.hash ?? [])).toEqual(createHash('sha256').update(secret).digest())
    const dump = await harness.app.db.$queryRaw<{ row: string }[]>`
      SELECT to_jsonb(k)::text AS row FROM "ApiKey" k UNION ALL SELECT to_jsonb(t)::text FROM "Tenant" t`
    expect(dump.filter(({ row }) => row.includes(secret.slice(11)))).toEqual([])
  })

  test("needs an owner and a plan, and uses the plan's values for the rest", async () => {
    const answer = await admin.create({ owner_id: 'o', plan: 'free' })
    const initially = {
      name: '',
      history_enabled: true,
      rps: null,
      settlement_quota: null,
      verification_quota: null,
      allowed_networks: null,
      pay_to_allow: null,
      max_amount: null,
    }
    expect(said(answer)).toMatchObject([201, initially])
    const nulls = {
      rps: null,
      settlement_quota: null,
      verification_quota: null,
      allowed_networks: null,
      pay_to_allow: null,
      max_amount: null,
    }
    expect(said(await made(nulls))).toMatchObject([201, nulls])
    expect((await keyHolder(harness.app, fieldOf(answer, 'api_key')).v1.supported()).status).toBe(200)
  })

  test('returns an EVM address with its checksum for any letter case', async () => {
    expect((await made({ pay_to_allow: [WALLET.toLowerCase()] })).body).toMatchObject({ pay_to_allow: [WALLET] })
  })

  test('creates an owner once, and a tenant for each of twenty parallel requests', async () => {
    const ownerId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => made({ owner_id: ownerId })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map((answer) => fieldOf(answer, 'api_key'))).size).toBe(20)
    expect(await harness.app.db.owner.count({ where: { id: ownerId } })).toBe(1)
    expect(await harness.app.db.tenant.count({ where: { ownerId } })).toBe(20)
  })
})

const PLANS = 'one of free, starter, growth, scale'
const RPS = 'must be a whole number from 1 to 10000'
const QUOTA = 'must be a whole number from 0 to 2000000000'
const wrong: [string, unknown, string][] = [
  ['plan', 'sandbox', `plan must be ${PLANS}`],
  ['plan', null, `plan must be ${PLANS}`],
  ['name', 7, 'name must be a text'],
  ['name', null, 'name must be a text'],
  ['name', 'x'.repeat(101), 'name must be at most 100 characters'],
  ['name', 'a\u0000', 'the body holds a NUL character'],
  ['history_enabled', 'yes', 'history_enabled must be true or false'],
  ['rps', 0, `rps ${RPS}`],
  ['rps', 10_001, `rps ${RPS}`],
  ['rps', 1.5, `rps ${RPS}`],
  ['rps', '5', `rps ${RPS}`],
  ['rps', 1e300, `rps ${RPS}`],
  ['settlement_quota', -1, `settlement_quota ${QUOTA}`],
  ['settlement_quota', 2_000_000_001, `settlement_quota ${QUOTA}`],
  ['verification_quota', true, `verification_quota ${QUOTA}`],
  ['allowed_networks', [], 'allowed_networks must not be empty; null allows all'],
  ['allowed_networks', 'eip155:8453', 'allowed_networks must be a list of networks, or null for all'],
  ['allowed_networks', [7], 'allowed_networks.0 must be a CAIP-2 network id'],
  ['allowed_networks', ['eip155:84532', 'base'], 'allowed_networks.1 must be one of eip155:8453, eip155:84532, solana:'],
  ['allowed_networks', Array(21).fill('eip155:8453'), 'allowed_networks must hold at most 20 networks'],
  ['pay_to_allow', [], 'pay_to_allow must not be empty; null allows all'],
  ['pay_to_allow', ['0x12'], 'pay_to_allow.0 must be an address: 0x and 40 hex digits, or base58'],
  ['pay_to_allow', [null], 'pay_to_allow.0 must be an address'],
  ['pay_to_allow', Array(21).fill(WALLET), 'pay_to_allow must hold at most 20 addresses'],
  ['max_amount', 5, 'max_amount must be a string of decimal digits'],
  ['max_amount', '0', 'max_amount must be more than 0'],
  ['max_amount', '1.5', 'max_amount must be a whole number in decimal digits, as a string'],
  ['max_amount', (2n ** 256n).toString(), 'max_amount must be at most 2^256 - 1'],
  ['colour', 'red', 'colour: there is no such field'],
  ['revoked', 'no', ''],
]

describe('400', () => {
  test.each(wrong)('names %s for %j, on creation and on change: %s', async (field, value, message) => {
    const answers = [await made({ [field]: value }), await admin.change(randomUUID(), { [field]: value })]
    if (field === 'revoked') {
      expect(answers.map(({ body }) => fieldOf({ ...answers[0], body } as Answer, 'error'))).toEqual([
        'revoked: there is no such field',
        'revoked must be true or false',
      ])
    } else for (const { body } of answers) expect(fieldOf({ body } as Answer, 'error')).toContain(message)
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
  })

  test.each([
    [{ plan: 'free' }, 'owner_id is missing'],
    [{ owner_id: 'o' }, 'plan is missing'],
    [{ owner_id: '', plan: 'free' }, 'owner_id must not be empty'],
    [{ owner_id: 7, plan: 'free' }, 'owner_id must be a text'],
    [{ owner_id: 'x'.repeat(201), plan: 'free' }, 'owner_id must be at most 200 characters'],
    [[], 'the body must be a JSON object'],
    [null, 'the body must be a JSON object'],
    ['', 'the body is empty; send a JSON object'],
    ['{', 'the body is not valid JSON'],
  ])('for the body %j: %s', async (body, message) => {
    expect(said(await admin.create(body))).toEqual([400, { error: message }])
  })

  test('for a change that changes nothing', async () => {
    expect(said(await admin.change(randomUUID(), {}))).toEqual([
      400,
      { error: 'the body must have at least one field to change' },
    ])
    expect((await admin.change(randomUUID(), { owner_id: 'x' })).body).toEqual({ error: 'owner_id: there is no such field' })
  })

  test.each(['', 'x', 'null', `${SANDBOX}0`, '00000000-0000-0000-0000-00000000000g'])('for the id %j in a path', async (id) => {
    const error = 'the tenant id in the path must be a UUID'
    expect(said(await admin.change(id, { name: 'x' }))).toEqual([400, { error }])
    expect(said(await admin.rotate(id, {}))).toEqual([400, { error }])
  })
})

describe('PATCH /admin/tenants/:id', () => {
  const changes: [Json, Json?][] = [
    [{ plan: 'free' }],
    [{ name: 'another' }],
    [{ history_enabled: false }],
    [{ rps: 3 }],
    [{ rps: null }],
    [{ settlement_quota: 2_000_000_000 }],
    [{ verification_quota: 0 }],
    [{ allowed_networks: ['eip155:8453', 'eip155:84532'] }],
    [{ allowed_networks: null }],
    [{ pay_to_allow: [WALLET] }],
    [{ pay_to_allow: null }],
    [{ max_amount: (2n ** 256n - 1n).toString() }],
    [{ max_amount: '007' }, { max_amount: '7' }],
    [{ max_amount: null }],
    [{ claim_above: '5000000', claim_after_seconds: 60, claim_max_gas_price: '1000000000' }],
    [{ claim_above: null }],
    [{ claim_after_seconds: null, claim_max_gas_price: null }],
    [{ revoked: true }, { revoked_at: expect.stringMatching(TIME) }],
    [{ revoked: false }, { revoked_at: null }],
  ]
  test('changes only the given fields', async () => {
    const { api_key, prefix, ...tenant } = Object(
      (await made({ rps: 5, max_amount: '9', allowed_networks: ['eip155:84532'] })).body,
    )
    let now: Json = tenant
    expect([api_key, prefix]).toEqual([expect.any(String), expect.any(String)])
    for (const [change, shown = change] of changes) {
      const answer = await admin.change(fieldOf({ body: tenant } as Answer, 'id'), change)
      now = { ...now, ...shown }
      expect(said(answer)).toEqual([200, now])
    }
  })

  test('404 for an unknown tenant, and for the sandbox, which stays unchanged', async () => {
    const before = await harness.app.db.tenant.findUniqueOrThrow({ where: { id: SANDBOX } })
    const error = 'there is no tenant with this id'
    for (const id of [randomUUID(), SANDBOX]) {
      expect(said(await admin.change(id, { revoked: true }))).toEqual([404, { error }])
      expect(said(await admin.rotate(id, {}))).toEqual([404, { error }])
    }
    expect(await harness.app.db.tenant.findUniqueOrThrow({ where: { id: SANDBOX } })).toEqual(before)
    expect(await harness.app.db.apiKey.count({ where: { tenantId: SANDBOX } })).toBe(0)
  })
})
