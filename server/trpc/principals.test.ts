import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, merchant, pagesOf, wallet } from '../../test/dashboard'
import { startReading } from '../../test/history'
import type { RunningApp } from '../boot/app'
import type { Principal } from '../sign-in/principal'
import { root } from './router'

let harness: { app: RunningApp; close: () => Promise<void> }
beforeAll(async () => {
  harness = await startReading({ ADMIN_SUBJECTS: 'ada' })
})
afterAll(() => harness.close())

const PEOPLE = {
  nobody: null,
  merchant: merchant('alice'),
  wallet: wallet('0x1111111111111111111111111111111111111111'),
  admin: administrator,
  'a merchant who administers': merchant('ada', { admin: true }),
} satisfies Record<string, Principal | null>

type Person = keyof typeof PEOPLE
const everybody = Object.keys(PEOPLE) as Person[]

/** For whom each part of the dashboard is; `settlements` asks as whom. */
const FOR: Record<string, readonly Person[]> = {
  session: everybody,
  settlements: everybody,
  merchant: ['merchant', 'a merchant who administers'],
  keys: ['merchant', 'a merchant who administers'],
  webhooks: ['merchant', 'a merchant who administers'],
  agent: ['wallet'],
  payer: ['wallet'],
  admin: ['admin', 'a merchant who administers'],
}

const READERS = {
  merchant: ['merchant', 'a merchant who administers'],
  payer: ['wallet'],
  agent: ['wallet'],
  admin: ['admin', 'a merchant who administers'],
} as const satisfies Record<string, readonly Person[]>

const procedures = Object.entries(root._def.procedures as Record<string, unknown>).map(([path, procedure]) => ({
  path,
  mutates: Reflect.get(Object(Reflect.get(Object(procedure), '_def')), 'type') === 'mutation',
}))

// Whoever is signed in as something else is told to sign in, too, except where only administrators may go.
const statusFor = (person: Person, part: string) => (part === 'admin' && person !== 'nobody' ? 403 : 401)

describe('every procedure', () => {
  test('is named among those that somebody may call', () => {
    expect(procedures.length).toBeGreaterThan(10)
    expect(procedures.map(({ path }) => path.split('.')[0]).filter((part = '') => !(part in FOR))).toEqual([])
  })

  test.each(procedures)('$path refuses whom it is not for, before it looks at what is asked', async ({ path, mutates }) => {
    const [part = ''] = path.split('.')
    for (const person of everybody.filter((one) => !FOR[part]?.includes(one))) {
      const pages = pagesOf(harness.app, PEOPLE[person])
      const { status, data } = await (mutates ? pages.mutate(path, { id: 7 }) : pages.query(path, { id: 7 }))
      expect([person, status, data]).toEqual([person, statusFor(person, part), undefined])
    }
  })

  test.each(procedures)(
    '$path tells whom it is for what is wrong with a question, not who they are',
    async ({ path, mutates }) => {
      const [part = ''] = path.split('.')
      for (const person of FOR[part] ?? []) {
        const pages = pagesOf(harness.app, PEOPLE[person])
        const { status } = await (mutates ? pages.mutate(path, { id: 7, days: 8 }) : pages.query(path, { id: 7, days: 8 }))
        expect([person, [200, 400, 404].includes(status)]).toEqual([person, true])
      }
    },
  )
})

describe('settlements', () => {
  const id = '00000000-0000-4000-8000-000000000000'

  test.each(Object.keys(READERS) as (keyof typeof READERS)[])('are read as %s only by who is one', async (reader) => {
    for (const person of everybody) {
      const pages = pagesOf(harness.app, PEOPLE[person])
      const list = await pages.query('settlements.list', { reader })
      const details = await pages.query('settlements.details', { reader, id })
      const may: readonly Person[] = READERS[reader]
      const refusal = statusFor(person, reader)
      expect([person, list.status, details.status]).toEqual([person, ...(may.includes(person) ? [200, 404] : [refusal, refusal])])
    }
  })

  test('of everybody are not read by asking as nobody in particular', async () => {
    for (const reader of [undefined, '', 'everybody', '__proto__', 'constructor']) {
      const { status } = await pagesOf(harness.app, administrator).query('settlements.list', { reader })
      expect([reader, status]).toEqual([reader, 400])
    }
  })
})
