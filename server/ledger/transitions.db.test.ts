import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { moveTo, newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { keepLog } from '../../test/support/log-lines'
import { connect, type Db } from '../db/database'
import { listenForTransitions, type Transition } from './transitions'

const database = fixture(freshDatabase)

let db: Db
let transitions: Transition[]
let lines: string[]
beforeEach(() => {
  transitions = []
  const kept = keepLog()
  lines = kept.lines
  const pool = connect({
    url: database.url,
    waitMs: 10_000,
    onPool: (pool) => listenForTransitions(pool, { onTransition: (transition) => transitions.push(transition), log: kept.log }),
  })
  db = pool.db
  onTestFinished(pool.close)
})

const tell = (code: string, message: string) =>
  db.$executeRawUnsafe(`DO $$ BEGIN RAISE INFO '%', '${message}' USING ERRCODE = '${code}'; END $$`)

describe('the listener of a pool', () => {
  test('gets the transitions of its statements, with their responses', async () => {
    const { id } = await newClaimed(db)
    await moveTo(db, id, 'REJECTED')
    const of = { settlementId: id, network: 'eip155:84532', tier: 'sandbox' }
    expect(transitions).toEqual([
      { ...of, from: null, to: 'CLAIMED', milliseconds: 0 },
      { ...of, from: 'CLAIMED', to: 'REJECTED', milliseconds: expect.any(Number) },
    ])
    expect(lines).toEqual([])
  })

  test.each([
    ['that is no JSON', 'seed words'],
    ['of another shape', '{"settlementId":"seed words","to":"SOMEWHERE"}'],
    ['without a text', ''],
  ])('goes on after a transition %s, which is logged without its text', async (_what, message) => {
    await tell('QT002', message)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, code: 'QT002', msg: 'a settlement step from the database cannot be read' }),
    ])
    expect(lines.join()).not.toContain('seed words')
    await newClaimed(db)
    expect(transitions).toMatchObject([{ to: 'CLAIMED' }])
  })

  test('takes no other notice of the database for a transition', async () => {
    for (const code of ['QT001', '00000']) await tell(code, 'seed words')
    expect([transitions, lines]).toEqual([[], []])
  })
})
