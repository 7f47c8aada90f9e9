import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { damaged, strangeText } from '../../test/money/fuzz/damage'
import { patience, tries } from '../../test/money/fuzz/runs'
import { anonymousClient } from '../../test/money/fuzz/service'
import { fixture } from '../../test/support/fixture'
import { cookieOf, merchant, wallet } from '../../test/support/service/dashboard'
import { newRow, startReading, tenantOf } from '../../test/support/service/history'
import { root } from './router'

type Json = Record<string, unknown>
type Headers = Record<string, string>

const CALLERS = ['anonymous', 'merchant', 'wallet'] as const
type Caller = (typeof CALLERS)[number]

const PAYER = '0x1111111111111111111111111111111111111111'
const id = randomUUID()

const harness = fixture(startReading)
let cookies: Record<Caller, Headers>
let tenantId: string
beforeAll(async () => {
  const { app } = harness
  const owner = merchant('owner', { admin: true })
  cookies = { anonymous: {}, merchant: await cookieOf(app, owner), wallet: await cookieOf(app, wallet(PAYER)) }
  tenantId = await tenantOf(app.db, 'owner')
  const rows = Array.from({ length: 3 }, () => newRow({ ownerId: 'owner', tenantId, payer: PAYER }))
  await app.db.history.createMany({ data: rows })
})

/** Every procedure with a valid input; `id` stands for a key of the merchant. */
const PROCEDURES: [string, Caller, Json][] = [
  ['session.get', 'merchant', {}],
  ['settlements.list', 'merchant', { reader: 'merchant', resource: ['https://merchant.test'], search: PAYER, limit: 5 }],
  ['settlements.list', 'merchant', { reader: 'admin', status: 'failed', environment: 'testnet', payer: [PAYER], owner: 'owner' }],
  ['settlements.list', 'wallet', { reader: 'payer', cursor: 'x', direction: 'after', tenant: id }],
  ['settlements.choices', 'merchant', { reader: 'merchant', of: 'payer', find: '0x', key: [id] }],
  ['settlements.summary', 'merchant', { reader: 'merchant', status: 'failed', search: 'weather', environment: 'testnet' }],
  ['settlements.pending', 'merchant', { reader: 'merchant', network: 'eip155:84532', environment: 'testnet' }],
  ['settlements.find', 'merchant', { reader: 'merchant', search: 'weather', environment: 'testnet' }],
  ['settlements.details', 'merchant', { reader: 'admin', id }],
  ['environment.first', 'merchant', {}],
  ['merchant.figures', 'merchant', { days: 7, zone: 'Asia/Kathmandu', within: 'eip155:84532' }],
  ['merchant.overview', 'merchant', { from: '2026-11-01', to: '2026-11-20', within: 'testnet', payersByDay: true }],
  ['merchant.overview', 'merchant', { days: 90, zone: 'UTC', within: 'mainnet' }],
  ['merchant.reached', 'merchant', {}],
  ['merchant.faults', 'merchant', { within: 'testnet' }],
  ['merchant.overview', 'merchant', { month: '2026-11', within: 'testnet' }],
  ['merchant.listings', 'merchant', { environment: 'testnet', offset: 0 }],
  ['merchant.report', 'merchant', { environment: 'testnet' }],
  ['merchant.corrected', 'merchant', { environment: 'testnet', resource: 'https://merchant.test' }],
  ['merchant.channels', 'merchant', { environment: 'testnet', state: 'open', payer: PAYER, limit: 5 }],
  ['merchant.channelSums', 'merchant', { environment: 'testnet', state: 'withdrawing' }],
  ['merchant.channel', 'merchant', { network: 'eip155:84532', id: `0x${'a'.repeat(64)}` }],
  ['wallet.channels', 'wallet', { environment: 'testnet', limit: 5 }],
  ['receipts.share', 'merchant', { reader: 'merchant', id }],
  ['receipts.withdraw', 'wallet', { reader: 'payer', id }],
  ['receipts.restore', 'merchant', { reader: 'merchant', id }],
  ['keys.list', 'merchant', {}],
  ['keys.plans', 'merchant', {}],
  ['keys.one', 'merchant', { id }],
  ['keys.endSecret', 'merchant', { id, secret: id }],
  ['activity.ofKey', 'merchant', { id, environment: 'testnet' }],
  ['activity.ofKeys', 'merchant', { environment: 'testnet' }],
  ['activity.creditsOfAgent', 'wallet', { environment: 'testnet' }],
  ['keys.create', 'merchant', { name: 'Acme', allowedNetworks: ['eip155:84532'], payToAllow: [PAYER], maxAmount: '5' }],
  ['keys.configure', 'merchant', { id, name: 'Acme', historyEnabled: true, payToAllow: [PAYER], maxAmount: '5' }],
  ['keys.rotate', 'merchant', { id, graceSeconds: 5 }],
  ['keys.revoke', 'merchant', { id }],
  ['keys.changes', 'merchant', { id }],
  ['webhooks.list', 'merchant', {}],
  ['webhooks.create', 'merchant', { url: 'https://merchant.com/hook', events: ['payment.settled'], keys: [id] }],
  [
    'webhooks.configure',
    'merchant',
    { id, url: 'https://merchant.com/hook', events: ['payment.failed'], keys: [], enabled: true },
  ],
  ['webhooks.rotate', 'merchant', { id, graceSeconds: 5 }],
  ['webhooks.remove', 'merchant', { id }],
  ['webhooks.test', 'merchant', { id }],
  [
    'webhooks.deliveries',
    'merchant',
    { endpoint: id, state: 'failed', event: 'payment.failed', settlement: id, cursor: id, limit: 5 },
  ],
  ['webhooks.summary', 'merchant', { endpoint: id, state: 'failed', event: 'payment.failed', settlement: id }],
  ['webhooks.delivery', 'merchant', { id }],
  ['webhooks.resend', 'merchant', { id }],
  ['webhooks.failing', 'merchant', {}],
  ['webhooks.undelivered', 'merchant', { since: '2026-11-26T00:00:00.000Z', endpoint: id }],
  ['webhooks.resendAll', 'merchant', { since: '2026-11-26T00:00:00.000Z', endpoint: id, cursor: id }],
  ['payer.months', 'wallet', {}],
  ['agent.balance', 'wallet', { environment: 'testnet' }],
  ['agent.configure', 'wallet', { historyEnabled: true, allowedNetworks: ['eip155:84532'] }],
  ['agent.createKey', 'wallet', {}],
  ['agent.solanaTransfer', 'wallet', { network: 'eip155:84532' }],
  ['agent.revokeKey', 'wallet', { id }],
  ['admin.figures', 'merchant', { days: 30, zone: 'America/New_York', within: 'mainnet', owner: 'owner', tenant: id }],
  ['admin.overview', 'merchant', { days: 7, within: 'testnet', owner: 'owner', payersByDay: true }],
  ['admin.overview', 'merchant', { from: '2026-11-01', to: '2026-11-20', within: 'eip155:8453', tenant: id }],
  ['admin.money', 'merchant', { days: 30, within: 'mainnet', owner: 'owner' }],
  ['admin.tenants', 'merchant', { search: 'owner', plans: ['free'], revoked: true, order: 'gas', cursor: `7.5~${id}` }],
  ['admin.tenantSums', 'merchant', { search: 'owner', plans: ['free'], revoked: false }],
  ['admin.tenant', 'merchant', { id, within: 'mainnet' }],
  ['admin.changes', 'merchant', { id }],
  ['admin.changeTenant', 'merchant', { id, plan: 'growth', revoked: false, rps: 7, settlementQuota: 8, verificationQuota: null }],
  ['admin.senders', 'merchant', {}],
  ['admin.standing', 'merchant', {}],
  ['admin.quarantined', 'merchant', {}],
  ['admin.releaseLane', 'merchant', { id, nextNonce: '20' }],
  ['admin.incidents.list', 'merchant', {}],
  ['admin.incidents.days', 'merchant', {}],
  [
    'admin.incidents.open',
    'merchant',
    { title: 'Late blocks', impact: 'degraded', networks: ['eip155:84532'], minutesAgo: 5, text: 'Settles wait.' },
  ],
  ['admin.incidents.update', 'merchant', { id, text: 'Blocks are on time again.' }],
  ['admin.incidents.resolve', 'merchant', { id, text: 'Over.' }],
  ['admin.incidents.remove', 'merchant', { id }],
]

const ONCE_BROKEN: [[string, Caller, string]][] = [
  [['keys.create', 'merchant', '{"name":"a\\u0000b"}']],
  [['settlements.list', 'merchant', '{"reader":"merchant","resource":"\\u0000"}']],
  [['settlements.list', 'merchant', '{"reader":"admin","owner":"\\u0000"}']],
  [['admin.tenants', 'merchant', '{"owner":"\\u0000"}']],
  [['admin.figures', 'merchant', '{"within":"mainnet","owner":"\\u0000"}']],
]

/** One request per status that must be reached; chance alone misses the 404 once in fifty runs. */
const REACHING: typeof ONCE_BROKEN = [
  [['session.get', 'merchant', '{}']],
  [['keys.revoke', 'merchant', '{}']],
  [['keys.list', 'anonymous', '{}']],
  [['agent.createKey', 'wallet', '{}']],
]

// The input is a member, so that the damage can hit all of it.
const inputOf = (text: string) => text.slice('{"input":'.length, -1)

describe('the procedures of the pages', () => {
  test('are all tested', () => {
    expect(new Set(PROCEDURES.map(([procedure]) => procedure))).toEqual(new Set(Object.keys(root._def.procedures)))
  })

  test(
    'answer any input, from any caller',
    async () => {
      const ask = anonymousClient(harness.app)
      const asked = fc.constantFrom(...PROCEDURES).chain(([procedure, caller, input]) => {
        const own = Object.fromEntries(Object.entries(input).map(([key, given]) => [key, given === id ? tenantId : given]))
        return fc.tuple(
          fc.constant(procedure),
          fc.oneof({ weight: 5, arbitrary: fc.constant(caller) }, { weight: 1, arbitrary: fc.constantFrom(...CALLERS) }),
          fc.oneof({ weight: 5, arbitrary: damaged({ input: own }).map(inputOf) }, { weight: 1, arbitrary: strangeText }),
        )
      })
      const seen = new Set<number>()
      await fc.assert(
        fc.asyncProperty(asked, async ([procedure, caller, input]) => {
          const headers = { ...cookies[caller], origin: new URL(harness.app.config.baseUrl).origin }
          const path = `/api/trpc/${procedure}`
          seen.add((await ask({ method: 'POST', path, headers, body: input })).status)
          seen.add((await ask({ method: 'GET', path: `${path}?${new URLSearchParams({ input })}`, headers })).status)
        }),
        { ...tries(300), examples: [...REACHING, ...ONCE_BROKEN] },
      )
      expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404]))
    },
    patience(30),
  )
})
