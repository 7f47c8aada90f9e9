import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { includeOne, moveTo, newBroadcast, newClaimed, newLanding } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { findSuspects, hadBurns, pruneFailures, recordBurns } from './payer-failures'

const BASE = 'eip155:8453'
const SEPOLIA = 'eip155:84532'
const database = fixture(freshDatabase)

const burnt = async (payer: string, party: string) => {
  const { id } = await newClaimed(database.db, { payer, caller: party })
  await recordBurns(database.db, [id])
  return id
}
const age = (minutes: number) => database.db.payerFailure.updateMany({ data: { at: new Date(Date.now() - minutes * 60_000) } })

test('a burn is one failure of its payer and party, even when it is recorded twice', async () => {
  const { db } = database
  expect(await hadBurns(db, SEPOLIA)).toBe(false)
  const id = await burnt('0xburner', 'tenant:bad')
  await recordBurns(db, [id, id])
  const rows = await db.payerFailure.findMany()
  expect(rows).toMatchObject([{ network: SEPOLIA, payer: '0xburner', party: 'tenant:bad', settlementId: id, kind: 'burned' }])
  expect([await hadBurns(db, SEPOLIA), await hadBurns(db, BASE)]).toEqual([true, false])
})

test('its payer is a suspect for an hour, with any party, and so are unknown payers of its party, on that network only', async () => {
  const { db } = database
  for (const payer of ['0xlanded', '0xfinal']) {
    const place = await newBroadcast(db, { payer, caller: 'tenant:bad' })
    await includeOne(db, place, newLanding(place.hash))
    if (payer === '0xfinal') await moveTo(db, place.settlementId, 'FINAL')
  }
  const asked = [
    { payer: '0xnew', party: 'tenant:good' },
    { payer: '0xburner', party: 'tenant:good' },
    { payer: '0xnew', party: 'tenant:bad' },
    { payer: '0xfinal', party: 'tenant:bad' },
    { payer: '0xlanded', party: 'tenant:bad' },
  ]
  expect(await findSuspects(db, SEPOLIA, asked)).toEqual([false, true, true, false, false])
  expect(await findSuspects(db, BASE, asked)).toEqual([false, false, false, false, false])
  await age(61)
  expect(await hadBurns(db, SEPOLIA)).toBe(false)
  expect(await findSuspects(db, SEPOLIA, asked)).toEqual([false, false, false, false, false])
})

test('failures go when they are a day old, so many at a time', async () => {
  const { db } = database
  await age(25 * 60)
  for (const payer of ['0xa', '0xb']) await burnt(payer, 'tenant:old')
  await age(25 * 60)
  await burnt('0xyoung', 'tenant:old')
  expect([await pruneFailures(db, 2), await pruneFailures(db, 2), await pruneFailures(db, 2)]).toEqual([2, 1, 0])
  expect(await db.payerFailure.findMany()).toMatchObject([{ payer: '0xyoung' }])
})
