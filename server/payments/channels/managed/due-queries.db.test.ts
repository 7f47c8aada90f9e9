import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/database/database'
import { includeOne, newBroadcast, newKeyOf, newLanding } from '../../../../test/support/database/ledger'
import { fixture } from '../../../../test/support/fixture'
import { tenantOf } from '../../../../test/support/service/history'
import { mainAsset } from '../../../x402/networks/networks'
import { endDue, findDue, findPayouts, markUnclaimable, nameOfDue, putOffDue } from './due-queries'
import { boundsOf } from './policy'

const database = fixture(freshDatabase)
const NETWORK = 'eip155:84532'
const { address: TOKEN } = mainAsset(NETWORK)
const newId = () => `0x${randomBytes(32).toString('hex')}` as const
const newAddress = () => `0x${randomBytes(20).toString('hex')}` as const
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)

let sellers = 0
/** A tenant with a live key that claims what reaches 5000. */
async function newSeller(): Promise<string> {
  const tenantId = await tenantOf(database.db, `due-${++sellers}`)
  await newKeyOf(database.db, tenantId)
  await database.db.tenant.update({ where: { id: tenantId }, data: { claimAbove: '5000' } })
  return tenantId
}

type Change = {
  token?: string
  charged?: string
  balance?: string
  claimed?: string
  withdrawAt?: Date
  withdrawing?: string
  unclaimable?: string
  updatedAt?: Date
  withdrawDelay?: number
}

/** A channel of which 1000 are charged and nothing is claimed, unless changed. */
async function newChannel(tenantId: string, { withdrawDelay = 900, token = TOKEN, charged = '1000', ...change }: Change = {}) {
  const [id, payer, receiver] = [newId(), newAddress(), newAddress()]
  const config = {
    payer,
    payerAuthorizer: payer,
    receiver,
    receiverAuthorizer: newAddress(),
    token,
    withdrawDelay,
    salt: newId(),
  }
  const charge = { charged, signed: charged, balance: charged, signature: `0x${'11'.repeat(65)}`, stored: true }
  await database.db.channel.create({
    data: { network: NETWORK, id, tenantId, config, payer, receiver, token, ...charge, ...change },
  })
  return id
}

/** A claim of a tenant that landed now. */
async function newLanded(tenantId: string) {
  const sent = await newBroadcast(database.db, { kind: 'claim', tenantId })
  await includeOne(database.db, sent, newLanding(sent.hash))
  return sent
}

const bounds = boundsOf(NETWORK, 1n)
const due = async (tenantId: string, change: Partial<Parameters<typeof findDue>[2]> = {}) => {
  const found = await findDue(database.db, NETWORK, {
    bounds,
    except: [],
    spent: [],
    gasPrice: 1n,
    closing: false,
    limit: 2_000,
    eachMax: 200,
    ...change,
  })
  return found.flatMap(({ id, why, ...one }) => (one.tenantId === tenantId ? [`${id} ${why}`] : []))
}
const payouts = (change: Partial<Parameters<typeof findPayouts>[2]> = {}) =>
  findPayouts(database.db, NETWORK, { bounds, except: [], limit: 50, eachMax: 5, ...change })

test('a channel with a delay of a hundred years hides no other', async () => {
  const seller = await newSeller()
  const long = await newChannel(seller, { withdrawDelay: 3_000_000_000, withdrawAt: ago(5) })
  const other = await newChannel(seller, { charged: '5000' })
  expect(await due(seller)).toEqual([`${long} withdrawal`, `${other} value`])
})

test('a payer that withdraws what is charged makes one claim a minute urgent, until two thirds of its delay are gone', async () => {
  const { db } = database
  const seller = await newSeller()
  const id = await newChannel(seller, { withdrawAt: ago(300), claimed: '200', withdrawing: '800' })
  const { settlementId } = await newLanded(seller)
  await db.channelClaim.create({ data: { settlementId, network: NETWORK, channelId: id, total: '200', signed: '200' } })
  const where = { network_id: { network: NETWORK, id } }
  const withdrawn = (seconds: number) => db.channel.update({ where, data: { withdrawAt: ago(seconds) } })
  const claimedAgo = (seconds: number) =>
    db.$executeRaw`UPDATE "Settlement" SET "createdAt" = now() - ${seconds}::int * interval '1 second' WHERE "id" = ${settlementId}::uuid`

  await claimedAgo(30)
  expect(await due(seller)).toEqual([])
  await claimedAgo(61)
  expect(await due(seller)).toEqual([`${id} withdrawal`])
  await claimedAgo(30)
  await withdrawn(610)
  expect(await due(seller)).toEqual([`${id} withdrawal`])
  await withdrawn(910)
  expect(await due(seller)).toEqual([])
  await withdrawn(20)
  expect(await due(seller)).toEqual([`${id} withdrawal`])
  await withdrawn(300)
  await db.channel.update({ where, data: { charged: '5200', signed: '5200' } })
  expect(await due(seller)).toEqual([`${id} withdrawal`])
  // What stays in the channel covers it.
  await db.channel.update({ where, data: { balance: '6000', withdrawing: '800' } })
  expect(await due(seller)).toEqual([`${id} value`])
  await db.channel.update({ where, data: { withdrawing: '801' } })
  expect(await due(seller)).toEqual([`${id} withdrawal`])
})

test('a withdrawal makes one claim urgent however little it brings, and none after it that brings less than its gas', async () => {
  const { db } = database
  const seller = await newSeller()
  const id = await newChannel(seller, { withdrawAt: ago(700), charged: '1', withdrawing: '1' })
  const dear = { bounds: bounds.map((one) => ({ ...one, dust: 2n })) }
  expect(await due(seller, dear)).toEqual([`${id} withdrawal`])
  const { settlementId } = await newLanded(seller)
  await db.channelClaim.create({ data: { settlementId, network: NETWORK, channelId: id, total: '1', signed: '1' } })
  expect(await due(seller, dear)).toEqual([])
  expect(await due(seller, { bounds: bounds.map((one) => ({ ...one, dust: 1n })) })).toEqual([`${id} withdrawal`])
})

test('where the day pays for no more races of a key, its withdrawals make nothing urgent', async () => {
  const seller = await newSeller()
  const id = await newChannel(seller, { withdrawAt: ago(300), withdrawing: '1000' })
  expect(await due(seller)).toEqual([`${id} withdrawal`])
  expect(await due(seller, { spent: [seller] })).toEqual([])
  const much = await newChannel(seller, { withdrawAt: ago(300), charged: '5000' })
  expect(await due(seller, { spent: [seller] })).toEqual([`${much} value`, `${id} along`])
})

test('a channel that never had a deposit is not claimed, and one that lost it is', async () => {
  const { db } = database
  const seller = await newSeller()
  await newChannel(seller, { charged: '5000', balance: '0' })
  const emptied = await newChannel(seller, { charged: '5000' })
  await db.channel.update({ where: { network_id: { network: NETWORK, id: emptied } }, data: { balance: '0' } })
  expect(await due(seller)).toEqual([`${emptied} value`])
})

test('what is under way or must wait takes no place of others, and no tenant takes those of all', async () => {
  const [many, few] = [await newSeller(), await newSeller()]
  const ids = [await newChannel(many, { charged: '5000' }), await newChannel(many, { charged: '5000' })]
  const third = await newChannel(many, { charged: '5000' })
  const own = await newChannel(few, { charged: '5000' })
  expect(await due(many, { eachMax: 2 })).toHaveLength(2)
  expect(await due(few, { eachMax: 2 })).toEqual([`${own} value`])
  expect(await due(many, { eachMax: 2, except: ids })).toEqual([`${third} value`])
})

test('a token that is not listed is never claimed or paid out', async () => {
  const seller = await newSeller()
  const token = newAddress()
  await newChannel(seller, { charged: '9000', token, withdrawAt: ago(5) })
  expect(await due(seller)).toEqual([])
  await database.db.channelDue.create({
    data: { network: NETWORK, receiver: newAddress(), token, tenantId: seller, amount: '9000', since: ago(100_000) },
  })
  expect((await payouts()).filter(({ tenantId }) => tenantId === seller)).toEqual([])
})

test('what cannot be claimed is tried again after an hour, and no empty balance is noted of a channel that has one', async () => {
  const { db } = database
  const seller = await newSeller()
  const amounts = { charged: '5000', unclaimable: 'InvalidSignature' }
  await newChannel(seller, amounts)
  const old = await newChannel(seller, { ...amounts, updatedAt: ago(3_700) })
  expect(await due(seller)).toEqual([`${old} value`])
  const signature = `0x${'11'.repeat(65)}` as const
  const mark = (id: `0x${string}`, why: string) => markUnclaimable(db, NETWORK, [{ id, signature, why }])
  expect(await mark(old, 'InvalidSignature')).toEqual([{ id: old, isNew: false }])
  expect(await due(seller)).toEqual([])

  const full = await newChannel(seller)
  expect(await mark(full, 'ClaimExceedsBalance')).toEqual([])
  const empty = await newChannel(seller, { balance: '0' })
  expect(await mark(empty, 'ClaimExceedsBalance')).toEqual([{ id: empty, isNew: true }])
})

test('what two keys claimed for one receiver is due to each, and five payments of a key are looked at', async () => {
  const { db } = database
  const [one, other] = [await newSeller(), await newSeller()]
  const receiver = newAddress()
  const add = (tenantId: string, to = newAddress(), since = ago(10)) =>
    db.channelDue.create({ data: { network: NETWORK, receiver: to, token: TOKEN, tenantId, amount: '6000', since } })
  await add(one, receiver, ago(20))
  await add(other, receiver)
  for (let more = 0; more < 6; more++) await add(one)
  const of = async (tenantId: string, except: string[] = []) =>
    (await payouts({ except })).filter((found) => found.tenantId === tenantId)
  const [first, ...rest] = await of(one)
  if (!first) throw new Error('nothing is due')
  expect(first.receiver).toBe(receiver)
  expect(rest).toHaveLength(4)
  expect((await of(one, [nameOfDue(first)])).map(nameOfDue)).not.toContain(nameOfDue(first))
  await putOffDue(db, NETWORK, first)
  expect((await of(one)).map(nameOfDue)).not.toContain(nameOfDue(first))
  const [second] = await of(other)
  expect(second).toMatchObject({ receiver, amount: '6000' })
  if (second) await endDue(db, NETWORK, second)
  expect(await db.channelDue.findMany({ where: { receiver } })).toMatchObject([{ tenantId: one }])
})
