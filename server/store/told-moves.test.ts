import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/database'
import { newClaimed } from '../../test/ledger'
import { connect } from './database'
import type { ToldMove } from './told-moves'

test('moves are heard with the statement that makes them, and what the trigger of another version may tell ends no process', async () => {
  const database = await freshDatabase()
  const heard: ToldMove[] = []
  const { db, close } = connect({ url: database.url, poolMax: 1, onMove: (move) => heard.push(move) })
  for (const told of ['{"to":"A STATE OF TOMORROW"}', 'no JSON'])
    await db.$executeRawUnsafe(`DO $$ BEGIN RAISE INFO '${told}' USING ERRCODE = 'QT001'; END $$`)
  const { id } = await newClaimed(db)
  expect(heard).toEqual([
    { settlementId: id, network: 'eip155:84532', tier: expect.any(String), from: null, to: 'CLAIMED', milliseconds: 0 },
  ])
  await close()
  await database.close()
})
