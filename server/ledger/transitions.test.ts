import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/database'
import { moveTo, newClaimed } from '../../test/ledger'
import { keepLog } from '../../test/log-lines'
import { connect, type Db } from '../db/database'
import { listenForTransitions, type Transition } from './transitions'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

let db: Db
let heard: Transition[]
let lines: string[]
beforeEach(() => {
  heard = []
  const kept = keepLog()
  lines = kept.lines
  const pool = connect({
    url: database.url,
    waitMs: 10_000,
    onPool: (pool) => listenForTransitions(pool, { hear: (move) => heard.push(move), log: kept.log }),
  })
  db = pool.db
  onTestFinished(pool.close)
})

const tell = (code: string, message: string) =>
  db.$executeRawUnsafe(`DO $$ BEGIN RAISE INFO '%', '${message}' USING ERRCODE = '${code}'; END $$`)

describe('who opens a pool', () => {
  test('hears the moves that are made over it, with the answer of the statement', async () => {
    const { id } = await newClaimed(db)
    await moveTo(db, id, 'REJECTED')
    const of = { settlementId: id, network: 'eip155:84532', tier: 'sandbox' }
    expect(heard).toEqual([
      { ...of, from: null, to: 'CLAIMED', milliseconds: 0 },
      { ...of, from: 'CLAIMED', to: 'REJECTED', milliseconds: expect.any(Number) },
    ])
    expect(lines).toEqual([])
  })

  test.each([
    ['that is no JSON', 'seed words of somebody'],
    ['of another shape', '{"settlementId":"seed words of somebody","to":"SOMEWHERE"}'],
    ['without a text', ''],
  ])('goes on after a move %s, and the log says so without a word of it', async (_what, message) => {
    await tell('QT002', message)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, code: 'QT002', msg: 'a step was told that cannot be read' }),
    ])
    expect(lines.join()).not.toContain('somebody')
    await newClaimed(db)
    expect(heard).toMatchObject([{ to: 'CLAIMED' }])
  })

  test('takes nothing else that the database says for a move', async () => {
    for (const code of ['QT001', '00000']) await tell(code, 'seed words of somebody')
    expect([heard, lines]).toEqual([[], []])
  })
})
