import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { administrator, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { startReading } from '../../test/support/service/history'
import type { Principal } from '../sign-in/principal'
import { root } from './router'

const harness = fixture(() => startReading({ ADMIN_SUBJECTS: 'ada' }))

const PRINCIPALS = {
  anonymous: null,
  merchant: merchant('alice'),
  wallet: wallet('0x1111111111111111111111111111111111111111'),
  admin: administrator,
  'a merchant who administers': merchant('ada', { admin: true }),
} satisfies Record<string, Principal | null>

type Name = keyof typeof PRINCIPALS
const all = Object.keys(PRINCIPALS) as Name[]

/** Who may call each router, or each procedure of one; `settlements` and `receipts` check their `reader`. */
const FOR: Record<string, readonly Name[]> = {
  session: all,
  environment: all,
  settlements: all,
  merchant: ['merchant', 'wallet', 'a merchant who administers'],
  keys: ['merchant', 'wallet', 'a merchant who administers'],
  webhooks: ['merchant', 'wallet', 'a merchant who administers'],
  'activity.ofKeys': ['merchant', 'wallet', 'a merchant who administers'],
  'activity.ofKey': ['merchant', 'wallet', 'a merchant who administers'],
  'activity.creditsOfAgent': ['wallet'],
  agent: ['wallet'],
  payer: ['wallet'],
  wallet: ['wallet'],
  admin: ['admin', 'a merchant who administers'],
  receipts: all,
}

const READERS = {
  merchant: ['merchant', 'wallet', 'a merchant who administers'],
  payer: ['wallet'],
  agent: ['wallet'],
  admin: ['admin', 'a merchant who administers'],
} as const satisfies Record<string, readonly Name[]>

const procedures = Object.entries(root._def.procedures as Record<string, unknown>).map(([path, procedure]) => ({
  path,
  mutates: Reflect.get(Object(Reflect.get(Object(procedure), '_def')), 'type') === 'mutation',
}))

const callersOf = (path: string) => FOR[path] ?? FOR[path.split('.')[0] ?? '']

// Another sign-in gets a 401 too, except for administrator routes.
const statusFor = (name: Name, part: string) => (part === 'admin' && name !== 'anonymous' ? 403 : 401)

describe('every procedure', () => {
  test('is in the list above', () => {
    expect(procedures.length).toBeGreaterThan(10)
    expect(procedures.filter(({ path }) => callersOf(path) === undefined)).toEqual([])
  })

  test.each(procedures)('$path refuses other principals before it validates the input', async ({ path, mutates }) => {
    const [part = ''] = path.split('.')
    for (const name of all.filter((one) => !callersOf(path)?.includes(one))) {
      const pages = pagesOf(harness.app, PRINCIPALS[name])
      const { status, data } = await (mutates ? pages.mutate(path, { id: 7 }) : pages.query(path, { id: 7 }))
      expect([name, status, data]).toEqual([name, statusFor(name, part), undefined])
    }
  })

  test.each(procedures)('$path validates the input of its principals', async ({ path, mutates }) => {
    for (const name of callersOf(path) ?? []) {
      const pages = pagesOf(harness.app, PRINCIPALS[name])
      const { status } = await (mutates ? pages.mutate(path, { id: 7, days: 8 }) : pages.query(path, { id: 7, days: 8 }))
      expect([name, [200, 400, 404].includes(status)]).toEqual([name, true])
    }
  })
})

describe('settlements', () => {
  const id = '00000000-0000-4000-8000-000000000000'

  test.each(Object.keys(READERS) as (keyof typeof READERS)[])('can be read as %s only with that role', async (reader) => {
    for (const name of all) {
      const pages = pagesOf(harness.app, PRINCIPALS[name])
      const list = await pages.query('settlements.list', { reader })
      const summary = await pages.query('settlements.summary', { reader })
      const choices = await pages.query('settlements.choices', { reader, of: 'payer' })
      const details = await pages.query('settlements.details', { reader, id })
      const may: readonly Name[] = READERS[reader]
      const refusal = statusFor(name, reader)
      const answers = may.includes(name) ? [200, 200, 200, 404] : [refusal, refusal, refusal, refusal]
      expect([name, list.status, summary.status, choices.status, details.status]).toEqual([name, ...answers])
    }
  })

  test('cannot be read with an unknown reader', async () => {
    for (const reader of [undefined, '', 'everyone', '__proto__', 'constructor']) {
      const { status } = await pagesOf(harness.app, administrator).query('settlements.list', { reader })
      expect([reader, status]).toEqual([reader, 400])
    }
  })
})
