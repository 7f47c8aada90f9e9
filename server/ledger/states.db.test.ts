import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { moveTo, newBroadcast, newClaimed, stepsOf } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { failedStates, isIn, landedStates, moves, openStates, type State } from './states'

const database = fixture(freshDatabase)

const states = Object.keys(moves) as State[]

describe('the moves of a settlement', () => {
  test('are the same in the code and in the database', async () => {
    const rows = await database.db.move.findMany()
    const inCode = states.flatMap((from) => moves[from].map((to) => `${from} ${to}`))
    expect(rows.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(inCode.sort())
  })

  test('lead only to states, and out of none that is terminal', () => {
    for (const from of states) for (const to of moves[from]) expect(states).toContain(to)
    for (const state of [...failedStates, 'REJECTED'] as State[]) expect(moves[state]).toEqual([])
    // Only for a reorganisation that was deeper than the depth.
    expect(moves.FINAL).toEqual(['INCLUDED'])
    for (const state of openStates) expect([isIn(landedStates, state), isIn(failedStates, state)]).toEqual([false, false])
  })

  const paths: [State, State[]][] = [
    ['CLAIMED', []],
    ['PREPARED', ['PREPARED']],
    ['BROADCAST', ['PREPARED', 'BROADCAST']],
    ['PRECONFIRMED', ['PREPARED', 'PRECONFIRMED']],
    ['INCLUDED', ['PREPARED', 'INCLUDED']],
    ['FINAL', ['PREPARED', 'INCLUDED', 'FINAL']],
    ['REJECTED', ['REJECTED']],
    ['REVERTED', ['PREPARED', 'REVERTED']],
    ['USED_ELSEWHERE', ['USED_ELSEWHERE']],
    ['EXPIRED', ['EXPIRED']],
    ['REVERSED', ['PREPARED', 'REVERSED']],
  ]
  test.each(paths)('out of %s: every legal move succeeds, every other one raises', async (from, path) => {
    const { db } = database
    const { slotId } = await newBroadcast(db)
    for (const to of states) {
      const { id } = await newClaimed(db)
      await db.settlement.update({ where: { id }, data: { slotId } })
      await moveTo(db, id, ...path)
      const legal: boolean = to === from || moves[from].some((state) => state === to)
      const moved = moveTo(db, id, to)
      if (legal) await moved
      else await expect(moved).rejects.toThrow(`illegal settlement move ${from} to ${to}`)
      expect((await db.settlement.findUniqueOrThrow({ where: { id } })).state).toBe(legal ? to : from)
    }
  })

  test('are written down, each with its number', async () => {
    const { db } = database
    const { settlementId } = await newBroadcast(db)
    await moveTo(db, settlementId, 'CLAIMED', 'PREPARED', 'PREPARED', 'INCLUDED')
    expect(await stepsOf(db, settlementId)).toEqual([
      [null, 'CLAIMED'],
      ['CLAIMED', 'PREPARED'],
      ['PREPARED', 'BROADCAST'],
      ['BROADCAST', 'CLAIMED'],
      ['CLAIMED', 'PREPARED'],
      ['PREPARED', 'INCLUDED'],
    ])
    expect((await db.settlement.findUniqueOrThrow({ where: { id: settlementId } })).version).toBe(5)
  })

  test('begin at CLAIMED, and nothing is signed without a slot', async () => {
    const { db } = database
    const { id } = await newClaimed(db)
    await expect(moveTo(db, id, 'PREPARED')).rejects.toThrow('Settlement_signed')
    const { transfer: _t, declared: _d, ...row } = await db.settlement.findUniqueOrThrow({ where: { id } })
    const copy = { ...row, transfer: {}, declared: {}, id: crypto.randomUUID(), intentKey: new Uint8Array(32), state: 'EXPIRED' }
    await expect(db.settlement.create({ data: copy })).rejects.toThrow('a settlement starts as CLAIMED, not EXPIRED')
  })
})
