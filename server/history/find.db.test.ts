import { describe, expect, test } from 'vitest'
import { newHash } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { administrator, merchant, wallet } from '../../test/support/service/dashboard'
import { newOwner, newRow, startReading, tenantOf } from '../../test/support/service/history'
import type { Principal } from '../sign-in/principal'
import { createCallerFactory } from '../trpc/context'
import { root } from '../trpc/router'

const harness = fixture(startReading)

const as = (principal: Principal | null) =>
  createCallerFactory(root)({ app: harness.app, principal, ip: '127.0.0.1', reader: 'test', requestId: 'test' }).settlements

const PAYER = '0x2222222222222222222222222222222222222222'

/** A merchant with settlements: two of the weather and one of the news in Test, one of the weather in Live. */
async function newMerchant() {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const make = async (resource: string, network: string) => {
    const row = newRow({ ownerId, tenantId, resource, network, payer: PAYER, txHash: newHash() })
    await harness.app.db.history.create({ data: row })
    return { id: row.id, txHash: String(row.txHash) }
  }
  const TEST = 'eip155:84532'
  const [, , news, live] = [
    await make('https://api.test/weather', TEST),
    await make('https://api.test/weather', TEST),
    await make('https://api.test/news', TEST),
    await make('https://api.test/weather-live', 'eip155:8453'),
  ]
  return { ownerId, news, live }
}

const found = ({ settlements, resources }: { settlements: { id: string }[]; resources: string[] }) => ({
  ids: settlements.map(({ id }) => id),
  resources,
})

describe('the palette finds', () => {
  test('resources and settlements of one environment by a part of the resource, the most paid resource first', async () => {
    const { ownerId } = await newMerchant()
    const find = as(merchant(ownerId)).find
    const test = await find({ reader: 'merchant', search: 'api.test', environment: 'testnet' })
    expect([test.settlements.length, test.resources]).toEqual([3, ['https://api.test/weather', 'https://api.test/news']])
    const live = await find({ reader: 'merchant', search: 'weather', environment: 'mainnet' })
    expect(live.resources).toEqual(['https://api.test/weather-live'])
  })

  test('a whole id or transaction in both environments', async () => {
    const { ownerId, news, live } = await newMerchant()
    const find = as(merchant(ownerId)).find
    for (const { id, txHash } of [news, live]) {
      for (const search of [id, txHash]) {
        const answer = await find({ reader: 'merchant', search, environment: 'testnet' })
        expect(found(answer)).toEqual({ ids: [id], resources: [] })
      }
    }
  })

  test('nothing of another owner, and for a payer its own payments only', async () => {
    const { live } = await newMerchant()
    const none = { ids: [], resources: [] }
    expect(found(await as(merchant(newOwner())).find({ reader: 'merchant', search: live.id }))).toEqual(none)
    expect(
      found(await as(wallet('0x3333333333333333333333333333333333333333')).find({ reader: 'payer', search: live.id })),
    ).toEqual(none)
    expect(found(await as(wallet(PAYER)).find({ reader: 'payer', search: live.id })).ids).toEqual([live.id])
    expect(found(await as(administrator).find({ reader: 'admin', search: live.id })).ids).toEqual([live.id])
  })

  test('at most five settlements', async () => {
    const ownerId = newOwner()
    const tenantId = await tenantOf(harness.app.db, ownerId)
    const rows = Array.from({ length: 7 }, () => newRow({ ownerId, tenantId, resource: 'https://busy.test/x' }))
    await harness.app.db.history.createMany({ data: rows })
    const { settlements } = await as(merchant(ownerId)).find({ reader: 'merchant', search: 'busy' })
    expect(settlements).toHaveLength(5)
  })
})
